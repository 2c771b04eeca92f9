// Which requests become WebSockets. Other upgrades (h2c) are served as plain HTTP.

import type { IncomingMessage } from 'node:http';

export function asksForSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}
