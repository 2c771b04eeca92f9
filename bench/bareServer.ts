// A fastify server to compare the gateway with: it parses the same request, checks the same HMAC
// with the same function and answers as many bytes. It matches and stores nothing.

import { fastify } from 'fastify';
import { hmacMatches, makeHmacKey } from '../src/gateway/identity/hmacSignature.ts';

export type BareSetup = {
  /** API key and secret. */
  readonly keys: readonly (readonly [string, string])[];
  /** The length of a body that makes its answers as long as those of the exchange. */
  readonly bodyBytes: number;
};

async function serve({ keys, bodyBytes }: BareSetup): Promise<number> {
  const hmacKeys = new Map(keys.map(([apiKey, secret]) => [apiKey, makeHmacKey(secret)]));
  const answer = JSON.stringify({ padding: '' });
  const text = answer.replace('""', `"${'x'.repeat(bodyBytes - answer.length)}"`);
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
    reply.type('application/json; charset=utf-8').send(text);
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
