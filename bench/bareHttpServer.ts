// A server of node:http to compare the gateway with. It does the work of bareFastifyServer.ts
// without a framework.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hmacMatches } from '../src/gateway/identity/hmacSignature.ts';
import { type BareSetup, bareWork } from './bareWork.ts';

async function serve(setup: BareSetup): Promise<number> {
  const { answer, hmacKeys } = bareWork(setup);
  const respond = (request: IncomingMessage, response: ServerResponse, body: Buffer): void => {
    const { url = '', headers } = request;
    const at = url.indexOf('&signature=');
    const text = url.slice(url.indexOf('?') + 1, at);
    const signature = url.slice(at + '&signature='.length);
    const key = hmacKeys.get(headers['x-mbx-apikey'] as string);
    const matches = key !== undefined && hmacMatches(key, { text, body, signature });
    const order = JSON.parse(body.toString('utf8')) as { symbol?: string };
    const status = matches && order.symbol !== undefined ? 200 : 401;
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': answer.length,
    });
    response.end(answer);
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      respond(request, response, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

process.on('message', (setup: BareSetup) => {
  serve(setup).then(
    (port) => process.send!(port),
    (error) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
