// GET /fapi/v1/ticker/bookTicker (conventions, 15): the best price of each side, "0" when the side
// is empty; and the socket method for the same data (14.3).

import { bestOf, updateIdOf } from '../../engine/views/depthOfMarket.ts';
import { marketsOf } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import type { Lots, Ticks, Time } from '../../units/units.ts';
import { countNumber, decimalText, exactObject, symbolText, timeNumber } from '../answerSchema.ts';
import { priceText, quantityText } from '../grid.ts';
import { defineQuery } from '../operation.ts';
import { oneOrAll, oneOrAllSchema, optionalSymbol } from './oneOrAll.ts';

const row = exactObject({
  symbol: symbolText(),
  bidPrice: decimalText(),
  bidQty: decimalText(),
  askPrice: decimalText(),
  askQty: decimalText(),
  time: timeNumber(),
});

export const getBookTicker = defineQuery({
  name: 'getBookTicker',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/ticker/bookTicker',
  auth: 'none',
  weight: 1,
  summary: 'Best bid and ask of one symbol or of all.',
  parameters: optionalSymbol,
  response: oneOrAllSchema(row),
  query: ({ deployment }, { symbol }) => {
    const { exchange } = deployment;
    return oneOrAll(symbol, marketsOf(exchange), (market) => bookRecord(market, exchange.time));
  },
});

/** The method ticker.book; its rows also have the number of the book. */
export const getSocketBookTicker = defineQuery({
  ...getBookTicker,
  name: 'getSocketBookTicker',
  response: oneOrAllSchema(exactObject({ lastUpdateId: countNumber(), ...row.properties })),
  query: ({ deployment }, { symbol }) => {
    const { exchange } = deployment;
    return oneOrAll(symbol, marketsOf(exchange), (market) => ({
      lastUpdateId: updateIdOf(market),
      ...bookRecord(market, exchange.time),
    }));
  },
});

function bookRecord(market: Market, time: Time): object {
  const { bidTicks, bidLots, askTicks, askLots } = bestOf(market);
  const price = (ticks: Ticks): string => (ticks === 0 ? '0' : priceText(ticks, market));
  const quantity = (lots: Lots): string => (lots === 0 ? '0' : quantityText(lots, market));
  return {
    symbol: market.symbol,
    bidPrice: price(bidTicks),
    bidQty: quantity(bidLots),
    askPrice: price(askTicks),
    askQty: quantity(askLots),
    time,
  };
}
