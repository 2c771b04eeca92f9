// GET /api/v1/insurance-fund (NAT-2): the balance of the insurance fund, the positions that it has
// taken over (LIQ-3), and the unpaid amount of all losses (LIQ-4).

import { Type } from 'typebox';
import { insuranceAccount } from '../../engine/marginModes.ts';
import { accountFigures } from '../../engine/views/accountFigures.ts';
import { entryPriceText } from '../../engine/views/entryPriceText.ts';
import { accountById, type Exchange, marketById } from '../../engine/views/exchange.ts';
import { type Position, positionsOf } from '../../engine/views/position.ts';
import { must } from '../../std/assert.ts';
import { notionalOf } from '../../units/notional.ts';
import type { Money } from '../../units/units.ts';
import { decimalText, exactObject, symbolText, timeNumber } from '../answerSchema.ts';
import { moneyText, priceText, quantityText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import * as routes from './nativeRoutes.ts';

export const getInsuranceFund = defineQuery({
  ...routes.getInsuranceFund,
  name: 'getInsuranceFund',
  surface: 'native',
  weight: 1,
  summary: 'Balance, equity and positions of the insurance fund, and the shortfall.',
  parameters: Type.Object({}),
  response: exactObject({
    balance: decimalText(),
    equity: decimalText(),
    notional: decimalText('Of all positions at the mark, USDT.'),
    shortfall: decimalText('The unpaid amount of all losses; money that comes in repays it first.'),
    positions: Type.Array(
      exactObject({
        symbol: symbolText(),
        position_amt: decimalText(),
        entry_price: decimalText(),
        mark_price: decimalText(),
        un_realized_profit: decimalText(),
        notional: decimalText(),
      }),
    ),
    time: timeNumber(),
  }),
  query: ({ deployment: { exchange }, now }) => {
    const fund = must(accountById(exchange, insuranceAccount), 'every exchange has its fund');
    const { balance, equity } = accountFigures(exchange, fund);
    const open = positionsOf(fund).filter(
      (position): position is Position => position !== undefined && position.lots !== 0,
    );
    const records = open.map((position) => fundPosition(exchange, position));
    const notional = records.reduce((sum, each) => sum + Math.abs(each.value), 0) as Money;
    return answerJson({
      balance: moneyText(balance),
      equity: moneyText(equity),
      notional: moneyText(notional),
      shortfall: moneyText(exchange.funds.shortfall),
      positions: records.map(({ value: _value, ...record }) => record),
      time: now,
    });
  },
});

/** value = quantity × mark, unrealised = value − entry notional, both signed as the quantity. */
function fundPosition(exchange: Exchange, position: Position) {
  const market = must(marketById(exchange, position.market), 'a position has a market');
  const { mark } = market.prices;
  const value = notionalOf(mark, position.lots, market.grain);
  return {
    value,
    symbol: market.symbol,
    position_amt: quantityText(position.lots, market),
    entry_price: entryPriceText(market, position),
    mark_price: priceText(mark, market),
    un_realized_profit: moneyText((value - position.entry) as Money),
    notional: moneyText(value),
  };
}
