// A new market (OPS-2). The check of its grid ensures that notional never rounds (UNIT-1); then the
// grid never changes.

import type { Grain } from '../../units/notional.ts';
import {
  type Lots,
  type MarketId,
  type Money,
  moneyDecimals,
  type Rate,
  type Ticks,
  type Time,
} from '../../units/units.ts';
import { createBook } from '../book/book.ts';
import { createMarketRisk } from '../clearing/marketRisk.ts';
import type { ListMarket } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { marketsMax } from '../limits.ts';
import type { Market, MarketDues } from '../market.ts';
import type { Grid } from '../marketTerms.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { createWaitingTriggers } from '../triggers/waitingTriggers.ts';
import { checkRebates } from './checkRebates.ts';
import { checkDelivery, checkTerms } from './checkTerms.ts';
import { startMarketTimers } from './marketTimers.ts';

export function listMarket(exchange: Exchange, command: ListMarket): Outcome {
  if (
    !/^[A-Z0-9]{2,20}USDT$/.test(command.symbol) ||
    command.symbol !== `${command.baseAsset}USDT`
  ) {
    return rejected({ reason: 'termsInvalid', field: 'symbol', detail: '<base asset>USDT' });
  }
  if (exchange.marketBySymbol.has(command.symbol)) return rejected({ reason: 'symbolTaken' });
  if (exchange.markets.length >= marketsMax) {
    return rejected({ reason: 'capacityReached', limit: 'markets' });
  }
  const grain = grainOf(command.tick, command.lot);
  if (grain === undefined) {
    const detail = 'tick × lot must be a whole number of 0.000001 USDT';
    return rejected({ reason: 'termsInvalid', field: 'tickSize', detail });
  }
  const refused =
    checkTerms(command.terms) ??
    checkRebates(exchange, command.terms) ??
    checkDelivery(command, exchange.time);
  if (refused !== undefined) return rejected(refused);
  // From here listMarket must succeed.
  exchange.committed = true;
  const market = createMarket(exchange, command, grain);
  exchange.markets.push(market);
  const { id, symbol, terms, status } = market;
  exchange.marketBySymbol.set(symbol, id);
  startMarketTimers(exchange, market);
  exchange.events.push({ kind: 'marketListed', market: id, symbol, terms, status });
  return { kind: 'accepted', market };
}

/** One lot at the highest price stays a safe integer: ticksMax × grainMax is below 2^53. */
const grainMax = 9_000_000;

/**
 * tick × lot in whole 1e-6 USDT; undefined when it is not whole, or when the grid is not sensible.
 */
export function grainOf(tick: Grid, lot: Grid): number | undefined {
  for (const { decimals, step } of [tick, lot]) {
    if (!Number.isInteger(decimals) || decimals < 0 || decimals > 8) return undefined;
    if (!Number.isInteger(step) || step < 1 || step > 1_000_000) return undefined;
  }
  const power = moneyDecimals - tick.decimals - lot.decimals;
  const product = tick.step * lot.step;
  const divisor = 10 ** Math.max(-power, 0);
  if (product % divisor !== 0) return undefined;
  const grain = (product / divisor) * 10 ** Math.max(power, 0);
  return grain <= grainMax ? grain : undefined;
}

function createDues(now: Time): MarketDues {
  return {
    funding: 0 as Time,
    fundingSum: 0,
    fundingMs: 0,
    fundingFrom: now,
    fundingEnd: 0 as Time,
    fundingTimer: 0,
    fundedAt: 0 as Time,
    delivery: false,
    deliveryTimer: 0,
    settledAt: 0 as Time,
  };
}

function createMarket(exchange: Exchange, command: ListMarket, grain: Grain): Market {
  return {
    // Straight from the length: a number that went through a record whose fields hold doubles
    // elsewhere would be a double in every position of the market
    // (docs/decisions/0004-what-the-engine-waits-for.md).
    id: exchange.markets.length as MarketId,
    symbol: command.symbol,
    baseAsset: command.baseAsset,
    tick: command.tick,
    lot: command.lot,
    grain,
    listedAt: exchange.time,
    terms: command.terms,
    status: command.status,
    raise: { rate: 0 as Rate, at: 0 as Time, timer: 0 },
    book: createBook(),
    prices: {
      index: 0 as Ticks,
      mark: 0 as Ticks,
      premium: 0,
      premiumAt: 0 as Time,
      indexAt: 0 as Time,
      sources: [],
      pending: [],
      marks: [],
      breakerUntil: 0 as Time,
      epoch: 0,
    },
    figures: {
      last: 0 as Ticks,
      lastAt: 0 as Time,
      lastRegular: 0 as Ticks,
      tradeId: 0,
      longLots: 0 as Lots,
      shortLots: 0 as Lots,
      positionLots: 0 as Lots,
      entry: 0 as Money,
      fundingSum: 0,
      fundingAt: exchange.time,
      feesToShare: 0 as Money,
      epoch: 0,
    },
    dues: createDues(exchange.time),
    shares: new Map(),
    indexMinutes: [],
    triggers: createWaitingTriggers(),
    risk: createMarketRisk(),
  };
}
