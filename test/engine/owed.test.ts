// Goal: no command ever meets a balance that cannot be counted, as long as all that is owed
// together stays within its bound (BAL-2a). Method: a few accounts in every margin mode and the
// fund hold, to the unit, as much as may be owed; they trade as large as orders and caps may be,
// prices jump as far as the gate lets anybody's, funding, liquidations and withdrawals carry the
// whole of it from one to the other. A fault is a failure, and so is money that came in beyond the
// bound.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Command, PlaceOrder } from '../../src/engine/command.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { notionalMax, owedMax } from '../../src/engine/limits.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { AccountId, MarketId, Money, Rate, Ticks, Time } from '../../src/units/units.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { riskTerms } from '../fixtures/riskTerms.ts';
import { defaultTerms } from '../scenarios/world.ts';

const seeds = 40;
const commandsPerSeed = 500;
const accounts = 5;
const markets = 3;
const modes = ['cross', 'isolated', 'unified'] as const;
const start = 1_760_000_000_000;

type Giants = {
  readonly exchange: Exchange;
  readonly prng: Prng;
  readonly indexes: number[];
  readonly counts: Map<string, number>;
  references: number;
};

const addressOf = (account: number): string => `0x${String(account).padStart(40, '0')}`;

/** Applies the command; counts its events by kind. */
function apply({ exchange, counts }: Giants, command: Command): string {
  const outcome = applyCommand(exchange, command, 0 as Time);
  for (const { kind } of exchange.events) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  exchange.events = [];
  if (outcome.kind === 'accepted') return 'accepted';
  const { reason } = outcome.rejection;
  counts.set(reason, (counts.get(reason) ?? 0) + 1);
  expect(outcome.rejection).not.toMatchObject({ reason: 'fault' });
  return reason;
}

/** The amount that may still be credited. */
const roomOf = ({ exchange: { funds } }: Giants): number =>
  owedMax - Number(funds.deposits - funds.withdrawals);

function createGiants(seed: number): Giants {
  const giants: Giants = {
    exchange: createExchange(43113),
    prng: createPrng(seed),
    indexes: [1_000_000, 30_000, 500_000_000],
    counts: new Map(),
    references: 0,
  };
  const { exchange, prng } = giants;
  beginBatch(exchange, start as Time);
  for (let market = 0; market < markets; market += 1) {
    const baseAsset = `A${market}`;
    const terms = {
      ...defaultTerms,
      maxOrderSize: notionalMax,
      openInterestCap: 1_000_000_000_000_000 as Money,
      fundingFactor: 50_000_000 as Rate,
      maxFundingRate: 50_000_000 as Rate,
      minFundingRate: -50_000_000 as Rate,
      maxMarketSlippage: 90_000_000 as Rate,
      indexSources: [{ source: 'manual', weight: 1 }],
      ...riskTerms(defaultTerms.maintenanceMarginRate),
      priceBand: 90_000_000 as Rate,
    };
    const grid = { tick: { decimals: 2, step: 1 }, lot: { decimals: 2, step: 1 } };
    const symbol = `${baseAsset}USDT`;
    apply(giants, { kind: 'listMarket', symbol, baseAsset, ...grid, terms, status: 'TRADING' });
  }
  for (let account = 1; account <= accounts; account += 1) {
    // Often one account has nearly all of it.
    const share = account === accounts ? 1 : prng.below(3) === 0 ? 0.97 : prng.unit() / 2;
    credit(giants, account, Math.floor(roomOf(giants) * share));
    const id = account as AccountId;
    apply(giants, { kind: 'setMarginMode', account: id, mode: modes[prng.below(3)]! });
  }
  exchange.time = (start + 1) as Time;
  apply(giants, drawPrices(giants));
  return giants;
}

function credit(giants: Giants, account: number, amount: number): string {
  giants.references += 1;
  const terms = { amount: amount as Money, reference: `credit ${giants.references}` };
  const opened = giants.exchange.accounts.length > accounts;
  if (opened && giants.prng.below(3) === 0) {
    return apply(giants, { kind: 'creditInsurance', ...terms });
  }
  return apply(giants, { kind: 'credit', address: addressOf(account), ...terms });
}

/** Mostly small moves; one in four up to twice or down to half, sometimes a thousandfold. */
function drawPrices({ exchange, prng, indexes }: Giants): Command {
  const prices = indexes.map((index, market) => {
    const wide = prng.below(4) === 0;
    const factor = prng.below(60) === 0 ? 1000 : wide ? 0.5 + 1.5 * prng.unit() : 1;
    indexes[market] = Math.min(1_000_000_000, Math.max(1000, Math.round(index * factor)));
    const ticks = indexes[market] as Ticks;
    return { market: market as MarketId, source: 'manual', ticks, observedAt: exchange.time };
  });
  return { kind: 'indexTick', prices };
}

/** The largest allowed order, or a part of it; at the mark, near it or far from it. */
function drawPlace({ exchange, prng }: Giants): PlaceOrder {
  const market = prng.below(markets) as MarketId;
  const { mark } = exchange.markets[market]!.prices;
  const { grain } = exchange.markets[market]!;
  const width = prng.below(5) === 0 ? 0.3 : 0.001;
  const ticks = Math.max(1, Math.round(mark * (1 + (2 * prng.unit() - 1) * width)));
  const most = Math.floor(notionalMax / (Math.max(ticks, mark) * grain));
  const lots = Math.max(1, Math.floor(most * (prng.below(3) === 0 ? 1 : prng.unit())));
  const isMarket = prng.below(5) === 0;
  return orderCommand({
    account: 1 + prng.below(accounts),
    market,
    side: prng.below(2) === 0 ? 1 : -1,
    ...(isMarket && { type: 'MARKET', timeInForce: 'IOC' }),
    lots,
    ticks: isMarket ? 0 : ticks,
    reduceOnly: prng.below(5) === 0,
  });
}

function step(giants: Giants): void {
  const { exchange, prng } = giants;
  const account = (1 + prng.below(accounts)) as AccountId;
  const market = prng.below(markets) as MarketId;
  const draw = prng.below(100);
  if (draw < 25) beginBatch(exchange, (exchange.time + 1000 + prng.below(60_000)) as Time);
  if (draw < 25) apply(giants, drawPrices(giants));
  else if (draw < 28) apply(giants, { kind: 'settleFunding', market });
  else if (draw < 33) creditWhatIsLeft(giants, account);
  else if (draw < 38) withdraw(giants, account);
  else if (draw < 43) transfer(giants, account, market);
  else if (draw < 46) apply(giants, { kind: 'cancelAllOrders', account, market });
  else if (draw < 50) {
    const leverage = [1, 2, 20, 50][prng.below(4)]!;
    apply(giants, { kind: 'setLeverage', account, market, leverage });
  } else apply(giants, drawPlace(giants));
}

/** All that may still come in, and then a unit more. */
function creditWhatIsLeft(giants: Giants, account: AccountId): void {
  const room = roomOf(giants);
  if (room > 0) expect(credit(giants, account, room)).toBe('accepted');
  expect(credit(giants, account, 1)).toBe('capacityReached');
}

/** Requests withdrawals; some pending ones are completed, the others are released. */
function withdraw(giants: Giants, account: AccountId): void {
  const { exchange, prng } = giants;
  const amount = Math.floor(exchange.accounts[account]!.available * prng.unit()) as Money;
  const once = { idempotencyKey: '', idempotencyRequest: '' };
  apply(giants, { kind: 'requestWithdrawal', account, amount, ...once });
  const pending = [...exchange.withdrawals.values()][prng.below(5)];
  if (pending === undefined) return;
  const action = prng.below(2) === 0 ? 'complete' : 'release';
  apply(giants, { kind: 'resolveWithdrawal', id: pending.id, action });
}

function transfer(giants: Giants, account: AccountId, market: MarketId): void {
  const { exchange, prng } = giants;
  const { available, positions } = exchange.accounts[account]!;
  const held = positions[market]?.collateral ?? 0;
  const whole = prng.below(2) === 0 ? available : -held;
  const delta = Math.floor(whole * prng.unit()) as Money;
  apply(giants, { kind: 'transferCollateral', account, market, delta });
}

test('BAL-2a UNIT-1 within the bound on what is owed no gain exceeds the largest number', () => {
  const totals = new Map<string, number>();
  for (let seed = 1; seed <= seeds; seed += 1) {
    const giants = createGiants(seed);
    for (let index = 0; index < commandsPerSeed; index += 1) {
      step(giants);
      expect(roomOf(giants), `seed ${seed}, command ${index}`).toBeGreaterThanOrEqual(0);
      if (index % 20 > 0) continue;
      expect(checkInvariants(giants.exchange).failures, `seed ${seed}, ${index}`).toEqual([]);
    }
    for (const [kind, count] of giants.counts) totals.set(kind, (totals.get(kind) ?? 0) + count);
  }
  // About half of what these seeds reach.
  const risks = { liquidationFlagged: 160, takenOver: 50, deleveraged: 75, profitRealized: 16 };
  const money = {
    traded: 400,
    fundingPaid: 420,
    withdrawalResolved: 320,
    collateralTransferred: 13,
  };
  for (const [kind, least] of Object.entries({ ...risks, ...money })) {
    expect(totals.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(least);
  }
});
