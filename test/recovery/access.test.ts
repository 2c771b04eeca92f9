// Goal: what a login may do besides trading survives a kill: sessions and their ends, play money,
// codes, bindings and claims of referral. Method: visitors of the real program log in, claim, bind,
// trade and end sessions at the same time; it is killed with SIGKILL after a drawn number of
// answers, with requests on their way. After the restart each visitor compares what was
// acknowledged with what is there, and the money adds up.

import { expect, test } from 'vitest';
import { ApiError } from '../../src/client/apiError.ts';
import type { Client } from '../../src/client/client.ts';
import { createClient } from '../../src/client/createClient.ts';
import { createPrng } from '../../src/std/prng.ts';
import { ofHistory } from '../fixtures/ofHistory.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { createWallet, type Wallet } from '../identity/wallet.ts';

const kills = 5;
/** As many as one address may give play money (NAT-8). */
const visitorsAtOnce = 5;
const answersMax = 60;
const symbol = 'BTCUSDT';
const flags = [...quietFlags, '--faucet', '10000', '--rate-limit-scale', '1000'];

/** What has become of a request: sent, and perhaps answered. */
type Fate = 'none' | 'sent' | 'done';

type Visitor = {
  readonly name: string;
  readonly wallet: Wallet;
  /** Each token, and whether its session was ended. */
  readonly tokens: Map<string, Fate>;
  readonly fates: Record<'faucet' | 'code' | 'bind' | 'trade', Fate>;
  /** In millionths: claims that were answered, and whether one was not. */
  claimed: bigint;
  claimLost: boolean;
};

const nativeOf = ({ http }: RunningServer, token?: string): Client['native'] =>
  createClient({ baseUrl: http, ...(token === undefined ? {} : { token }) }).native;

async function login(server: RunningServer, { wallet, tokens }: Visitor): Promise<string> {
  const native = nativeOf(server);
  const { address } = wallet;
  const { nonce, timestamp } = await native.getLoginNonce({ address });
  const signature = await wallet.sign({ chainId: 43113, address, nonce, timestamp });
  const { token } = await native.login({ address, nonce, timestamp, signature });
  tokens.set(token, 'none');
  return token;
}

const millionths = (text: string): bigint => {
  const [whole = '0', part = ''] = text.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0'));
};

/** Everything that a visitor does, until the server ends; `onAnswer` hears of each answer. */
async function live(
  server: RunningServer,
  visitor: Visitor,
  { code, onAnswer }: { readonly code: string; readonly onAnswer: () => void },
): Promise<void> {
  const { fates, tokens } = visitor;
  const once = async (name: keyof Visitor['fates'], ask: () => Promise<unknown>): Promise<void> => {
    if (fates[name] === 'done') return;
    fates[name] = 'sent';
    try {
      await ask();
      fates[name] = 'done';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // What is refused has changed nothing; the code of another visitor may come later.
      fates[name] = 'none';
    }
    onAnswer();
  };
  for (;;) {
    const token = await login(server, visitor);
    onAnswer();
    const native = nativeOf(server, token);
    await once('faucet', () => native.claimFaucet());
    await once('code', () => native.setReferralCode({ code: visitor.name }));
    await once('bind', () => native.bindReferral({ code }));
    const buy = { symbol, side: 'BUY', type: 'MARKET', quantity: '0.01' } as const;
    // An account that has traded is not bound any more.
    if (fates.bind === 'done') await once('trade', () => native.placeNativeOrder(buy));
    visitor.claimLost = true;
    await native.claimReferral().then(
      ({ amount }) => {
        visitor.claimed += millionths(amount);
      },
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        expect(error.code).toBe('REFERRAL_NOTHING_TO_CLAIM');
      },
    );
    visitor.claimLost = false;
    onAnswer();
    const others = [...tokens.keys()].filter((each) => each !== token);
    for (const other of others) if (tokens.get(other) === 'none') tokens.set(other, 'sent');
    await native.endOtherSessions();
    for (const other of others) tokens.set(other, 'done');
    onAnswer();
  }
}

/** A connection that the kill cut is no failure of the visitor. */
const endedByKill = (error: unknown): void => {
  if (!(error instanceof TypeError)) throw error;
};

async function check(server: RunningServer, visitor: Visitor): Promise<void> {
  const { name, tokens, fates } = visitor;
  for (const [token, fate] of tokens) {
    const answer = await nativeOf(server, token)
      .listSessions()
      .then(
        () => 'open',
        ({ code }: ApiError) => code,
      );
    if (fate === 'none') expect(answer, `${name}: a session is gone`).toBe('open');
    if (fate === 'done') expect(answer, `${name}: an ended session is back`).toBe('INVALID_TOKEN');
  }
  const native = nativeOf(server, await login(server, visitor));
  const { code, bound_code, claimed } = await ofHistory(() => native.getReferral());
  const deposits = await ofHistory(() => native.listDeposits());
  const isDone = (fate: Fate, found: boolean, what: string): void => {
    if (fate === 'done') expect(found, `${name}: ${what} is gone`).toBe(true);
    if (fate === 'none') expect(found, `${name}: ${what} was never asked for`).toBe(false);
  };
  isDone(fates.faucet, deposits.length > 0, 'play money');
  expect(deposits.length, `${name}: paid once`).toBeLessThanOrEqual(1);
  isDone(fates.code, code === name, 'the code');
  isDone(fates.bind, bound_code !== null, 'the binding');
  isDone(fates.trade, (await native.listPositions()).length > 0, 'the position');
  if (visitor.claimLost) expect(millionths(claimed)).toBeGreaterThanOrEqual(visitor.claimed);
  else expect(millionths(claimed), `${name}: claims`).toBe(visitor.claimed);
}

async function prepare(server: RunningServer): Promise<void> {
  const { operator } = server;
  await operator.setIndexPrice({ symbol, price: '100000' });
  const maker = newVisitor('MAKER', 0xdead);
  const { address } = maker.wallet;
  await operator.creditAccount({ address, amount: '1000000', reference: 'maker' });
  const native = nativeOf(server, await login(server, maker));
  await native.setReferralCode({ code: 'MAKER' }).catch(() => {});
  const sell = { symbol, side: 'SELL', type: 'LIMIT', price: '100000', quantity: '1' } as const;
  await native.placeNativeOrder(sell);
}

const newVisitor = (name: string, seed: number): Visitor => ({
  name,
  wallet: createWallet(seed),
  tokens: new Map(),
  fates: { faucet: 'none', code: 'none', bind: 'none', trade: 'none' },
  claimed: 0n,
  claimLost: false,
});

test(`AUTH-11 NAT-8 NAT-4 after ${kills} kills every acknowledged session, end, claim and binding is there`, async () => {
  using directory = createTemporaryDirectory();
  const prng = createPrng(20_261_123);
  let server = await startServer({ data: directory.path, flags });
  const visitors: Visitor[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await prepare(server);
    const wanted = 1 + prng.below(answersMax);
    let answers = 0;
    const present = Array.from({ length: visitorsAtOnce }, (_, place) =>
      newVisitor(`V${kill}N${place}`, 0xc0de00 + kill * visitorsAtOnce + place),
    );
    const enough = Promise.withResolvers<void>();
    const onAnswer = (): void => {
      answers += 1;
      if (answers >= wanted) enough.resolve();
    };
    // The first is bound to the maker, each further one to the one before it.
    const busy = present.map((visitor, place) =>
      live(server, visitor, { code: present[place - 1]?.name ?? 'MAKER', onAnswer }).catch(
        endedByKill,
      ),
    );
    await Promise.race([enough.promise, ...busy]);
    await server.kill();
    await Promise.all(busy);
    visitors.push(...present);
    server = await startServer({ data: directory.path, flags });
    for (const visitor of present) await check(server, visitor);
    expect(await server.operator.getInvariants()).toMatchObject({ ok: true, failures: [] });
  }
  const done = (name: keyof Visitor['fates']): number =>
    visitors.filter(({ fates }) => fates[name] === 'done').length;
  for (const name of ['faucet', 'code', 'bind', 'trade'] as const) {
    expect(done(name), name).toBeGreaterThan(kills);
  }
  const ended = visitors.flatMap(({ tokens }) => [...tokens.values()]);
  expect(ended.filter((fate) => fate === 'done').length).toBeGreaterThan(0);
  expect(visitors.some(({ claimed }) => claimed > 0n)).toBe(true);
  expect(await server.stop()).toBe(0);
});
