// POST /api/v1/leverage (MAR-5): the caller's leverage on a market.

import { Type } from 'typebox';
import { must } from '../../std/assert.ts';
import { countNumber, decimalText, exactObject, symbolText } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { moneyText } from '../grid.ts';
import { answerJson, callerOf, defineCommand } from '../operation.ts';
import { integerParameter, symbolParameter } from '../parameterSchema.ts';
import * as routes from './nativeRoutes.ts';

export const setNativeLeverage = defineCommand({
  ...routes.setNativeLeverage,
  name: 'setNativeLeverage',
  surface: 'native',
  weight: 1,
  summary: 'Sets the leverage that later orders on a market capture.',
  parameters: Type.Object({ symbol: symbolParameter(), leverage: integerParameter() }),
  failures: commandRejections.setLeverage,
  response: exactObject({
    leverage: countNumber(),
    max_notional_value: decimalText(),
    symbol: symbolText(),
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
