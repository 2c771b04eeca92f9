// GET /fapi/v1/ticker/price and its v2: the last price; before the first trade the mark (spec).

import { marketsOf } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import { decimalText, exactObject, symbolText, timeNumber } from '../answerSchema.ts';
import { priceText } from '../grid.ts';
import { defineQuery } from '../operation.ts';
import { oneOrAll, oneOrAllSchema, optionalSymbol, tickerWeight } from './oneOrAll.ts';

const row = exactObject({ symbol: symbolText(), price: decimalText(), time: timeNumber() });

function priceRecord(market: Market): object {
  const { figures, prices, symbol } = market;
  const traded = figures.last !== 0;
  const price = priceText(traded ? figures.last : prices.mark, market);
  return { symbol, price, time: traded ? figures.lastAt : prices.indexAt };
}

function priceTicker(version: 1 | 2) {
  return defineQuery({
    name: `getPriceTickerV${version}`,
    surface: 'fapi',
    method: 'GET',
    path: `/fapi/v${version}/ticker/price`,
    auth: 'none',
    weight: tickerWeight,
    summary: 'The last price of one symbol or of all.',
    parameters: optionalSymbol,
    response: oneOrAllSchema(row),
    query: ({ deployment }, { symbol }) =>
      oneOrAll(symbol, marketsOf(deployment.exchange), priceRecord),
  });
}

export const priceTickerRows = {
  getPriceTickerV1: priceTicker(1),
  getPriceTickerV2: priceTicker(2),
} as const;
