// A server of its own process that reads a query once (`/once`), or from each of its bytes to the
// end: the target of cost must find it.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

function read(url: string): number {
  const query = url.slice(url.indexOf('?') + 1);
  let found = 0;
  const starts = url.startsWith('/once') ? 1 : query.length;
  for (let start = 0; start < starts; start += 1) {
    for (let at = start; at < query.length; at += 1) if (query.charCodeAt(at) === 61) found += 1;
  }
  return found;
}

const server = createServer((request, response) => response.end(String(read(request.url ?? ''))));
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
