// JSON-RPC over HTTP to one node, with a limit for the time and the size of each answer. It knows
// nothing of vaults. An address may contain a key or a password: no error shows more than its host.

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

export function createRpc(options: RpcOptions): Rpc {
  const rpc = createOpenRpc(options);
  return async (calls) => {
    try {
      return await rpc(calls);
    } catch (error) {
      const why = hideAddress(reasonOf(error as Error, options), options.url);
      throw error instanceof BadAnswer ? new BadAnswer(why) : new Error(why);
    }
  };
}

/** Its errors may show the address. */
function createOpenRpc({ url, timeoutMs, bytesMax }: RpcOptions): Rpc {
  const { target, headers } = requestOf(url);
  return async (calls) => {
    const body = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
    const response = await fetch(target, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      // A node that sends elsewhere is another node.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answers = parse(await readBounded(response, bytesMax), response.status);
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

/** `fetch` refuses an address with a password. */
function requestOf(url: string): {
  readonly target: URL;
  readonly headers: Record<string, string>;
} {
  const target = new URL(url);
  const { username, password } = target;
  const headers = { 'Content-Type': 'application/json' };
  if (username === '' && password === '') return { target, headers };
  const pair = `${decoded(username)}:${decoded(password)}`;
  target.username = '';
  target.password = '';
  const Authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  return { target, headers: { ...headers, Authorization } };
}

/** What is no encoding stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadAnswer(`the node answers with status ${status} and no JSON`);
  }
}

function reasonOf({ name, message, cause }: Error, { timeoutMs }: RpcOptions): string {
  if (name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** Shorter parts of an address are words, as `rpc` or `v3`. */
const hiddenMin = 8;

/** Without the parts of the address that may be a key, should the error repeat them. */
function hideAddress(text: string, url: string): string {
  const { pathname, searchParams, username, password } = new URL(url);
  const parts = [...pathname.split('/'), ...searchParams.values(), username, password];
  return parts
    .flatMap((part) => [part, decoded(part)])
    .filter(({ length }) => length >= hiddenMin)
    .reduce((left, part) => left.replaceAll(part, '[hidden]'), text);
}
