// Goal: what risk adds to an exchange survives its death. Method: the program runs as its users
// run it, an operator types its subcommands, accounts trade until some are liquidated, deleveraged,
// paid out and funded, while triggers wait and a delivery is scheduled; then SIGKILL. What every
// account, the public and the operator are shown must afterwards be the same to the letter, what
// waits must still happen, and a delivery that came in the meantime must be settled.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import { runEvermark } from '../fixtures/runEvermark.ts';
import { setPrice } from '../fixtures/setPrice.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { expectReplayed } from './expectReplayed.ts';
import { createRiskAccount, publicSees, type RiskAccount } from './riskAccount.ts';

const flags = [...quietFlags, '--log-level', 'warn'];
const btc = { symbol: 'BTCUSDT' } as const;
const minuteMs = 60_000;

const feeTiers = [
  { min_volume: '0', maker_discount: '0', taker_discount: '0' },
  { min_volume: '1000000', maker_discount: '0.1', taker_discount: '0.2' },
];

/** Of the accounts, what each is there for. */
const roles = {
  maker: { seed: 0xb001, usdt: '200000' },
  liquidated: { seed: 0xb002, usdt: '1500' },
  bankrupt: { seed: 0xb003, usdt: '1500' },
  waiting: { seed: 0xb004, usdt: '10000' },
  isolated: { seed: 0xb005, usdt: '5000' },
} as const;

type World = {
  server: RunningServer;
  readonly accounts: Readonly<Record<keyof typeof roles, RiskAccount>>;
};

/** Types a subcommand, which must be answered. */
async function type({ server }: World, ...words: string[]): Promise<never> {
  const { code, answer, errors } = await runEvermark(server, words);
  expect(code, `evermark ${words.join(' ')}: ${errors}`).toBe(0);
  return answer as never;
}

async function moveIndex({ server }: World, symbol: string, price: number): Promise<void> {
  await setPrice(server.operator, { symbol, price: String(price) });
}

async function setPrices(world: World, bitcoin: number): Promise<void> {
  await moveIndex(world, 'BTCUSDT', bitcoin);
  await moveIndex(world, 'ETHUSDT', 4000);
  await moveIndex(world, 'AVAXUSDT', 20);
}

function connect(world: World, server: RunningServer, clockAheadMs = 0): void {
  world.server = server;
  for (const account of Object.values(world.accounts)) account.connect(server, clockAheadMs);
}

async function sees({ server, accounts }: World): Promise<unknown> {
  const seen: Record<string, unknown> = {
    everybody: await publicSees(server, accounts.maker.client()),
  };
  for (const [role, account] of Object.entries(accounts)) seen[role] = await account.sees();
  return seen;
}

async function trade(
  { accounts: { maker } }: World,
  taker: RiskAccount,
  order: {
    readonly symbol: string;
    readonly side: 'BUY' | 'SELL';
    readonly quantity: string;
    readonly price: string;
  },
): Promise<void> {
  const side = order.side === 'BUY' ? 'SELL' : 'BUY';
  await maker.place({ ...order, side, type: 'LIMIT' });
  expect(await taker.place({ ...order, type: 'LIMIT' })).toMatchObject({ status: 'FILLED' });
}

/** A start over the same files; it must come back with the state of their replay. */
async function restart(world: World, data: string, clockAheadMs = 0): Promise<void> {
  const replayed = verifyDirectory(findDataDirectory(data));
  expect(replayed.invariants.failures).toEqual([]);
  expect(replayed.snapshots.filter(({ ok }) => !ok)).toEqual([]);
  connect(world, await startServer({ data, flags, clockAheadMs }), clockAheadMs);
  if (clockAheadMs > 0) return;
  const position = await expectReplayed(world.server, data);
  expect(position).toBeGreaterThanOrEqual(replayed.position);
}

async function open(data: string): Promise<World> {
  const made = Object.entries(roles).map(([role, { seed }]) => [role, createRiskAccount(seed)]);
  const accounts = Object.fromEntries(made) as World['accounts'];
  const world: World = { server: await startServer({ data, flags }), accounts };
  connect(world, world.server);
  // The share is booked by the clock of the machine (LIQ-8), also between two looks at the state.
  for (const symbol of ['BTCUSDT', 'ETHUSDT', 'AVAXUSDT']) {
    await world.server.operator.changeMarket({ symbol, fund_fee_share: '0' });
  }
  await setPrices(world, 100_000);
  for (const [role, { usdt }] of Object.entries(roles)) {
    const account = accounts[role as keyof typeof roles];
    await account.login();
    await world.server.operator.creditAccount({
      address: account.address,
      amount: usdt,
      reference: role,
    });
  }
  return world;
}

/** One is liquidated through the book, one is deleveraged; the maker is on the other side. */
async function ruinTwo(world: World): Promise<void> {
  const { maker, liquidated, bankrupt } = world.accounts;
  for (const account of [liquidated, bankrupt]) {
    await account.client().fapi.setLeverage({ ...btc, leverage: 50 } as never);
  }
  const long = { ...btc, side: 'BUY', quantity: '0.5', price: '100000' } as const;
  await trade(world, liquidated, long);
  await maker.place({ ...btc, side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '97920' });
  await moveIndex(world, 'BTCUSDT', 97_900);
  expect(await liquidated.wallet()).toBe('190.2');
  await moveIndex(world, 'BTCUSDT', 100_000);
  await trade(world, bankrupt, long);
  await moveIndex(world, 'BTCUSDT', 96_500);
  expect(await bankrupt.wallet()).toBe('0');
  await moveIndex(world, 'BTCUSDT', 100_000);
}

type Waiting = { readonly order: string; readonly algo: string; readonly trailing: string };

/** Triggers of both routes that wait, beside one that has fired and one that was cancelled. */
async function leaveTriggers({ accounts: { maker, waiting } }: World): Promise<Waiting> {
  const stop = { ...btc, side: 'BUY', type: 'STOP_MARKET', quantity: '0.01' } as const;
  const order = await waiting.place({ ...stop, stopPrice: '101000' });
  const algo = await waiting.placeAlgo({ ...stop, triggerPrice: '101000', clientAlgoId: 'mine' });
  const trailing = await waiting.placeAlgo({
    ...{ ...stop, side: 'SELL', type: 'TRAILING_STOP_MARKET' },
    ...{ callbackRate: '1', activatePrice: '102000' },
  });
  const gone = await waiting.placeAlgo({ ...stop, triggerPrice: '105000' });
  await waiting.client().fapi.cancelAlgoOrder({ algoId: gone.algoId } as never);
  const dated = { timeInForce: 'GTD', goodTillDate: Date.now() + 700_000 };
  await waiting.placeAlgo({ ...stop, triggerPrice: '120000', ...dated });
  await maker.place({ ...btc, side: 'SELL', type: 'LIMIT', quantity: '0.5', price: '101900' });
  const ids = { order: order.orderId, algo: algo.algoId, trailing: trailing.algoId };
  return ids as Waiting;
}

/** Three withdrawals: one paid out, one given back, one that waits; gives the last one's id. */
async function withdraw(world: World): Promise<string> {
  const { waiting } = world.accounts;
  const ids: string[] = [];
  for (const amount of ['100', '200', '300']) {
    ids.push((await waiting.client().native.requestWithdrawal({ amount })).id);
  }
  expect(await type(world, 'withdrawals')).toHaveLength(3);
  const [completed, released, pending] = ids as [string, string, string];
  const [first, second] = await Promise.all([
    type(world, 'withdrawals', 'complete', completed),
    type(world, 'withdrawals', 'release', released),
  ]);
  expect([first, second]).toMatchObject([{ status: 'completed' }, { status: 'released' }]);
  return pending;
}

test('LIQ-4 TRG-2 FUND-2 NAT-3 SYM-2: the state of risk survives SIGKILL and continues', async () => {
  using directory = createTemporaryDirectory();
  const data = directory.path;
  const world = await open(data);
  const { maker, waiting, isolated } = world.accounts;
  await ruinTwo(world);
  const { operator } = world.server;
  await operator.takeSnapshot();
  await operator.changeAccount({ address: maker.address, house: true } as never);
  const tiers = join(data, 'tiers.json');
  writeFileSync(tiers, JSON.stringify(feeTiers));
  await Promise.all([
    expect(type(world, 'fees', tiers)).resolves.toEqual({ tiers: feeTiers }),
    type(world, 'fund', 'credit', '5000', 'first'),
    type(world, 'credit', waiting.address, '12.5', 'bonus'),
  ]);
  await type(world, 'accounts', waiting.address, '--fee-tier', '1');

  await trade(world, waiting, { symbol: 'AVAXUSDT', side: 'BUY', quantity: '50', price: '20' });
  // 1 % for the seconds that have passed of eight hours (FUND-1c).
  const { funding_rate } = (await type(world, 'funding', 'AVAXUSDT')) as { funding_rate: string };
  expect(funding_rate).toMatch(/^0\.0000\d*[1-9]\d*$/);
  // From here both sides count alike, so that a boundary in the meantime moves no money.
  await operator.changeAccount({ address: maker.address, house: false } as never);
  await isolated.client().native.setMarginMode({ mode: 'isolated' } as never);
  await trade(world, isolated, { ...btc, side: 'SELL', quantity: '0.02', price: '100000' });
  await isolated.client().native.transferCollateral({ ...btc, delta: '50' } as never);
  const pending = await withdraw(world);
  const ids = await leaveTriggers(world);
  await trade(world, waiting, { symbol: 'ETHUSDT', side: 'BUY', quantity: '1', price: '3990' });
  const delivery = Math.ceil((Date.now() + 40_000) / minuteMs) * minuteMs;
  const closed = ['status=CLOSE', `delivery_time=${delivery}`];
  await type(world, 'markets', 'change', 'ETHUSDT', ...closed);

  const before = await sees(world);
  await world.server.kill();
  await restart(world, data);
  expect(await sees(world)).toEqual(before);

  await setPrices(world, 100_000);
  await moveIndex(world, 'BTCUSDT', 101_500);
  const { fapi } = waiting.client();
  const fired = await fapi.getOrder({ ...btc, orderId: ids.order } as never);
  expect(fired).toMatchObject({ status: 'FILLED', avgPrice: '101900', origType: 'STOP_MARKET' });
  const algo = await fapi.getAlgoOrder({ clientAlgoId: 'mine' } as never);
  expect(algo).toMatchObject({ algoId: ids.algo, algoStatus: 'FINISHED', actualQty: '0.010' });
  await moveIndex(world, 'BTCUSDT', 102_500);
  await type(world, 'withdrawals', 'release', pending);
  const wallet = await waiting.wallet();
  const again = await sees(world);
  await world.server.kill();

  // The machine is off until the delivery time has passed.
  const ahead = Math.max(0, delivery - Date.now()) + 1000;
  await restart(world, data, ahead);
  expect(await sees(world)).toEqual(again);
  await setPrices(world, 102_500);
  const positions = await waiting.client().native.listPositions();
  expect(positions.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'AVAXUSDT']);
  // Bought at 3990, delivered at the index: 4000 whenever there was one.
  expect(Number(await waiting.wallet())).toBeCloseTo(Number(wallet) + 10, 6);
  const order = { symbol: 'ETHUSDT', side: 'SELL', type: 'LIMIT', quantity: '1', price: '4000' };
  await expect(waiting.place(order)).rejects.toMatchObject({ code: -2010 });
  // The trailing stop still knows how far the price has been.
  await maker.place({ ...btc, side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '100000' });
  await moveIndex(world, 'BTCUSDT', 101_400);
  const stopped = waiting.client().fapi.getAlgoOrder({ algoId: ids.trailing } as never);
  expect(await stopped).toMatchObject({ algoStatus: 'FINISHED', triggerPrice: '101475.0' });
  expect(await type(world, 'invariants')).toMatchObject({ ok: true });
  expect(await world.server.stop()).toBe(0);
  expect(world.server.errors()).not.toContain('fault');
});
