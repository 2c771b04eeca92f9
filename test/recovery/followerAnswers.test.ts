// Goal: a process that follows gives the answers of the process that writes, and what is made or
// ended at one of them is so at the other from the moment of its answer. Method: two programs over
// one log get the same sixty kinds of requests as bytes. Each has a trader of its own, so both see
// the same sequence. Before answers are compared, times, ids and names that must differ are
// replaced, and the used weights: each process counts them up to a stated rest (AUTH-7). A window
// of ten seconds may end between two answers.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createClient } from '../../src/client/createClient.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import {
  type Ask,
  type Asker,
  asks,
  order,
  path,
  signed,
  succeeding,
  textOf,
  unread,
} from '../gateway/workers/answerRequests.ts';
import { exchangeOnce, openLine } from '../gateway/workers/rawExchange.ts';
import { createWallet } from '../identity/wallet.ts';
import { makeDatabase, sharedServer } from '../log/postgres/openServers.ts';

const flags = [...quietFlags, '--replicated-storage'];
/** For what takes a few seconds on an idle machine. */
const patience = { timeout: 600_000 };

type Side = Asker & { readonly server: RunningServer; readonly disabledId: string };

let sides: readonly [Side, Side];
const servers: RunningServer[] = [];
const directories = [createTemporaryDirectory(), createTemporaryDirectory()] as const;

async function openSide(server: RunningServer, wallet: number): Promise<Side> {
  const { address, sign } = createWallet(wallet);
  const { native } = createClient({ baseUrl: server.http });
  const { nonce, timestamp } = await native.getLoginNonce({ address });
  const signature = await sign({ chainId: 43113, address, nonce, timestamp });
  const { token } = await native.login({ address, nonce, timestamp, signature });
  const [holder] = servers;
  await holder!.operator.creditAccount({ address, amount: '100000', reference: address });
  const signedIn = createClient({ baseUrl: server.http, token }).native;
  const made = [];
  for (const label of ['trader', 'disabled', 'confined']) {
    made.push(await signedIn.createApiKey({ label }));
  }
  const [trader, disabled, confined] = made.map((key) => ({
    apiKey: key.api_key,
    secret: key.secret_key,
  }));
  return {
    ...{ server, token, now: Date.now, disabledId: String(made[1]!.id) },
    ...{ trader: trader!, disabled: disabled!, confined: confined! },
  };
}

beforeAll(async () => {
  const url = await makeDatabase(sharedServer);
  const environment = { EVERMARK_CLUSTER_URL: url, EVERMARK_MASTER_KEY: '5a'.repeat(32) };
  const [first, second] = directories;
  const holder = await startServer({ data: first.path, flags, environment });
  servers.push(holder);
  await holder.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '51000' });
  await holder.operator.setIndexPrice({ symbol: 'ETHUSDT', price: '4000' });
  const follower = await startServer({ data: second.path, flags, environment, until: 'follows' });
  servers.push(follower);
  sides = [await openSide(holder, 0xa11), await openSide(follower, 0xa12)];
});

afterAll(async () => {
  for (const server of servers) await server.kill();
  for (const directory of directories) directory[Symbol.dispose]();
});

async function askBoth(ask: Ask): Promise<string[]> {
  const answers: string[] = [];
  for (const side of sides) {
    answers.push(await exchangeOnce(side.server.port, textOf(side, ask)));
  }
  return answers;
}

/** What is replaced has the same length at both, so the length of an answer is compared, too. */
function comparable(answer: string): string {
  return answer
    .replace(/(x-mbx-used-weight[^:]*): \d+/gi, '$1: used')
    .replace(/(x-mbx-order-count-10s): \d+/gi, '$1: used')
    .replace(/\b1[789]\d{11}\b/g, 'time')
    .replace(/"timestamp":\d+/g, '"timestamp":time')
    .replace(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/("(?:orderId|order_id|id)":"?)[\da-f-]+/g, '$1id')
    .replace(/("(?:clientOrderId|client_order_id)":")(?!mine|a:b)[^"]+/g, '$1name')
    .replace(/("listenKey":")[^"]+/g, '$1key');
}

test.each(Object.entries(asks))('%s', async (name, ask) => {
  const [written, followed] = await askBoth(ask);
  expect(written).toMatch(/^HTTP\/1\.[01] \d{3} /);
  if (succeeding.has(name)) expect(written).toMatch(/^HTTP\/1\.[01] 20[01] /);
  if (name === 'health') {
    // Meant: this answer is about one process (OPS-3).
    expect(written).toContain('"role":"sequencer"');
    expect(followed).toContain('"role":"follower"');
    return;
  }
  expect(comparable(followed!)).toBe(comparable(written!));
});

test.each(Object.entries(unread))('%s', async (_name, ask) => {
  const [written, followed] = (await askBoth(ask)).map(comparable);
  expect(written).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(followed).toBe(written);
});

/** The first answer with status 429 to orders that come at once. */
async function refusedBeyondLimit(side: Side): Promise<string> {
  const line = await openLine(side.server.port);
  const ask = signed('POST', path, order);
  // A machine on which sixty orders take longer than their window tries again.
  for (;;) {
    const sent = Array.from({ length: 60 }, () => textOf(side, ask));
    line.send(sent.join(''));
    const answers: string[] = [];
    for (const _ of sent) answers.push(await line.next());
    const refused = answers.find((text) => text.startsWith('HTTP/1.1 429'));
    if (refused === undefined) continue;
    line.socket.destroy();
    return refused;
  }
}

test('AUTH-7 orders beyond a limit', async () => {
  const refused: string[] = [];
  for (const side of sides) refused.push(await refusedBeyondLimit(side));
  const [written, followed] = refused.map((text) =>
    comparable(text)
      .replace(/(Retry-After|X-MBX-ORDER-COUNT-\d+[SM]): \d+/gi, '$1: number')
      .replace(/Content-Length: \d+/, ''),
  );
  expect(followed).toBe(written);
});

const firstAnswer = (side: Side, ask: Ask): Promise<string> =>
  exchangeOnce(side.server.port, textOf(side, ask));

/** No time is given: the first request that begins after the answer is refused. */
test.each([
  [0, 1],
  [1, 0],
] as const)(
  'AUTH-2 a key that is disabled at process %s is refused by process %s at once',
  async (here, there) => {
    const owner = sides[here];
    const { native } = createClient({ baseUrl: owner.server.http, token: owner.token });
    const ask = signed('GET', '/fapi/v2/balance', {}, { by: () => owner.disabled });
    const id = owner.disabledId;
    for (let time = 0; time < 5; time += 1) {
      expect(await firstAnswer(sides[there], ask)).toMatch(/^HTTP\/1\.1 200 /);
      await native.updateApiKey({ id, status: 'disabled' });
      const refused = [await firstAnswer(sides[there], ask), await firstAnswer(owner, ask)];
      expect(refused[0]).toMatch(/^HTTP\/1\.1 401 /);
      expect(comparable(refused[0]!)).toBe(comparable(refused[1]!));
      await native.updateApiKey({ id, status: 'active' });
    }
    await native.deleteApiKey({ id });
    expect(await firstAnswer(sides[there], ask)).toContain('"code":-2015');
  },
);

type Levels = readonly (readonly [string, string])[];
type Update = { readonly U: number; readonly u: number; readonly pu: number; readonly b: Levels };
type Depth = { readonly lastUpdateId: number; readonly bids: Levels };

const depthAt = ({ server }: Side): Promise<Depth> =>
  fetch(`${server.http}/fapi/v1/depth?symbol=ETHUSDT&limit=1000`).then(
    (answer) => answer.json() as Promise<Depth>,
  );

test.each([
  [0, 1],
  [1, 0],
] as const)(
  'WS-3 the depth of process %s by REST joins the stream of process %s',
  async (here, there) => {
    const [rest, streamed] = [sides[here], sides[there]];
    const { apiKey, secret: secretKey } = rest.confined;
    const { fapi } = createClient({ baseUrl: rest.server.http, apiKey, secretKey });
    const bid = (price: number) =>
      fapi.placeOrder({
        ...{ symbol: 'ETHUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' },
        ...{ quantity: '0.01', price: String(price) },
      } as never) as Promise<{ readonly orderId: string }>;
    const got: Update[] = [];
    const socket = new WebSocket(`ws://127.0.0.1:${streamed.server.port}/ws/ethusdt@depth@100ms`);
    socket.on('message', (data) => void got.push(JSON.parse(String(data)) as Update));
    await new Promise((resolve) => socket.once('open', resolve));
    const until = async ({ lastUpdateId }: Depth): Promise<void> => {
      await expect.poll(() => got.at(-1)?.u ?? 0, patience).toBeGreaterThanOrEqual(lastUpdateId);
    };
    const { orderId } = await bid(3900 + here);
    await until(await depthAt(rest));
    await bid(3910 + here);
    const snapshot = await depthAt(rest);
    await fapi.cancelOrder({ symbol: 'ETHUSDT', orderId } as never);
    await bid(3920 + here);
    const last = await depthAt(rest);
    await until(last);
    socket.terminate();
    const joined = got.filter(({ u }) => u > snapshot.lastUpdateId);
    expect(joined.length).toBeGreaterThan(0);
    expect(joined[0]!.pu).toBeLessThanOrEqual(snapshot.lastUpdateId);
    expect(joined.slice(1).map(({ pu }) => pu)).toEqual(joined.slice(0, -1).map(({ u }) => u));
    expect(joined.at(-1)!.u).toBe(last.lastUpdateId);
    const levels = new Map<string, string>(snapshot.bids);
    for (const [price, lots] of joined.flatMap(({ b }) => b)) levels.set(price, lots);
    const rested = [...levels].filter(([, lots]) => Number(lots) > 0);
    expect(new Map(rested)).toEqual(new Map(last.bids));
  },
);
