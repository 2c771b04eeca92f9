// A fastify server to compare the gateway with: it parses the same request, checks the same HMAC
// with the same function and answers as many bytes. It matches and stores nothing.

import { fastify } from 'fastify';
import { hmacMatches } from '../src/gateway/identity/hmacSignature.ts';
import { type BareSetup, bareWork } from './bareWork.ts';

async function serve(setup: BareSetup): Promise<number> {
  const { answer, hmacKeys } = bareWork(setup);
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.post<{ Querystring: { signature: string } }>('/fapi/v1/order', (request, reply) => {
    const { url = '', headers } = request.raw;
    const body = request.body as Buffer;
    const signed = url.slice(url.indexOf('?') + 1, url.indexOf('&signature='));
    const key = hmacKeys.get(headers['x-mbx-apikey'] as string);
    const { signature } = request.query;
    const matches = key !== undefined && hmacMatches(key, { text: signed, body, signature });
    const order = JSON.parse(body.toString('utf8')) as { symbol?: string };
    if (!matches || order.symbol === undefined) {
      reply.code(401).send('{}');
      return;
    }
    reply.type('application/json; charset=utf-8').send(answer);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as { readonly port: number }).port;
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
