// `evermark chain …` as a person types it, and a node that lies.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runChain } from '../../src/bin/chain.ts';

export type Typed = {
  readonly code: number;
  readonly answer: Record<string, unknown>;
  readonly errors: string;
};

export async function typeChain(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Typed> {
  const [printed, errors]: [string[], string[]] = [[], []];
  const code = await runChain(words, {
    print: (line) => void printed.push(line),
    complain: (line) => void errors.push(line),
    environment,
  });
  const answer = printed.length === 0 ? {} : JSON.parse(printed.join('\n'));
  return { code, answer, errors: errors.join('\n') };
}

/** Passes requests on to a node, and answers some methods otherwise. */
export async function serveLies(url: string, lies: Readonly<Record<string, unknown>>) {
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray()).toString();
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body });
      const answers = (await answer.json()) as { id: number; result?: unknown }[];
      for (const { id, method } of JSON.parse(body) as { id: number; method: string }[]) {
        if (Object.hasOwn(lies, method))
          answers.find((each) => each.id === id)!.result = lies[method];
      }
      response.end(JSON.stringify(answers));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: own, [Symbol.dispose]: () => void server.close() };
}
