// POST /api/v1/positions/{symbol}/collateral (MAR-7): adds to the collateral of an isolated
// position, or removes what the position does not need.

import { Type } from 'typebox';
import { positionOf } from '../../engine/views/position.ts';
import { must } from '../../std/assert.ts';
import { decimalText, exactObject, symbolText } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { moneyText } from '../grid.ts';
import { answerJson, callerOf, defineCommand } from '../operation.ts';
import { decimalParameter, symbolParameter } from '../parameterSchema.ts';
import { readExactMoney } from '../readExactMoney.ts';
import * as routes from './nativeRoutes.ts';

export const transferCollateral = defineCommand({
  ...routes.transferCollateral,
  name: 'transferCollateral',
  surface: 'native',
  weight: 1,
  summary: 'Moves USDT between the available balance and the collateral of an isolated position.',
  parameters: Type.Object({
    symbol: symbolParameter(),
    delta: decimalParameter({
      description: 'USDT, at most six decimals; above 0 adds, below removes.',
    }),
  }),
  failures: [...commandRejections.transferCollateral, 'quantityInvalid'],
  response: exactObject({
    symbol: symbolText(),
    delta: decimalText(),
    collateral: decimalText('Of the position, afterwards.'),
    available_balance: decimalText(),
  }),
  command: (context, { symbol: market, delta: text }) => {
    const account = callerOf(context);
    const delta = readExactMoney(text, 'delta');
    if (typeof delta !== 'number') return delta;
    if (delta === 0) return { reason: 'quantityInvalid', name: 'delta' };
    return {
      command: { kind: 'transferCollateral', account: account.id, market: market.id, delta },
      // Adding lowers a risk. Like a cancel it passes when orders are refused.
      lane: delta > 0 ? 'reserve' : 'order',
      answer: (outcome) => {
        if (outcome.kind === 'rejected') return outcome.rejection;
        const { symbol } = must(outcome.market, 'the market is in the outcome');
        const position = must(positionOf(account, market.id), 'what was moved has a position');
        return answerJson({
          symbol,
          delta: moneyText(delta),
          collateral: moneyText(position.collateral),
          available_balance: moneyText(account.available),
        });
      },
    };
  },
});
