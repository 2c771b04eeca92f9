// A whole exchange in memory for the target of HTTP, in which even the secrets are a function of
// the seed. It sends one request as it would arrive and reports what is wrong with the answer.

import type { InjectOptions } from 'light-my-request';
import { operations, publicOperations } from '../src/api/operations.ts';
import { ApiError } from '../src/client/apiError.ts';
import { createPrng } from '../src/std/prng.ts';
import { openStage, type Stage } from '../test/api/badInputStage.ts';
import { type BareExchange, openBareExchange } from '../test/fixtures/bareExchange.ts';
import { createDocumentCheck } from '../test/fixtures/documented.ts';
import { createMemorySecretStore } from '../test/gateway/memorySecretStore.ts';

/** One whole request: nothing is added on its way. */
export type Wire = {
  readonly listener: 'public' | 'operator';
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
};

export type Answer = {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
};

/** The expected result of a request. */
export type Verdict = 'refused' | 'either';

export type HttpStage = {
  readonly stage: Stage;
  readonly world: BareExchange;
  /** The key of another account. */
  readonly foreignKey: { readonly apiKey: string; readonly secretKey: string };
  /** Remembers the present state. The next request must leave it unchanged if it is refused. */
  readonly look: () => void;
  /** Sends it; throws when the answer breaks a promise. */
  readonly send: (wire: Wire, verdict: Verdict) => Promise<Answer>;
  /** Advances the clock, states the price again and checks the key; false when the key is gone. */
  readonly pass: (milliseconds: number) => Promise<boolean>;
  readonly close: () => Promise<void>;
};

/** Longer than any answer takes; a request without an answer ends the run. */
const patienceMs = 60_000;

/** Each listener is compared with its own rows. */
const checks = {
  public: createDocumentCheck(publicOperations),
  operator: createDocumentCheck(operations.filter(({ surface }) => surface === 'operator')),
};
/** The pages of documentation are long and constant, so they are checked once. */
const longTexts = new Set<string>();
const longTextMin = 50_000;

export async function openHttpStage(seed: number): Promise<HttpStage> {
  const prng = createPrng(seed);
  const randomBytes = (size: number): Buffer =>
    Buffer.from(Array.from({ length: size }, () => prng.below(256)));
  const world = await openBareExchange({
    operatorToken: randomBytes(24).toString('hex'),
    version: '0.0.0-fuzz',
    randomBytes,
    secretStore: createMemorySecretStore(randomBytes),
    onListener: () => {},
  });
  const stage = await openStage(world);
  const bob = await world.login(2);
  const { api_key: apiKey, secret_key: secretKey } = await bob.client.native.createApiKey();
  const secrets = [world.operatorToken, stage.alice.secretKey, secretKey];
  let hash = '';
  return {
    stage,
    world,
    foreignKey: { apiKey, secretKey },
    look: () => {
      hash = world.stateHash();
    },
    send: async (wire, verdict) => {
      const before = hash;
      const answer = await ask(world, wire);
      hash = world.stateHash();
      const wrong =
        undocumented(wire, answer) ??
        wrongWith(answer, verdict, hash !== before) ??
        secrets.find((secret) => answer.text.includes(secret)) ??
        faultOf(world);
      if (wrong !== undefined) throw new Error(`${wrong}\n  the request: ${described(wire)}`);
      return answer;
    },
    pass: async (milliseconds) => {
      world.clock.advance(milliseconds);
      const { operator } = world.client({ operatorToken: world.operatorToken });
      await operator.setIndexPrice({ symbol: 'BTCUSDT', price: '50000' });
      // Valid requests may limit the key so that it allows no further tries, or end the session.
      const { alice, keyId: id } = stage;
      const keys = await alice.native.listApiKeys().catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 401) return [];
        throw error;
      });
      const key = keys.find((each) => each.id === id);
      if (key === undefined) return false;
      if (key.ip_whitelist === '' && key.status === 'active') return true;
      await alice.native.updateApiKey({ id, ip_whitelist: '', status: 'active' });
      return true;
    },
    close: world.close,
  };
}

/** The test port of the listener spells targets like a URL; the answer to HEAD has no body. */
function undocumented({ listener, method, url }: Wire, answer: Answer): string | undefined {
  const { pathname, search } = new URL(`http://localhost${url}`);
  const seen = { ...answer, method, url: pathname + search };
  if (method !== 'HEAD') {
    if (longTexts.has(answer.text)) return undefined;
    if (answer.text.length >= longTextMin) longTexts.add(answer.text);
    return checks[listener](seen);
  }
  // HEAD is answered wherever GET is, with its status (CON-4).
  const statuses = [200, 400, 401, 403, 404, ...(listener === 'operator' ? [] : [429, 503])];
  return statuses.includes(answer.status) ? undefined : `HEAD is answered ${answer.status}`;
}

async function ask(world: BareExchange, wire: Wire): Promise<Answer> {
  const app = wire.listener === 'operator' ? world.operatorApp : world.app;
  let patience: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    patience = setTimeout(() => reject(new Error(`no answer to ${described(wire)}`)), patienceMs);
  });
  const response = app.inject({
    method: wire.method as NonNullable<InjectOptions['method']>,
    url: wire.url,
    headers: wire.headers,
    ...(wire.body === undefined ? {} : { payload: wire.body }),
  });
  try {
    const { statusCode: status, payload: text, headers } = await Promise.race([response, late]);
    return { status, text, contentType: String(headers['content-type'] ?? '') };
  } finally {
    clearTimeout(patience);
  }
}

/** The only documented status beyond 499: a market that is closed or has no price (AUTH-6). */
const unavailable = 503;

function wrongWith({ status, text }: Answer, verdict: Verdict, changed: boolean) {
  if (status >= 500 && status !== unavailable) return `answered ${status} ${text}`;
  if (status < 400) return verdict === 'refused' ? `let in: ${status} ${text}` : undefined;
  return changed ? `changed the state, answering ${status} ${text}` : undefined;
}

function faultOf({ faults }: BareExchange): string | undefined {
  const [fault] = faults;
  if (fault !== undefined) return `a fault: ${fault instanceof Error ? fault.stack : fault}`;
  const polluted = Object.keys(Object.prototype);
  return polluted.length === 0 ? undefined : `the prototype of objects has ${polluted}`;
}

const described = ({ listener, method, url, headers, body }: Wire): string =>
  `${listener} ${method} ${url} ${JSON.stringify(headers)} ${
    body === undefined ? '' : JSON.stringify(body.toString('latin1' as never).slice(0, 4000))
  }`;
