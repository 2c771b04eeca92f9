// A world made to go wrong: three small markets with a handful of prices, a few accounts with
// little money and high leverage, a small insurance fund, prices that jump. At every other command
// fill checks, cover, margin cancels, debits, caps, brackets, self-trade, triggers or liquidations
// decide. What must hold is in stormWatch.ts.

import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type {
  Batch,
  Command,
  ModifyOrder,
  OrderReference,
  PlaceOrder,
} from '../../src/engine/command.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import type { MarketTerms } from '../../src/engine/marketTerms.ts';
import type { Order } from '../../src/engine/order.ts';
import { ordersByPriority } from '../../src/engine/ordersByPriority.ts';
import {
  type SelfTradeMode,
  type Side,
  selfTradeModes,
  type TimeInForce,
} from '../../src/engine/orderTypes.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { AccountId, Lots, MarketId, Money, Rate, Ticks, Time } from '../../src/units/units.ts';
import { riskTerms } from '../fixtures/riskTerms.ts';
import { drawTrigger, drawTriggerEnd } from './riskStream.ts';

export const stormStart = 1_760_000_000_000 as Time;
export const stormAccounts = 7;
export const stormMarkets = 3;
/** Accounts are numbered from 1; this one the operator flags `house`. */
const houseAccount = 7;
/** Their positions are isolated, or their profit replaces their freezes (MAR-7). */
const isolatedAccount = 4 as AccountId;
const unifiedAccount = 5 as AccountId;
const mids = [1000, 400, 250];

const calmTerms: MarketTerms = {
  maxLeverage: 50,
  maintenanceMarginRate: 1_000_000 as Rate,
  liquidationFeeRate: 500_000 as Rate,
  minOrderSize: 1_000_000 as Money,
  maxOrderSize: 20_000_000_000 as Money,
  openInterestCap: 1_000_000_000_000 as Money,
  fundingFactor: 1_000_000 as Rate,
  maxFundingRate: 1_000_000 as Rate,
  minFundingRate: -1_000_000 as Rate,
  fundingIntervalHours: 1,
  maxMarketSlippage: 1_000_000 as Rate,
  markClamp: 900_000 as Rate,
  markBand: 2_000_000 as Rate,
  makerFee: 20_000 as Rate,
  takerFee: 50_000 as Rate,
  selfTradePrevention: 'EXPIRE_MAKER',
  indexSources: [{ source: 'sim', weight: 1 }],
  underlyingType: 'COIN',
  deliveryTime: 0 as Time,
  ...riskTerms(1_000_000 as Rate),
  // Wide, so that fills far from the mark still happen (PRC-6).
  priceBand: 50_000_000 as Rate,
};

/**
 * A calm market; one with a rebate, odd leverage, a small cap, brackets and a share of fees for the
 * fund; one whose self-trades happen.
 */
const termsOf: readonly MarketTerms[] = [
  calmTerms,
  {
    ...calmTerms,
    maxLeverage: 33,
    makerFee: -30_001 as Rate,
    takerFee: 77_777 as Rate,
    openInterestCap: 1_000_000_000 as Money,
    brackets: [
      { upTo: 300_000_000 as Money, rate: 1_000_000 as Rate },
      { upTo: 600_000_000 as Money, rate: 2_000_000 as Rate },
      { upTo: 1_000_000_000 as Money, rate: 5_000_000 as Rate },
    ],
    accountShareMax: 90_000_000 as Rate,
    fundFeeShare: 30_000_000 as Rate,
    fundTarget: 400_000_000 as Money,
  },
  {
    ...calmTerms,
    maxLeverage: 7,
    openInterestCap: 300_000_000 as Money,
    maintenanceMarginRate: 7_000_000 as Rate,
    markClamp: 0 as Rate,
    ...riskTerms(7_000_000 as Rate),
    // Wide, so that fills far from the mark still happen (PRC-6).
    priceBand: 50_000_000 as Rate,
  },
];

/** The initial insurance fund: enough, little, almost nothing. */
const funds = [300_000_000, 20_000_000, 500_000] as Money[];

export type Storm = {
  readonly exchange: Exchange;
  readonly prng: Prng;
  /** Index of each market, wandering. */
  readonly indexes: number[];
  credits: number;
};

const addressOf = (account: number): string => `0x${String(account).padStart(40, '0')}`;

/** Markets listed, accounts funded with 10 to 250 USDT, prices there. */
export function createStorm(seed: number): Storm {
  const storm: Storm = {
    exchange: createExchange(43113),
    prng: createPrng(seed),
    indexes: [...mids],
    credits: 0,
  };
  beginBatch(storm.exchange, stormStart);
  for (const [index, baseAsset] of ['AA', 'BB', 'CC'].entries()) {
    const terms = termsOf[index]!;
    const grid = { tick: { decimals: 2, step: 1 }, lot: { decimals: 2, step: 1 } };
    const symbol = `${baseAsset}USDT`;
    run(storm, { kind: 'listMarket', symbol, baseAsset, ...grid, terms, status: 'TRADING' });
  }
  for (let account = 1; account <= stormAccounts; account += 1) {
    run(storm, drawCredit(storm, account, (40 * account - 30) * 1_000_000));
  }
  run(storm, { kind: 'setMarginMode', account: isolatedAccount, mode: 'isolated' });
  run(storm, { kind: 'setMarginMode', account: unifiedAccount, mode: 'unified' });
  const amount = funds[seed % funds.length]!;
  run(storm, { kind: 'creditInsurance', amount, reference: 'opening' });
  const address = addressOf(houseAccount);
  run(storm, { kind: 'flagAccount', address, house: true, feeTier: undefined });
  storm.exchange.time = (stormStart + 1) as Time;
  run(storm, drawPrices(storm));
  return storm;
}

function run(storm: Storm, command: Command): void {
  const outcome = applyCommand(storm.exchange, command, 0 as Time);
  if (outcome.kind === 'rejected') throw new Error(JSON.stringify(outcome.rejection));
}

/** The next command; sometimes time passes before it. */
export function drawCommand(storm: Storm): Command {
  const { prng, exchange } = storm;
  if (prng.below(5) === 0) beginBatch(exchange, (exchange.time + 1 + prng.below(3000)) as Time);
  const draw = prng.below(100);
  if (draw < 49) return drawPlace(storm);
  if (draw < 56) return drawTriggerCommand(storm);
  if (draw < 60) return drawLeverage(prng);
  if (draw < 72) return drawModify(storm);
  if (draw < 81) return drawCancel(storm);
  if (draw < 90) return drawPrices(storm);
  if (draw < 93) return drawBatch(storm);
  return drawRare(storm);
}

const drawAccount = (prng: Prng): AccountId => (1 + prng.below(stormAccounts)) as AccountId;
const drawMarket = (prng: Prng): MarketId => prng.below(stormMarkets) as MarketId;
const drawSide = (prng: Prng): Side => (prng.below(2) === 0 ? 1 : -1);

/** Often as low or as high as it gets, so that freezes of one account differ widely. */
function drawLeverage(prng: Prng): Command {
  const leverage = prng.below(3) === 0 ? 1 + prng.below(50) : prng.below(2) === 0 ? 1 : 33;
  return { kind: 'setLeverage', account: drawAccount(prng), market: drawMarket(prng), leverage };
}

/** A price within a few ticks of the mark, seldom far away. */
function drawTicks(storm: Storm, market: MarketId): Ticks {
  const { prng, exchange } = storm;
  const { mark } = exchange.markets[market]!.prices;
  const width = prng.below(12) === 0 ? 200 : 6;
  return Math.max(1, mark + prng.below(2 * width + 1) - width) as Ticks;
}

const usualLots = [12_000, 25_000, 9_000];

function drawLots(storm: Storm, market: MarketId): Lots {
  const { prng } = storm;
  if (prng.below(40) === 0) return prng.below(2) as Lots;
  const scale = prng.below(8) === 0 ? 5 : 1;
  return (1 + prng.below(usualLots[market]! * scale)) as Lots;
}

/** An order of any kind, sound or not. */
export function drawPlace(storm: Storm): PlaceOrder {
  const { prng, exchange } = storm;
  const account = drawAccount(prng);
  const market = drawMarket(prng);
  const held = exchange.accounts[account]!.positions[market]?.lots ?? 0;
  const closes = held !== 0 && prng.below(2) === 0;
  const isMarket = prng.below(7) === 0;
  const quoted = isMarket && prng.below(3) === 0;
  const kinds: TimeInForce[] = ['GTC', 'GTC', 'GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'GTX'];
  const slippage = isMarket && prng.below(3) === 0;
  return {
    kind: 'placeOrder',
    account,
    market,
    side: closes ? (held > 0 ? -1 : 1) : drawSide(prng),
    type: isMarket ? 'MARKET' : 'LIMIT',
    timeInForce: isMarket ? 'IOC' : kinds[prng.below(kinds.length)]!,
    lots: quoted ? (0 as Lots) : drawLots(storm, market),
    quote: (quoted ? prng.below(3_000_000_000) : 0) as Money,
    ticks: isMarket ? (0 as Ticks) : drawTicks(storm, market),
    reduceOnly: closes ? prng.below(2) === 0 : prng.below(30) === 0,
    selfTradeMode: drawSelfTradeMode(prng),
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    clientOrderId: prng.below(4) === 0 ? `id-${prng.below(30)}` : '',
    maxSlippage: slippage ? ((prng.below(4) * 200_000) as Rate) : undefined,
    idempotencyKey: prng.below(15) === 0 ? `key-${prng.below(20)}` : '',
    idempotencyRequest: `request-${prng.below(2)}`,
  };
}

function drawSelfTradeMode(prng: Prng): SelfTradeMode | undefined {
  return prng.below(2) === 0 ? undefined : selfTradeModes[prng.below(selfTradeModes.length)]!;
}

/** Any active order, undefined when there is none. */
function drawLive(storm: Storm): Order | undefined {
  const { prng, exchange } = storm;
  let skip = prng.below(Math.max(exchange.orders.size, 1));
  for (const order of ordersByPriority(exchange)) {
    if (skip === 0) return order;
    skip -= 1;
  }
  return undefined;
}

function referenceTo(prng: Prng, order: Order): OrderReference {
  const { id, createdAt, clientOrderId } = order;
  return clientOrderId !== '' && prng.below(2) === 0 ? { clientOrderId } : { id, createdAt };
}

/** Another price or quantity for a live order; seldom its filled quantity, or less. */
export function drawModify(storm: Storm): Command {
  const { prng } = storm;
  const order = drawLive(storm);
  if (order === undefined) return drawPlace(storm);
  const { account, market } = order;
  const lots =
    prng.below(8) === 0 ? ((order.filled - prng.below(2)) as Lots) : drawLots(storm, market);
  const modify: ModifyOrder = {
    kind: 'modifyOrder',
    account: prng.below(30) === 0 ? drawAccount(prng) : account,
    market,
    order: referenceTo(prng, order),
    side: prng.below(3) === 0 ? drawSide(prng) : undefined,
    lots: prng.below(4) === 0 ? order.lots : lots,
    ticks: prng.below(4) === 0 ? order.ticks : drawTicks(storm, market),
  };
  return modify;
}

/** A trigger near the mark, sometimes the end of one. */
function drawTriggerCommand(storm: Storm): Command {
  const { prng, exchange } = storm;
  const market = drawMarket(prng);
  const { mark } = exchange.markets[market]!.prices;
  const target = { account: drawAccount(prng), market, mid: mark, usual: usualLots[market]! };
  if (prng.below(6) === 0) return drawTriggerEnd(prng, exchange, target);
  return drawTrigger(prng, exchange, target);
}

function drawCancel(storm: Storm): Command {
  const { prng } = storm;
  const order = drawLive(storm);
  if (order === undefined) return drawPlace(storm);
  const account = prng.below(10) === 0 ? drawAccount(prng) : order.account;
  return { kind: 'cancelOrder', account, market: undefined, order: referenceTo(prng, order) };
}

/** Small steps most of the time; sometimes a jump, seldom one that trips the breaker. */
function drawPrices(storm: Storm): Command {
  const { prng, exchange, indexes } = storm;
  const prices = indexes.map((index, market) => {
    const width = prng.below(12) === 0 ? index / 15 : 3;
    const pull = (mids[market]! - index) / 20;
    const moved = Math.round(index + pull + (prng.unit() * 2 - 1) * width);
    indexes[market] = Math.max(20, moved);
    const ticks = indexes[market] as Ticks;
    return { market: market as MarketId, source: 'sim', ticks, observedAt: exchange.time };
  });
  return { kind: 'indexTick', prices };
}

function drawBatch(storm: Storm): Command {
  const items: Batch['items'][number][] = [];
  for (let left = 1 + storm.prng.below(5); left > 0; left -= 1) {
    const modify = drawModify(storm);
    items.push(modify.kind === 'modifyOrder' ? modify : drawPlace(storm));
  }
  return { kind: 'batch', items };
}

function drawCredit(storm: Storm, account: number, amount: number): Command {
  storm.credits += 1;
  const reference = `credit-${storm.credits}`;
  return { kind: 'credit', address: addressOf(account), amount: amount as Money, reference };
}

function drawRare(storm: Storm): Command {
  const { prng } = storm;
  const account = drawAccount(prng);
  const market = drawMarket(prng);
  switch (prng.below(11)) {
    case 0:
    case 1:
      return { kind: 'setLeverage', account, market, leverage: prng.below(55) };
    case 2:
      return { kind: 'setCountdown', account, market, milliseconds: prng.below(3) * 2000 };
    case 3:
      return { kind: 'cancelAllOrders', account, market };
    case 4:
      return drawCredit(storm, account, prng.below(50_000_000) * prng.below(3));
    case 5: {
      const house = prng.below(2) === 0;
      return { kind: 'flagAccount', address: addressOf(account), house, feeTier: undefined };
    }
    case 6: {
      const delta = (prng.below(20_000_000) - 10_000_000) as Money;
      return { kind: 'transferCollateral', account: isolatedAccount, market, delta };
    }
    case 7:
      return drawWithdrawal(storm, account);
    case 8:
      return { kind: 'settleFunding', market };
    default:
      return drawChange(storm, market);
  }
}

/** Asks for one, or resolves one that is pending. */
function drawWithdrawal(storm: Storm, account: AccountId): Command {
  const { prng, exchange } = storm;
  const [id] = exchange.withdrawals.keys();
  if (id !== undefined && prng.below(2) === 0) {
    const action = prng.below(2) === 0 ? 'complete' : 'release';
    return { kind: 'resolveWithdrawal', id, action };
  }
  const amount = prng.below(20_000_000) as Money;
  const hashes = { idempotencyKey: '', idempotencyRequest: '' };
  return { kind: 'requestWithdrawal', account, amount, ...hashes };
}

/** The operator opens a closed market; otherwise it seldom closes one or changes its taker fee. */
function drawChange(storm: Storm, market: MarketId): Command {
  const { prng, exchange } = storm;
  const shut = exchange.markets.find(({ status }) => status !== 'TRADING');
  if (shut !== undefined) {
    return { kind: 'changeMarket', market: shut.id, terms: {}, status: 'TRADING' };
  }
  const takerFee = (40_000 + prng.below(60_000)) as Rate;
  const status = prng.below(4) === 0 ? (['CLOSE', 'HALT'] as const)[prng.below(2)] : undefined;
  return { kind: 'changeMarket', market, terms: { takerFee }, status };
}
