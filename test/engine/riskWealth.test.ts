// Goal: no person gains from the exchange by the order of commands. Method: one person has five
// accounts in thin markets without fees, in every margin mode. Prices move, at last by a jump while
// the markets are in HALT, and then stand still. HALT ends, so that accounts are liquidated at
// constant prices. The person does everything possible, also far from the mark and in trades
// between the own accounts. From the jump on the person's wealth never grows, not by one unit,
// whatever is closed, taken over or deleveraged, but for the rounding of the bankruptcy prices at
// which the fund takes over.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { equityOf, unrealizedOf } from '../../src/engine/clearing/margin.ts';
import type { Command, PlaceOrder } from '../../src/engine/command.ts';
import type { Event } from '../../src/engine/event.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import type { MarketStatus } from '../../src/engine/marketTerms.ts';
import type { Order } from '../../src/engine/order.ts';
import { ordersByPriority } from '../../src/engine/ordersByPriority.ts';
import { type Side, selfTradeModes } from '../../src/engine/orderTypes.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { AccountId, Lots, MarketId, Money, Rate, Ticks, Time } from '../../src/units/units.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { riskTerms } from '../fixtures/riskTerms.ts';
import { defaultTerms } from '../scenarios/world.ts';

const seeds = 150;
const movingCommands = 120;
const standingCommands = 300;
const accounts = 5;
const leverages = [50, 10, 3];
const modes = ['cross', 'isolated', 'unified'] as const;

type Crowd = {
  readonly exchange: Exchange;
  readonly prng: Prng;
  readonly indexes: number[];
  withdrawn: number;
};

const apply = ({ exchange }: Crowd, command: Command): void => {
  const outcome = applyCommand(exchange, command, 0 as Time);
  if (outcome.kind === 'rejected') expect(outcome.rejection.reason).not.toBe('fault');
};

function createCrowd(seed: number): Crowd {
  const crowd: Crowd = {
    exchange: createExchange(43113),
    prng: createPrng(seed),
    indexes: [10_000, 30_000, 5000],
    withdrawn: 0,
  };
  const { exchange, prng } = crowd;
  beginBatch(exchange, 1_760_000_000_000 as Time);
  for (const [market, maxLeverage] of leverages.entries()) {
    const baseAsset = `A${market}`;
    const maintenance = Math.floor(50_000_000 / maxLeverage);
    const terms = {
      ...defaultTerms,
      maxLeverage,
      maintenanceMarginRate: maintenance as Rate,
      liquidationFeeRate: (prng.below(2) * Math.floor(maintenance / 2)) as Rate,
      markClamp: 0 as Rate,
      markBand: (prng.below(2) === 0 ? 2_000_000 : 50_000_000) as Rate,
      maxMarketSlippage: 50_000_000 as Rate,
      maxOrderSize: 1_000_000_000_000_000 as Money,
      makerFee: 0 as Rate,
      takerFee: 0 as Rate,
      fundingFactor: 0 as Rate,
      indexSources: [{ source: 'manual', weight: 1 }],
      ...riskTerms(maintenance as Rate),
    };
    const grid = { tick: { decimals: 2, step: 1 }, lot: { decimals: 2, step: 1 } };
    const symbol = `${baseAsset}USDT`;
    apply(crowd, { kind: 'listMarket', symbol, baseAsset, ...grid, terms, status: 'TRADING' });
  }
  for (let account = 1; account <= accounts; account += 1) {
    const address = `0x${String(account).padStart(40, '0')}`;
    const amount = (100_000_000 * (1 + prng.below(20))) as Money;
    apply(crowd, { kind: 'credit', address, amount, reference: address });
    const id = account as AccountId;
    apply(crowd, { kind: 'setMarginMode', account: id, mode: modes[prng.below(3)]! });
    leverages.forEach((leverage, market) => {
      apply(crowd, { kind: 'setLeverage', account: id, market: market as MarketId, leverage });
    });
  }
  const amount = 1_000_000_000_000 as Money;
  if (prng.below(3) > 0) apply(crowd, { kind: 'creditInsurance', amount, reference: 'fund' });
  exchange.time = (exchange.time + 1) as Time;
  apply(crowd, tick(crowd));
  return crowd;
}

function tick({ exchange, indexes }: Crowd): Command {
  const prices = indexes.map((ticks, market) => {
    const observedAt = exchange.time;
    return { market: market as MarketId, source: 'manual', ticks: ticks as Ticks, observedAt };
  });
  return { kind: 'indexTick', prices };
}

/**
 * What the person owns: an isolated position under water counts as zero, and so does an account.
 */
function wealthOf({ exchange, withdrawn }: Crowd): number {
  let wealth = withdrawn;
  for (const account of liveAccounts(exchange).slice(1)) {
    if (account.marginMode !== 'isolated') {
      wealth += Math.max(0, equityOf(exchange, account));
      continue;
    }
    wealth += account.available + account.freezes;
    for (const position of account.positions) {
      if (position === undefined) continue;
      const profit = unrealizedOf(exchange.markets[position.market]!, position);
      wealth += Math.max(0, position.collateral + profit);
    }
  }
  return wealth;
}

function drawCommand(crowd: Crowd, moving: boolean): Command {
  const { exchange, prng, indexes } = crowd;
  const account = exchange.accounts[1 + prng.below(accounts)]!;
  const market = prng.below(leverages.length) as MarketId;
  const { id } = account;
  const draw = prng.below(100);
  if (draw < 20) {
    for (const [place, index] of indexes.entries()) {
      const moves = moving && prng.below(6) === 0;
      if (moves) indexes[place] = Math.round(index * (0.93 + prng.unit() * 0.14));
    }
    return tick(crowd);
  }
  if (draw < 28) {
    const held = account.positions[market]?.collateral ?? 0;
    const bound = prng.below(2) === 0 ? account.available : -held;
    const delta = Math.floor(prng.unit() * bound * 1.02) as Money;
    return { kind: 'transferCollateral', account: id, market, delta };
  }
  if (draw < 31) return { kind: 'setMarginMode', account: id, mode: modes[prng.below(3)]! };
  if (draw < 34) {
    const leverage = 1 + prng.below(leverages[market]!);
    return { kind: 'setLeverage', account: id, market, leverage };
  }
  if (draw < 42) return { kind: 'cancelAllOrders', account: id, market };
  if (draw < 43) {
    const amount = Math.floor(account.available * prng.unit()) as Money;
    const hashes = { idempotencyKey: '', idempotencyRequest: '' };
    return { kind: 'requestWithdrawal', account: id, amount, ...hashes };
  }
  const order = ordersByPriority(exchange)[prng.below(Math.max(exchange.orders.size, 1))];
  if (draw < 48 && order !== undefined) return drawModify(crowd, order);
  return drawPlace(crowd, id, market);
}

/** Near the index, or up to 40 % away from it. */
function drawTicks({ prng, indexes }: Crowd, market: MarketId): Ticks {
  const width = [0.006, 0.05, 0.4][prng.below(3)]!;
  return Math.round(indexes[market]! * (1 + (prng.unit() * 2 - 1) * width)) as Ticks;
}

/** Near the account's position, or near the amount that it can pay. */
function drawLots({ exchange, prng }: Crowd, account: AccountId, market: MarketId): Lots {
  const { positions, available } = exchange.accounts[account]!;
  const held = Math.abs(positions[market]?.lots ?? 0);
  const { prices, grain } = exchange.markets[market]!;
  const payable = (available * leverages[market]!) / (prices.mark * grain);
  const part = [0.3, 0.99, 1, 1, 1, 1.5, 2, 5][prng.below(8)]!;
  const lots = held > 0 && prng.below(2) === 0 ? held * part : payable * prng.unit() * 1.05;
  return Math.max(1, Math.floor(lots)) as Lots;
}

function drawModify(crowd: Crowd, order: Order): Command {
  const { id, createdAt, account, market, filled } = order;
  const lots = Math.max(filled, drawLots(crowd, account, market)) as Lots;
  const named = { account, market, order: { id, createdAt }, side: undefined };
  return { kind: 'modifyOrder', ...named, lots, ticks: drawTicks(crowd, market) };
}

function drawPlace(crowd: Crowd, account: AccountId, market: MarketId): PlaceOrder {
  const { prng } = crowd;
  const isMarket = prng.below(6) === 0;
  const kinds = ['GTC', 'GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const;
  return orderCommand({
    account,
    market,
    side: (prng.below(2) === 0 ? 1 : -1) as Side,
    type: isMarket ? 'MARKET' : 'LIMIT',
    timeInForce: isMarket ? 'IOC' : kinds[prng.below(kinds.length)]!,
    lots: drawLots(crowd, account, market),
    ticks: isMarket ? (0 as Ticks) : drawTicks(crowd, market),
    reduceOnly: prng.below(8) === 0,
    selfTradeMode: prng.below(3) === 0 ? 'NONE' : selfTradeModes[prng.below(4)],
  });
}

/** Moves every price by up to 9 % while no market is live; afterwards no breaker stands. */
function jump(crowd: Crowd): void {
  const { exchange, prng, indexes } = crowd;
  for (const market of exchange.markets) setStatus(crowd, market.id, 'HALT');
  for (const [place, index] of indexes.entries()) {
    indexes[place] = Math.round(index * (0.91 + prng.unit() * 0.18));
  }
  for (const pause of [900, 31_000]) {
    beginBatch(exchange, (exchange.time + pause) as Time);
    step(crowd, tick(crowd));
  }
}

function setStatus(crowd: Crowd, market: MarketId, status: MarketStatus): readonly Event[] {
  return step(crowd, { kind: 'changeMarket', market, terms: {}, status });
}

/** Applies the command; gives its events. */
function step(crowd: Crowd, command: Command): readonly Event[] {
  const { exchange } = crowd;
  exchange.events = [];
  apply(crowd, command);
  for (const event of exchange.events) {
    if (event.kind === 'withdrawalRequested') crowd.withdrawn += event.amount;
  }
  return exchange.events;
}

/**
 * What the fund may leave to the accounts: their bankruptcy prices are rounded by less than a tick
 * (LIQ-2).
 */
function residueOf({ exchange }: Crowd, events: readonly Event[]): number {
  let residue = 0;
  for (const event of events) {
    if (event.kind !== 'takenOver') continue;
    residue += event.lots * exchange.markets[event.market]!.grain;
  }
  return residue;
}

test('UNIT-3 MAR-4 MAR-7 LIQ-5 at constant prices no order of commands makes the accounts richer', () => {
  const counts = new Map<string, number>();
  for (let seed = 1; seed <= seeds; seed += 1) {
    const crowd = createCrowd(seed);
    const { exchange, prng } = crowd;
    for (let index = 0; index < movingCommands; index += 1) {
      if (prng.below(5) === 0) beginBatch(exchange, (exchange.time + 1 + prng.below(900)) as Time);
      step(crowd, drawCommand(crowd, true));
    }
    jump(crowd);
    let wealth = wealthOf(crowd);
    const watch = (events: readonly Event[], where: string): void => {
      for (const { kind } of events) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const now = wealthOf(crowd);
      const most = wealth + residueOf(crowd, events);
      expect(now, `seed ${seed}, ${where}`).toBeLessThanOrEqual(most);
      wealth = now;
    };
    for (const { id } of exchange.markets) watch(setStatus(crowd, id, 'TRADING'), 'end of HALT');
    for (let index = 0; index < standingCommands; index += 1) {
      const pause = prng.below(50) === 0 ? 31_000 : prng.below(5) === 0 ? 900 : 0;
      beginBatch(exchange, (exchange.time + pause) as Time);
      const command = drawCommand(crowd, false);
      watch(step(crowd, command), `command ${index}: ${JSON.stringify(command)}`);
    }
  }
  // About half of what these seeds reach.
  const least = { traded: 1900, collateralTransferred: 200, withdrawalRequested: 150 };
  const risks = { liquidationFlagged: 45, takenOver: 9, deleveraged: 5 };
  for (const [kind, count] of Object.entries({ ...least, ...risks })) {
    expect(counts.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(count);
  }
});
