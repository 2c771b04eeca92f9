// The HTTP server of a signer's door: two addresses, bounded requests, few connections. It knows
// nothing of payments.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DoorAnswer, refused, type SignerDoor } from './createSignerDoor.ts';
import { macHeader, requestBytesMax, signPath } from './peerRequest.ts';

export type ServeSigner = {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly door: SignerDoor;
  /** What everybody who reaches the door may know. */
  readonly health: () => object;
};

export type ServedSigner = { readonly port: number; readonly close: () => Promise<void> };

const connectionsMax = 64;
const requestMs = 5000;
/** How often it looks for connections that have had their time. */
const checkMs = 1000;

export async function serveSigner({
  host,
  port,
  door,
  health,
}: ServeSigner): Promise<ServedSigner> {
  const answer = async (request: IncomingMessage): Promise<DoorAnswer> => {
    const { method, url, headers } = request;
    if (method === 'GET' && url === '/health') return { status: 200, body: health() };
    if (method !== 'POST' || url !== signPath) return { status: 404, body: {} };
    const body = await readBody(request);
    if (body === undefined) {
      return { status: 413, body: { refused: 'malformed', detail: 'the request is too long' } };
    }
    return door(headers[macHeader], body);
  };
  const server = createServer(
    {
      ...{ requestTimeout: requestMs, headersTimeout: requestMs, keepAliveTimeout: requestMs },
      connectionsCheckingInterval: checkMs,
    },
    (request, response) => {
      void answer(request)
        .catch(() => refused('malformed', 'the request broke off'))
        .then((found) => send(response, found));
    },
  );
  server.maxConnections = connectionsMax;
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Undefined when it is too long; then the connection ends with the answer. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > requestBytesMax) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > requestBytesMax) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, { status, body }: DoorAnswer): void {
  const text = JSON.stringify(body);
  const isWhole = status !== 413;
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...(isWhole ? {} : { Connection: 'close' }),
  });
  response.end(text);
}
