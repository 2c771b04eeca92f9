// One client's connection to the exchange: it signs like stock clients (in the query, in a form, as
// JSON beside a signed query), or sends a token, and writes every request and answer into the
// diary.

import { createHmac } from 'node:crypto';
import type { Prng } from '../../../src/std/prng.ts';
import type { Seen } from '../oracles/timelines.ts';
import type { ClientKey, ClientWorld, Reply, Request } from '../ports.ts';
import { type Diary, noteAsked, noteSeen } from './diary.ts';

/** By name; undefined is not sent. */
export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

export type Ask = {
  /** The name in counts and reports. */
  readonly name: string;
  readonly method: Request['method'];
  readonly path: string;
  readonly parameters?: Parameters;
  /** Signed with the key by default; `keyOnly` sends only the key. */
  readonly credential?: 'signed' | 'keyOnly' | 'public' | 'token';
  readonly idempotencyKey?: string;
  /** The network never doubles it. */
  readonly single?: boolean;
  /** Only a refusal may answer it. */
  readonly mustFail?: boolean;
  /** What the answer shows: lists of values that were true at one moment. */
  readonly seen?: (received: Received) => readonly (readonly Seen[])[];
};

// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is for its reader to know.
export type Body = any;

export type Received = { readonly status: number; readonly ok: boolean; readonly body: Body };

export type Caller = {
  readonly key: ClientKey;
  /** Calls `then` with undefined when no answer came. */
  readonly ask: (asked: Ask, then?: (received: Received | undefined) => void) => void;
  /** Sends an earlier request once more, byte for byte, and records nothing. */
  readonly replay: (request: Request) => void;
  /** The last request that was sent. */
  readonly last: () => Request | undefined;
};

export type CallerParts = {
  readonly world: ClientWorld;
  readonly diary: Diary;
  readonly key: ClientKey;
  readonly prng: Prng;
  readonly address: string;
};

export function createCaller(parts: CallerParts): Caller {
  const { world, diary, key } = parts;
  let last: Request | undefined;
  return {
    key,
    ask: (asked, then) => {
      const request = requestOf(parts, asked);
      last = request;
      world.count(asked.name);
      const floor = noteAsked(diary);
      world.network.send(request, (reply) => {
        const received = readReply(reply);
        world.count(
          `${asked.name} ${received === undefined ? 'unknown' : received.ok ? 'done' : 'refused'}`,
        );
        if (received !== undefined) {
          const what = `account ${key.account} by ${asked.name}`;
          checkAnswer(diary, asked, { received, what });
          for (const seen of asked.seen?.(received) ?? []) noteSeen(diary, floor, what, seen);
        }
        then?.(received);
      });
    },
    replay: (request) => world.network.send(request, () => {}),
    last: () => last,
  };
}

function readReply(reply: Reply): Received | undefined {
  if (reply.kind === 'unknown') return undefined;
  const { status, text } = reply.answer;
  let body: Body;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status, ok: status >= 200 && status < 300, body };
}

function checkAnswer(
  { wrong }: Diary,
  asked: Ask,
  { received, what }: { readonly received: Received; readonly what: string },
): void {
  const { status, ok, body } = received;
  if (body === undefined && status !== 204)
    wrong.push(`${what} was answered ${status} without JSON`);
  if (ok && asked.mustFail === true) {
    const { method, path, parameters } = asked;
    wrong.push(`${what}: ${method} ${path} ${JSON.stringify(parameters)} was accepted`);
  }
  // FAPI reports an unavailable database as such (HIST-3); natively it looks like any fault of the
  // exchange.
  const excused = body?.msg === 'Database failure.' || body?.error?.code === 'INTERNAL';
  if (status >= 500 && status !== 503 && !excused) {
    wrong.push(`${what} was answered ${status} ${JSON.stringify(body)}`);
  }
}

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

const pairs = (parameters: Parameters, encode: boolean): string =>
  Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encode ? encodeURIComponent(`${value}`) : value}`)
    .join('&');

function requestOf(parts: CallerParts, asked: Ask): Request {
  const { address, key } = parts;
  const { method, path, parameters = {}, credential = 'signed', idempotencyKey, single } = asked;
  const headers: Record<string, string> = {};
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  const sent = { method, address, ...(single === true ? { single } : {}) };
  if (credential === 'signed') {
    headers['x-mbx-apikey'] = key.apiKey;
    return { ...sent, ...signed(parts, asked, headers), headers };
  }
  if (credential === 'keyOnly') headers['x-mbx-apikey'] = key.apiKey;
  if (credential === 'token') headers.authorization = `Bearer ${key.token}`;
  if (method === 'GET' || method === 'DELETE' || credential === 'keyOnly') {
    const query = pairs(parameters, true);
    return { ...sent, headers, path: query === '' ? path : `${path}?${query}`, body: '' };
  }
  headers['content-type'] = 'application/json';
  return { ...sent, headers, path, body: JSON.stringify(parameters) };
}

/** The signed text is the query followed by the body, however the parameters are sent (AUTH-2). */
function signed(
  { world, key, prng }: CallerParts,
  { method, path, parameters = {} }: Ask,
  headers: Record<string, string>,
): Pick<Request, 'path' | 'body'> {
  const timestamp = world.clock.now();
  const draw = prng.below(4);
  if (method === 'GET' || draw < 2) {
    const query = pairs({ ...parameters, recvWindow: 5000, timestamp }, draw !== 0);
    // Raw values may contain characters that an address may not contain; then they are encoded.
    const plain = /^[\w.:/=&-]*$/.test(query) ? query : pairs({ ...parameters, timestamp }, true);
    return { path: `${path}?${plain}&signature=${hmac(key.secret, plain)}`, body: '' };
  }
  if (draw === 2) {
    headers['content-type'] = 'application/x-www-form-urlencoded';
    const form = pairs({ ...parameters, timestamp }, true);
    return { path, body: `${form}&signature=${hmac(key.secret, form)}` };
  }
  headers['content-type'] = 'application/json';
  const body = JSON.stringify(parameters);
  const query = `timestamp=${timestamp}`;
  return { path: `${path}?${query}&signature=${hmac(key.secret, query + body)}`, body };
}
