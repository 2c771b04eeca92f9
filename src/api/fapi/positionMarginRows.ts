// POST /fapi/v1/positionMargin and its history (conventions, 15). Isolated positions exist on the
// native surface only, so these operations never move margin.

import { Type } from 'typebox';
import { exactObject } from '../answerSchema.ts';
import { isRefused, readMoney } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { choiceParameter, decimalParameter, symbolParameter } from '../parameterSchema.ts';

const common = { surface: 'fapi', auth: 'key', weight: 1 } as const;

export const positionMarginRows = {
  movePositionMargin: defineQuery({
    ...common,
    name: 'movePositionMargin',
    method: 'POST',
    path: '/fapi/v1/positionMargin',
    summary: 'Refused: isolated margin is not available on this surface.',
    parameters: Type.Object({
      symbol: symbolParameter(),
      amount: decimalParameter(),
      type: choiceParameter(['1', '2']),
    }),
    failures: ['isolatedUnavailable'],
    response: exactObject({}),
    query: (_context, { amount }) => {
      const money = readMoney(amount, 'amount');
      return isRefused(money) ? money : { reason: 'isolatedUnavailable' };
    },
  }),
  getPositionMarginHistory: defineQuery({
    ...common,
    name: 'getPositionMarginHistory',
    method: 'GET',
    path: '/fapi/v1/positionMargin/history',
    summary: 'Empty: nothing is moved on this surface.',
    parameters: Type.Object({ symbol: symbolParameter() }),
    response: Type.Array(exactObject({})),
    query: () => answerJson([]),
  }),
} as const;
