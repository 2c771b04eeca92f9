// The words of a scenario that compare something with the numbers of the line.

import { expect } from 'vitest';
import { positionIn } from '../../src/engine/account.ts';
import { clientOrderIdOf } from '../../src/engine/clientOrderId.ts';
import { type Market, shownStatus } from '../../src/engine/market.ts';
import { accountFigures } from '../../src/engine/views/accountFigures.ts';
import { depthOfMarket } from '../../src/engine/views/depthOfMarket.ts';
import { entryPriceText } from '../../src/engine/views/entryPriceText.ts';
import {
  fundingRateOf,
  hourlyFundingRate,
  nextFundingTime,
} from '../../src/engine/views/fundingRateOf.ts';
import type { Order } from '../../src/engine/views/order.ts';
import { positionFigures } from '../../src/engine/views/positionFigures.ts';
import { standingsOf } from '../../src/engine/views/positionStanding.ts';
import { stateOf } from '../../src/engine/views/stateOf.ts';
import { findEndedOrder } from '../../src/market-data/endedOrders.ts';
import { directValues } from '../../src/std/directMap.ts';
import { formatTrimmed } from '../../src/units/decimal.ts';
import type { Lots, Ticks } from '../../src/units/units.ts';
import { orderReference } from './legWords.ts';
import { fundFigures, moneyFigures } from './moneyWords.ts';
import { priceFigures } from './priceWords.ts';
import { referralFigures } from './referralWords.ts';
import { accountOf, lotsText, marketOf, moneyText, ticksText, type World } from './world.ts';

/** Checks a market or the funds; false: the step begins with none of these words. */
export function expectOfAll(world: World, words: readonly string[], where: string): boolean {
  const [first, ...rest] = words;
  switch (first) {
    case 'book':
      expectBook(world, rest, where);
      return true;
    case 'mark': {
      const market = marketOf(world, rest);
      expect(ticksText(market, market.prices.mark), where).toBe(rest[0]);
      return true;
    }
    case 'openInterest': {
      const market = marketOf(world, rest);
      const { longLots, shortLots } = market.figures;
      const reported = `${lotsText(market, longLots)} ${lotsText(market, shortLots)}`;
      expect(reported, where).toBe(rest.join(' '));
      return true;
    }
    case 'shows':
      expectMarket(world, rest, where);
      return true;
    case 'trades':
      expectTrades(world, rest, where);
      return true;
    case 'funds':
      for (const [fund, value] of pairs(rest)) {
        expect(`${fund} ${fundFigures(world)[fund]}`, where).toBe(`${fund} ${value}`);
      }
      return true;
    default:
      return false;
  }
}

/** Checks an account or one of its orders; false: the verb is none of these. */
export function expectOf(
  world: World,
  name: string,
  words: readonly string[],
  where: string,
): boolean {
  const [verb, ...rest] = words;
  if (verb === 'has') expectAccount(world, name, rest, where);
  else if (verb === 'order') expectOrder(world, name, rest, where);
  else return false;
  return true;
}

function pairs(words: readonly string[]): [string, string][] {
  const result: [string, string][] = [];
  for (let i = 0; i < words.length; i += 2) result.push([words[i]!, words[i + 1]!]);
  return result;
}

function compare(
  figures: Record<string, string>,
  words: readonly string[],
  owner: string,
  where: string,
): void {
  for (const [figure, value] of pairs(words)) {
    if (!(figure in figures)) throw new Error(`${where}: ${figure} is no figure of ${owner}`);
    expect(`${figure} ${figures[figure]}`, where).toBe(`${figure} ${value}`);
  }
}

function expectAccount(world: World, name: string, words: string[], where: string): void {
  const account = accountOf(world, name);
  const market = marketOf(world, words);
  const position = positionIn(account, market.id);
  const figures = accountFigures(world.exchange, account);
  const inMarket = positionFigures(world.exchange, position);
  const standing = standingsOf(world.exchange, account)(position);
  const reported = {
    available: moneyText(figures.available),
    usable: moneyText(figures.availableBalance),
    freezes: moneyText(figures.orderMargin),
    collateral: moneyText(figures.positionMargin),
    balance: moneyText(figures.balance),
    unrealized: moneyText(figures.unrealized),
    equity: moneyText(figures.equity),
    maintenance: moneyText(figures.maintenance),
    rate: String(inMarket.maintenanceRate / 1e8),
    position: lotsText(market, position.lots),
    entry: moneyText(position.entry),
    entryPrice: entryPriceText(market, position),
    held: moneyText(position.collateral),
    orders: String(position.orderCount),
    leverage: String(inMarket.leverage),
    liquidation: ticksText(market, standing.liquidationTicks),
    ...moneyFigures(world, account, market),
    ...referralFigures(world, account),
  };
  compare(reported, words, 'an account', where);
}

function expectOrder(world: World, name: string, words: string[], where: string): void {
  const account = accountOf(world, name);
  const [clientOrderId, ...rest] = words;
  const reference = orderReference(world, name, clientOrderId!);
  const live = directValues(world.exchange.orders).find(
    (order) =>
      order.account === account.id &&
      ('id' in reference
        ? order.id === reference.id
        : clientOrderIdOf(order) === reference.clientOrderId),
  );
  const order: Readonly<Order> | undefined =
    live ?? findEndedOrder(world.ended, account.id, reference);
  if (order === undefined) throw new Error(`${where}: there never was such an order`);
  const market = world.exchange.markets[order.market]!;
  const reported = {
    status: order.status,
    reason: order.cancelReason,
    tif: order.timeInForce,
    open: lotsText(market, order.open),
    quantity: lotsText(market, order.lots),
    filled: lotsText(market, order.filled),
    paid: moneyText(order.filledNotional),
    price: ticksText(market, order.ticks),
    cover: lotsText(market, stateOf.order(order).cover),
    freeze: moneyText(order.freeze),
    leverage: String(order.leverage),
    mark: ticksText(market, order.markAtCreation),
  };
  compare(reported, rest, 'an order', where);
}

function expectBook(world: World, words: string[], where: string): void {
  const market = marketOf(world, words);
  const depth = depthOfMarket(market, 100);
  const text = (levels: [Ticks, Lots][]): string =>
    levels
      .map(([ticks, lots]) => `${lotsText(market, lots)}@${ticksText(market, ticks)}`)
      .join(' ');
  const reported = `bids ${text(depth.bids)} asks ${text(depth.asks)}`.replace(/\s+/g, ' ').trim();
  expect(reported, where).toBe(words.join(' '));
}

function expectMarket(world: World, words: string[], where: string): void {
  const market: Market = marketOf(world, words);
  const reported = {
    status: shownStatus(market, world.exchange.time),
    index: ticksText(market, market.prices.index),
    mark: ticksText(market, market.prices.mark),
    last: ticksText(market, market.figures.last),
    // Millionths of a tick.
    premium: String(market.prices.premium),
    fundingRate: formatTrimmed(fundingRateOf(market, world.exchange.time), 8),
    hourlyRate: formatTrimmed(hourlyFundingRate(market, world.exchange.time), 8),
    nextFunding: String(nextFundingTime(market, world.exchange.time)),
    tradeId: String(market.figures.tradeId),
    maxLeverage: String(market.terms.maxLeverage),
    ...priceFigures(world, market),
  };
  compare(reported, words, 'a market', where);
}

function expectTrades(world: World, words: string[], where: string): void {
  const { symbol } = marketOf(world, words);
  const reported = world.trades
    .filter((trade) => trade.symbol === symbol)
    .map((trade) => trade.text);
  expect(reported.join(' '), where).toBe(words.join(' '));
}
