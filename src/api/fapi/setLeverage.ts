// POST /fapi/v1/leverage (spec; MAR-5).

import { Type } from 'typebox';
import { countNumber, decimalText, exactObject, symbolText } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { moneyText } from '../grid.ts';
import { answerJson, callerOf, defineCommand } from '../operation.ts';
import { integerParameter, symbolParameter } from '../parameterSchema.ts';

export const setLeverage = defineCommand({
  name: 'setLeverage',
  surface: 'fapi',
  method: 'POST',
  path: '/fapi/v1/leverage',
  auth: 'key',
  weight: 1,
  summary: 'Sets the leverage of a symbol for later orders.',
  parameters: Type.Object({ symbol: symbolParameter(), leverage: integerParameter() }),
  failures: commandRejections.setLeverage,
  response: exactObject({
    leverage: countNumber(),
    maxNotionalValue: decimalText(),
    symbol: symbolText(),
  }),
  command: (context, { symbol: market, leverage }) => ({
    command: { kind: 'setLeverage', account: callerOf(context).id, market: market.id, leverage },
    lane: 'order',
    answer: (outcome) => {
      if (outcome.kind === 'rejected') return outcome.rejection;
      const maxNotionalValue = moneyText(market.terms.openInterestCap);
      return answerJson({ leverage, maxNotionalValue, symbol: market.symbol });
    },
  }),
});
