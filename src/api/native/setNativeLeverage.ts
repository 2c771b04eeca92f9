// POST /api/v1/leverage (MAR-5): the standing leverage of the caller on a market.

import { Type } from 'typebox';
import { must } from '../../std/assert.ts';
import { moneyText } from '../grid.ts';
import { answerJson, callerOf, defineCommand } from '../operation.ts';
import { integerParameter, symbolParameter } from '../parameterSchema.ts';

export const setNativeLeverage = defineCommand({
  name: 'setNativeLeverage',
  surface: 'native',
  method: 'POST',
  path: '/api/v1/leverage',
  auth: 'jwt',
  weight: 1,
  summary: 'Sets the leverage that later orders on a market capture.',
  parameters: Type.Object({ symbol: symbolParameter(), leverage: integerParameter() }),
  response: Type.Object({
    leverage: Type.Integer(),
    max_notional_value: Type.String(),
    symbol: Type.String(),
  }),
  command: (context, { symbol: market, leverage }) => ({
    command: { kind: 'setLeverage', account: callerOf(context).id, market: market.id, leverage },
    lane: 'order',
    answer: (outcome) => {
      if (outcome.kind === 'rejected') return outcome.rejection;
      const { symbol, terms } = must(outcome.market, 'the market is in the outcome');
      const max_notional_value = moneyText(terms.openInterestCap);
      return answerJson({ leverage, max_notional_value, symbol });
    },
  }),
});
