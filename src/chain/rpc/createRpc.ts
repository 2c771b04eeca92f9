// JSON-RPC over HTTP to one node, with a limit for the time and the size of each answer. It knows
// nothing of vaults.

import { readBounded } from './readBounded.ts';

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

/** What a node has answered is no result. */
export class BadAnswer extends Error {}

/** The results in the order of the calls; rejects when any of them failed or the answer is bad. */
export type Rpc = (calls: readonly RpcCall[]) => Promise<readonly unknown[]>;

export type RpcOptions = {
  readonly url: string;
  readonly timeoutMs: number;
  readonly bytesMax: number;
};

type Answer = { readonly id?: unknown; readonly result?: unknown; readonly error?: unknown };

export function createRpc({ url, timeoutMs, bytesMax }: RpcOptions): Rpc {
  return async (calls) => {
    const body = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      // A node that sends elsewhere is another node.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answers: unknown = JSON.parse(await readBounded(response, bytesMax));
    if (!Array.isArray(answers)) throw new BadAnswer('the node gave no list of answers');
    const byId = new Map<unknown, Answer>(answers.map((each: Answer | null) => [each?.id, each!]));
    return calls.map(({ method }, id) => {
      const answer = byId.get(id);
      if (answer?.error != null) throw new BadAnswer(`${method}: ${JSON.stringify(answer.error)}`);
      if (answer?.result == null) throw new BadAnswer(`${method}: no result`);
      return answer.result;
    });
  };
}
