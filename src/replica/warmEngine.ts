// Runs what trading does most, on a small exchange of its own, before clients are served. The
// runtime compiles a function only after it has run often. Until then the same step takes four
// times as long, and the first storm of triggers after a start would hold up everything else.
// Nothing of it is kept, and no outcome depends on it.

import { applyCommand, beginBatch, testOrder } from '../engine/apply.ts';
import { oneBracket } from '../engine/bracket.ts';
import type { Command, PlaceOrder, PlaceTrigger } from '../engine/command.ts';
import type { Event } from '../engine/event.ts';
import { createExchange, type Exchange } from '../engine/exchange.ts';
import type { MarketTerms } from '../engine/marketTerms.ts';
import type { Side } from '../engine/orderTypes.ts';
import type { Accepted } from '../engine/outcome.ts';
import type { Order } from '../engine/views/order.ts';
import { assert, must } from '../std/assert.ts';
import { collectGarbage } from '../std/collectGarbage.ts';
import type { AccountId, Lots, MarketId, Money, Rate, Ticks, Time } from '../units/units.ts';
import { commandBytes, readCommandBytes } from './commandBytes.ts';

/** How many accounts trade, and the triggers and orders of each. */
const accounts = 20;
const stopsOfEach = 15;
const ordersOfEach = 20;
/** Orders that rest when young objects are collected, of that many accounts. */
const restingAccounts = 5;
const restingOfEach = 100;
/** 60,000 USDT on a tick of 0.1, and 2 % below it. */
const startTicks = 600_000;
const lowTicks = 588_000;
/** Ticks of one market, so that the price of the other becomes old. */
const lateTicks = 24;
/** Ticks in which the stops are tried, and as many in which they fill. */
const firingTicks = 40;
/** The fall in which the accounts are liquidated. */
const steps = 20;
const stepTicks = 1000;
const tickMs = 250;
/** A time like those of a deployment, because numbers of another size are stored in another way. */
const begin = 1_760_000_000_000;
const wealth = 1_000_000_000_000_000 as Money;
const stake = 3_000_000_000 as Money;

const percent = 1_000_000 as Rate;
const cap = 1_000_000_000_000_000 as Money;
const terms: MarketTerms = {
  maxLeverage: 50,
  maintenanceMarginRate: percent,
  brackets: oneBracket(percent, cap),
  gapRate: (5 * percent) as Rate,
  liquidationFeeRate: (percent / 2) as Rate,
  minOrderSize: 5_000_000 as Money,
  maxOrderSize: cap,
  openInterestCap: cap,
  accountShareMax: (100 * percent) as Rate,
  fundingFactor: percent,
  maxFundingRate: percent,
  minFundingRate: -percent as Rate,
  fundingIntervalHours: 8,
  maxMarketSlippage: (5 * percent) as Rate,
  markClamp: (percent / 4) as Rate,
  markBand: (2 * percent) as Rate,
  priceBand: (10 * percent) as Rate,
  makerFee: (percent / 50) as Rate,
  takerFee: (percent / 20) as Rate,
  fundFeeShare: (20 * percent) as Rate,
  fundTarget: wealth,
  selfTradePrevention: 'EXPIRE_MAKER',
  indexSources: [{ source: 'warm', weight: 1 }],
  underlyingType: 'COIN',
  deliveryTime: 0 as Time,
};

const market = 0 as MarketId;
const markets = [market, 1 as MarketId];
const maker = 1 as AccountId;

type World = {
  readonly exchange: Exchange;
  time: number;
  /** How many events of each kind there were. */
  readonly seen: Map<Event['kind'], number>;
};

/** What a warming up has run, so that a test sees that it reaches every path. */
export type Warmed = {
  readonly trades: number;
  readonly fired: number;
  readonly tried: number;
  readonly liquidations: number;
};

/**
 * Runs orders, triggers that fill, triggers that cannot fill, and liquidations. Cost: about a
 * quarter of a second of processor time, most of it the compiler's.
 */
export function warmEngine(): Warmed {
  showRestingOrders();
  const world = createWorld();
  credit(world, 'maker', wealth);
  const traders = Array.from({ length: accounts }, (_, at) => (maker + 1 + at) as AccountId);
  for (const trader of traders) openPositions(world, trader);
  for (const trader of traders) placeStops(world, trader);
  for (const trader of traders) quote(world, trader);
  fire(world);
  for (let i = 1; i <= steps; i += 1) tick(world, lowTicks - i * stepTicks, markets);
  const count = (kind: Event['kind']): number => world.seen.get(kind) ?? 0;
  return {
    trades: count('traded'),
    fired: count('triggerFired'),
    tried: count('triggerTried'),
    liquidations: count('liquidationFlagged'),
  };
}

function createWorld(): World {
  const world: World = { exchange: createExchange(0), time: begin, seen: new Map() };
  beginBatch(world.exchange, world.time as Time);
  list(world, 'BTC');
  list(world, 'ETH');
  tick(world, startTicks, markets);
  return world;
}

/**
 * Shows the runtime that orders live long, before it sees the orders below, which end at once. It
 * then makes orders among the old objects, so that no collection of young ones copies them. It
 * decides so once, at the first collection, and only if the young generation has its full size
 * (docs/decisions/0022-the-layout-of-orders.md).
 */
function showRestingOrders(): void {
  const world = createWorld();
  for (let n = 0; n < restingAccounts; n += 1) {
    const account = (maker + n) as AccountId;
    credit(world, `resting ${account}`, (wealth / 100) as Money);
    for (let i = 0; i < restingOfEach; i += 1) {
      order(world, account, { side: -1, lots: 1, ticks: startTicks + n * restingOfEach + i });
    }
  }
  collectGarbage('young');
  assert(world.exchange.orders.size === restingAccounts * restingOfEach, 'orders rest');
}

/** The stops cannot fill while the other market's price is old (TRG-8), and then they can. */
function fire(world: World): void {
  const lots = 3 * accounts * stopsOfEach;
  for (let i = 0; i < lateTicks; i += 1) tick(world, startTicks - i, [market]);
  order(world, maker, { side: 1, lots, ticks: lowTicks * 0.96 });
  for (let i = 0; i < firingTicks; i += 1) tick(world, lowTicks + i, [market]);
  order(world, maker, { side: 1, lots, ticks: lowTicks - 100 });
  for (let i = 0; i < firingTicks; i += 1) tick(world, lowTicks, markets);
}

function perform({ exchange, seen }: World, command: Command): Accepted {
  const outcome = applyCommand(exchange, command, 0 as Time);
  assert(outcome.kind === 'accepted', 'a command of the warming up is accepted');
  for (const { kind } of exchange.events) seen.set(kind, (seen.get(kind) ?? 0) + 1);
  exchange.events = [];
  return outcome;
}

function list(world: World, baseAsset: string): void {
  const grid = { tick: { decimals: 1, step: 1 }, lot: { decimals: 3, step: 1 } };
  const names = { symbol: `${baseAsset}USDT`, baseAsset };
  // Terms that were read from bytes have another layout than a literal, and code is made for one.
  const read = readCommandBytes(
    commandBytes({ kind: 'listMarket', ...names, ...grid, terms, status: 'TRADING' }),
  );
  perform(world, read);
}

function credit(world: World, address: string, amount: Money): void {
  perform(world, { kind: 'credit', address, amount, reference: address });
}

function tick(world: World, index: number, of: readonly MarketId[]): void {
  world.time += tickMs;
  const observedAt = world.time as Time;
  beginBatch(world.exchange, observedAt);
  const priced = { source: 'warm', ticks: index as Ticks, observedAt };
  const prices = of.map((one) => ({ ...priced, market: one }));
  perform(world, { kind: 'indexTick', prices });
}

/** Long in both markets, with little margin left. */
function openPositions(world: World, account: AccountId): void {
  credit(world, `trader ${account}`, stake);
  for (const one of markets) {
    perform(world, { kind: 'setLeverage', account, market: one, leverage: 50 });
    const lots = one === market ? 200 : 667;
    order(world, maker, { market: one, side: -1, lots, ticks: startTicks });
    order(world, account, { market: one, side: 1, lots, ticks: startTicks });
  }
}

function placeStops(world: World, account: AccountId): void {
  for (let i = 0; i < stopsOfEach; i += 1) {
    const terms = { account, lots: 1 as Lots };
    stop(world, { ...terms, stopTicks: (lowTicks + 2000 + i) as Ticks, reduceOnly: true });
    stop(world, { ...terms, stopTicks: (lowTicks + 1000 + i) as Ticks });
    const callbackRate = (percent + i * 1000) as Rate;
    stop(world, { ...terms, type: 'TRAILING_STOP_MARKET', callbackRate, reduceOnly: true });
  }
}

/** Orders that rest and are cancelled, and tests of orders that would trade. */
function quote(world: World, account: AccountId): void {
  const { exchange } = world;
  for (let i = 0; i < ordersOfEach; i += 1) {
    const { id, createdAt } = order(world, maker, {
      side: -1,
      lots: 1,
      ticks: startTicks + 100 + i,
    });
    testOrder(exchange, orderCommand(account, { side: 1, lots: 1, ticks: startTicks + 200 }));
    perform(world, { kind: 'cancelOrder', account: maker, market, order: { id, createdAt } });
  }
}

type Deal = {
  readonly side: Side;
  readonly lots: number;
  readonly ticks: number;
  readonly market?: MarketId;
};

function order(world: World, account: AccountId, deal: Deal): Order {
  return must(
    perform(world, orderCommand(account, deal)).order,
    'an accepted order has its record',
  );
}

function orderCommand(account: AccountId, { side, lots, ticks, market: of }: Deal): PlaceOrder {
  return {
    kind: 'placeOrder',
    account,
    market: of ?? market,
    side,
    type: 'LIMIT',
    timeInForce: 'GTC',
    lots: lots as Lots,
    quote: 0 as Money,
    ticks: Math.round(ticks) as Ticks,
    reduceOnly: false,
    selfTradeMode: undefined,
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    clientOrderId: '',
    maxSlippage: undefined,
    idempotencyKey: '',
    idempotencyRequest: '',
  };
}

function stop(
  world: World,
  terms: Partial<PlaceTrigger> & Pick<PlaceTrigger, 'account' | 'lots'>,
): void {
  perform(world, {
    kind: 'placeTrigger',
    market,
    route: 'algo',
    side: -1,
    type: 'STOP_MARKET',
    timeInForce: 'GTC',
    ticks: 0 as Ticks,
    stopTicks: 0 as Ticks,
    callbackRate: 0 as Rate,
    activationTicks: 0 as Ticks,
    goodTillDate: 0 as Time,
    reduceOnly: false,
    closePosition: false,
    selfTradeMode: undefined,
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    clientOrderId: '',
    idempotencyKey: '',
    idempotencyRequest: '',
    ...terms,
  });
}
