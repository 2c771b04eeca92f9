// GET /api/v1/balances: FAPI's balance rows in snake_case.

import { Type } from 'typebox';
import { getBalanceV2 as same } from '../fapi/getBalanceV2.ts';
import { defineQuery, isAnswer } from '../operation.ts';
import { snakeAnswer, snakeSchema } from './snakeCase.ts';

export const listBalances = defineQuery({
  name: 'listBalances',
  surface: 'native',
  method: 'GET',
  path: '/api/v1/balances',
  auth: 'jwt',
  weight: 1,
  summary: 'The balance; an account that never had one shows a row of zeros.',
  parameters: Type.Object({}),
  response: snakeSchema(same.response),
  query: (context) => {
    const answer = same.query(context, {});
    return isAnswer(answer) ? snakeAnswer(answer.text) : answer;
  },
});
