// A seeded stream of every kind of command over three markets and a handful of accounts, sound and
// unsound ones mixed, dense enough that orders meet, cover, cut, fail their margin and expire, that
// triggers fire, accounts are liquidated and markets settled. Triggers and what has to do with risk
// are in riskStream.ts.

import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Batch, Command, OrderReference, PlaceOrder } from '../../src/engine/command.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { deliveryOf } from '../../src/engine/market.ts';
import type { MarketTerms } from '../../src/engine/marketTerms.ts';
import type { Order } from '../../src/engine/order.ts';
import { ordersByPriority } from '../../src/engine/ordersByPriority.ts';
import { type Side, selfTradeModes, timesInForce } from '../../src/engine/orderTypes.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type {
  AccountId,
  Lots,
  MarketId,
  Money,
  OrderId,
  Rate,
  Ticks,
  Time,
} from '../../src/units/units.ts';
import { riskTerms } from '../fixtures/riskTerms.ts';
import { withLegs } from './legStream.ts';
import { drawRiskCommand, drawTrigger, drawTriggerChangeOrEnd, type Target } from './riskStream.ts';

export const streamStart = 1_760_000_000_000 as Time;
const markets = 3;
/** Numbered from 1: the insurance fund is account 0. */
const accounts = 12;
const mids = [50_000, 3_000, 700];
/** Lots of a usual order, at most; an unusual one has twenty times as many. */
const usualLots = [2_000, 30_000, 130_000];

export const streamTerms: MarketTerms = {
  maxLeverage: 50,
  maintenanceMarginRate: 1_000_000 as Rate,
  liquidationFeeRate: 500_000 as Rate,
  minOrderSize: 5_000_000 as Money,
  maxOrderSize: 1_000_000_000_000 as Money,
  openInterestCap: 60_000_000_000 as Money,
  fundingFactor: 1_000_000 as Rate,
  maxFundingRate: 1_000_000 as Rate,
  minFundingRate: -1_000_000 as Rate,
  fundingIntervalHours: 1,
  maxMarketSlippage: 5_000_000 as Rate,
  markClamp: 250_000 as Rate,
  markBand: 2_000_000 as Rate,
  makerFee: 20_000 as Rate,
  takerFee: 50_000 as Rate,
  selfTradePrevention: 'EXPIRE_MAKER',
  indexSources: [
    { source: 'one', weight: 1 },
    { source: 'two', weight: 2 },
  ],
  underlyingType: 'COIN',
  deliveryTime: 0 as Time,
  ...riskTerms(1_000_000 as Rate),
};

const addressOf = (account: number): string => `0x${account.toString(16).padStart(40, '0')}`;
const keyOf = (number: number): string => number.toString(16).padStart(64, 'f');

/** The commands that open the stream: three markets, their prices, money, a fund, margin modes. */
export function openingCommands(): Command[] {
  const commands: Command[] = ['BTC', 'ETH', 'AVAX'].map((baseAsset) => ({
    kind: 'listMarket',
    symbol: `${baseAsset}USDT`,
    baseAsset,
    tick: { decimals: 1, step: 1 },
    lot: { decimals: 3, step: 1 },
    terms: streamTerms,
    status: 'TRADING',
  }));
  for (let account = 1; account <= accounts; account += 1) {
    const amount = (account % 2 === 1 ? 60_000_000 : 1_000_000_000 * (account - 1)) as Money;
    const reference = `opening ${account}`;
    commands.push({ kind: 'credit', address: addressOf(account), amount, reference });
  }
  for (const account of [3, 4, 9] as AccountId[]) {
    commands.push({ kind: 'setMarginMode', account, mode: 'isolated' });
  }
  for (const account of [5, 6] as AccountId[]) {
    commands.push({ kind: 'setMarginMode', account, mode: 'unified' });
  }
  // A chain of referrers, and several referees of one.
  for (const account of [2, 3, 5] as AccountId[]) {
    commands.push({ kind: 'setReferralCode', account, code: `CODE${account}` });
  }
  for (const [account, referrer] of [
    [4, 2],
    [3, 2],
    [6, 3],
    [7, 3],
    [8, 5],
  ] as [AccountId, AccountId][]) {
    commands.push({ kind: 'bindReferral', account, code: `CODE${referrer}` });
  }
  const amount = 3_000_000_000 as Money;
  commands.push({ kind: 'creditInsurance', amount, reference: 'opening' });
  commands.push(priceCommand(streamStart, () => 0));
  return commands;
}

function priceCommand(time: Time, drift: (market: number) => number): Command {
  const prices = mids.flatMap((mid, market) =>
    ['one', 'two'].map((source) => ({
      market: market as MarketId,
      source,
      ticks: (mid + drift(market)) as Ticks,
      observedAt: time,
    })),
  );
  return { kind: 'indexTick', prices };
}

export type Stream = {
  readonly next: () => Command;
  readonly time: () => Time;
};

/**
 * Commands that refer to orders as they stand in `exchange`, so two exchanges in the same state
 * and two streams of one seed go the same way.
 */
export function createStream(seed: number, exchange: () => Exchange, start = streamStart): Stream {
  const prng = createPrng(seed);
  let time = start;
  return {
    time: () => time,
    next: () => {
      time = (time + drawPause(prng)) as Time;
      return drawCommand(prng, exchange(), time);
    },
  };
}

/** Moments most of the time; seldom minutes, in which prices grow stale, or a day. */
function drawPause(prng: Prng): number {
  const draw = prng.below(12_000);
  if (draw === 0) return 86_400_000;
  if (draw < 5) return prng.below(700_000);
  return draw % 4 === 0 ? prng.below(400) : 0;
}

function drawCommand(prng: Prng, exchange: Exchange, time: Time): Command {
  const draw = prng.below(100);
  if (draw < 56) return drawPlace(prng);
  if (draw < 63) return drawTrigger(prng, exchange, drawTarget(prng));
  if (draw < 65) return drawTriggerChangeOrEnd(prng, exchange, drawTarget(prng));
  if (draw < 72) return drawCancel(prng, exchange);
  if (draw < 80) return drawModify(prng, exchange);
  if (draw < 84) return drawBatch(prng, exchange);
  if (draw < 91) return drawPrices(prng, time);
  return drawRare(prng, exchange, time);
}

/** Mostly calm; sometimes a jump that makes positions lose more than their accounts have. */
function drawPrices(prng: Prng, time: Time): Command {
  const draw = prng.below(72);
  const width = draw === 0 ? 0.3 : draw < 12 ? 0.09 : 0.01;
  return priceCommand(time, (market) => Math.floor((prng.unit() - 0.5) * width * mids[market]!));
}

const drawAccount = (prng: Prng): AccountId => (1 + prng.below(accounts + 1)) as AccountId;
const drawMarket = (prng: Prng): MarketId =>
  (prng.below(40) === 0 ? markets : prng.below(markets)) as MarketId;

function drawTarget(prng: Prng): Target {
  const market = drawMarket(prng);
  const usual = usualLots[market] ?? 100;
  return { account: drawAccount(prng), market, mid: mids[market] ?? 100, usual };
}

function drawPlace(prng: Prng): PlaceOrder {
  const market = drawMarket(prng);
  const mid = mids[market] ?? 100;
  const usual = usualLots[market] ?? 100;
  const side: Side = prng.below(2) === 0 ? 1 : -1;
  const type = prng.below(8) === 0 ? 'MARKET' : 'LIMIT';
  const far = prng.below(8) === 0 ? 5 : 50;
  const worse = prng.below(mid / far) - Math.floor(mid / far / 5);
  const ticks = type === 'MARKET' ? 0 : mid - side * worse;
  const mode = prng.below(selfTradeModes.length + 3);
  const idempotent = prng.below(10) === 0;
  const quoted = type === 'MARKET' && prng.below(3) === 0;
  const command: PlaceOrder = {
    kind: 'placeOrder',
    account: drawAccount(prng),
    market,
    side,
    type,
    timeInForce: type === 'MARKET' ? 'GTC' : (timesInForce[prng.below(16)] ?? 'GTC'),
    lots: (quoted ? 0 : prng.below((prng.below(20) === 0 ? 20 : 1) * usual)) as Lots,
    quote: (quoted ? 1 + prng.below(100_000_000) : 0) as Money,
    ticks: ticks as Ticks,
    reduceOnly: prng.below(5) === 0,
    selfTradeMode: selfTradeModes[mode],
    workingType: 'CONTRACT_PRICE',
    priceProtect: prng.below(9) === 0,
    clientOrderId: prng.below(3) === 0 ? `mine-${prng.below(60)}` : '',
    maxSlippage: type === 'MARKET' && prng.below(4) === 0 ? (500_000 as Rate) : undefined,
    idempotencyKey: idempotent ? `key-${prng.below(60)}` : '',
    idempotencyRequest: idempotent ? `request-${prng.below(2)}` : '',
  };
  return withLegs(prng, command, { mid, share: 6 });
}

/** Released engines have a map that lists them by priority. */
function liveOrders(exchange: Exchange): Iterable<Order> {
  const orders: Exchange['orders'] | ReadonlyMap<OrderId, Order> = exchange.orders;
  return orders instanceof Map ? orders.values() : ordersByPriority(exchange);
}

/** A live order most of the time, else one that ended or never was. */
function drawReference(prng: Prng, exchange: Exchange) {
  const skip = prng.below(Math.max(exchange.orders.size, 1));
  let index = 0;
  for (const order of liveOrders(exchange)) {
    if (index === skip && prng.below(10) > 0) {
      const { id, createdAt, clientOrderId, account, market } = order;
      const named = clientOrderId !== '' && prng.below(2) === 0;
      const reference: OrderReference = named ? { clientOrderId } : { id, createdAt };
      return { account, market, reference, order };
    }
    index += 1;
  }
  const reference = { id: (1 + prng.below(5000)) as OrderId, createdAt: streamStart };
  return { account: drawAccount(prng), market: drawMarket(prng), reference, order: undefined };
}

function drawCancel(prng: Prng, exchange: Exchange) {
  const { account, market, reference } = drawReference(prng, exchange);
  const anywhere = prng.below(3) === 0;
  const place = anywhere ? undefined : market;
  return { kind: 'cancelOrder', account, market: place, order: reference } as const;
}

function drawModify(prng: Prng, exchange: Exchange) {
  const { account, market, reference, order } = drawReference(prng, exchange);
  const mid = mids[market] ?? 100;
  const ticks = (mid + prng.below(mid / 50) - Math.floor(mid / 100)) as Ticks;
  const lots = prng.below(12) === 0 ? (order?.filled ?? 0) : prng.below(usualLots[market] ?? 100);
  const side: Side | undefined =
    prng.below(3) === 0 ? (prng.below(9) === 0 ? 1 : order?.side) : undefined;
  const changed = { side, lots: lots as Lots, ticks };
  return { kind: 'modifyOrder', account, market, order: reference, ...changed } as const;
}

function drawBatch(prng: Prng, exchange: Exchange): Batch {
  const items: Batch['items'][number][] = [];
  for (let i = prng.below(5); i >= 0; i -= 1) {
    const draw = prng.below(4);
    if (draw === 0) items.push(drawPlace(prng));
    else if (draw === 3) items.push(drawTrigger(prng, exchange, drawTarget(prng)));
    else if (draw === 1) items.push(drawCancel(prng, exchange));
    else items.push(drawModify(prng, exchange));
  }
  return { kind: 'batch', items };
}

function drawRare(prng: Prng, exchange: Exchange, time: Time): Command {
  const account = drawAccount(prng);
  const market = drawMarket(prng);
  const address = addressOf(account);
  const shut = exchange.markets.find((one) => one.status !== 'TRADING' && deliveryOf(one) === 0);
  if (shut !== undefined && prng.below(3) === 0) {
    return { kind: 'changeMarket', market: shut.id, terms: {}, status: 'TRADING' };
  }
  if (prng.below(3) === 0) return drawRiskCommand(prng, exchange, drawTarget(prng));
  switch (prng.below(11)) {
    case 0:
      if (prng.below(3) > 0) return { kind: 'setLeverage', account, market, leverage: 45 };
      return { kind: 'cancelAllOrders', account, market };
    case 1:
      return { kind: 'setLeverage', account, market, leverage: prng.below(60) };
    case 2:
      return drawCountdownOrConnection(prng.below(12), account, market);
    case 3:
      return drawChange(prng, market, time);
    case 4: {
      const amount = (prng.below(50_000_000) - 1_000_000) as Money;
      if (prng.below(3) === 0) {
        const credit = `reference ${prng.below(100)}`;
        const part = Math.floor(amount / 4) as Money;
        return { kind: 'correctCredit', address, credit, amount: part, reference: `fix ${credit}` };
      }
      return { kind: 'credit', address, amount, reference: `reference ${prng.below(100)}` };
    }
    case 5: {
      const feeTier = prng.below(3) === 0 ? prng.below(3) : undefined;
      return { kind: 'flagAccount', address, house: prng.below(2) === 0, feeTier };
    }
    case 6:
      return drawSession(prng, exchange, { account, address, time });
    case 7: {
      const apiKey = keyOf(prng.below(100));
      return { kind: 'createApiKey', account, apiKey, profile: `profile ${prng.below(9)}` };
    }
    case 8:
      return { kind: 'setRateTier', apiKey: keyOf(prng.below(100)), rateTier: 'house' };
    default:
      return drawKeyCommand(prng, exchange, account);
  }
}

type Visit = { readonly account: AccountId; readonly address: string; readonly time: Time };

/** A login, or the end of one session of an account, or of all but one (AUTH-11). */
function drawSession(prng: Prng, exchange: Exchange, { account, address, time }: Visit): Command {
  const expiresAt = (time + prng.below(60_000) - 5_000) as Time;
  const draw = prng.below(80);
  const sessions = exchange.accounts[account]?.sessions ?? [];
  const session = sessions[draw % Math.max(1, sessions.length)];
  const kept = session?.id ?? (7 as OrderId);
  if (draw % 8 === 0) return { kind: 'endSessions', account, session: undefined, kept };
  if (draw % 8 === 1 && session !== undefined) {
    const { id, createdAt } = session;
    return { kind: 'endSessions', account, session: { id, createdAt }, kept: 0 as OrderId };
  }
  const named = { client: `192.0.2.${draw}`, agent: `Fürst/${draw}` };
  return { kind: 'login', address, nonce: `nonce-é-${draw}`, expiresAt, ...named };
}

/** A countdown, or a command of cancel on disconnect; an account has two connections. */
function drawCountdownOrConnection(draw: number, account: AccountId, market: MarketId): Command {
  if (draw < 6) return { kind: 'setCountdown', account, market, milliseconds: (draw % 3) * 20_000 };
  const connection = account * 2 + (draw % 2);
  switch (draw) {
    case 8:
      return { kind: 'disarmConnection', account, connection };
    case 9:
      return { kind: 'endConnections', connections: [connection, 1, connection - 1] };
    case 11:
      return { kind: 'endConnections', connections: market === 0 ? undefined : [connection] };
    default:
      return { kind: 'armConnection', account, connection, markets: draw === 6 ? [market] : [] };
  }
}

/** Other terms; seldom another status; once in a while a market closes for a delivery. */
function drawChange(prng: Prng, market: MarketId, time: Time): Command {
  if (market === 2 && prng.below(6) === 0) {
    const deliveryTime = ((Math.floor(time / 60_000) + 1) * 60_000) as Time;
    return { kind: 'changeMarket', market, terms: { deliveryTime }, status: 'CLOSE' };
  }
  const maxLeverage = 10 + prng.below(45);
  const makerFee = (prng.below(90_000) - 60_000) as Rate;
  const raised = prng.below(4) === 0 ? prng.below(500_000) : 0;
  const maintenanceMarginRate = (1_000_000 + raised) as Rate;
  const terms = { maxLeverage, makerFee, maintenanceMarginRate };
  const draw = prng.below(20);
  const status = draw === 0 ? 'CLOSE' : draw === 1 ? 'HALT' : 'TRADING';
  return { kind: 'changeMarket', market, terms, status };
}

function drawKeyCommand(prng: Prng, exchange: Exchange, account: AccountId): Command {
  const keys = [...exchange.apiKeys.values()];
  const key = keys[prng.below(Math.max(keys.length, 1))];
  const id = key?.id ?? (7 as OrderId);
  const named = { account: key?.account ?? account, id, createdAt: key?.createdAt ?? streamStart };
  if (prng.below(2) === 0) return { kind: 'deleteApiKey', ...named };
  const status = prng.below(2) === 0 ? 'disabled' : undefined;
  return { kind: 'updateApiKey', ...named, status, profile: 'another' };
}

/** An exchange after the opening and `count` commands of the stream. */
export function runStream(seed: number, count: number): Exchange {
  const exchange = createExchange(43113);
  beginBatch(exchange, streamStart);
  for (const command of openingCommands()) applyCommand(exchange, command, 0 as Time);
  const stream = createStream(seed, () => exchange);
  for (let i = 0; i < count; i += 1) {
    const command = stream.next();
    if (stream.time() > exchange.time) beginBatch(exchange, stream.time());
    applyCommand(exchange, command, 0 as Time);
  }
  return exchange;
}
