// GET /api/v1/positions: FAPI's position rows in snake_case.

import { Type } from 'typebox';
import { positionRiskRows } from '../fapi/positionRiskRows.ts';
import { defineQuery, isAnswer } from '../operation.ts';
import { optional, symbolParameter } from '../parameterSchema.ts';
import { snakeAnswer, snakeSchema } from './snakeCase.ts';

const { getPositionRiskV2: same } = positionRiskRows;

export const listPositions = defineQuery({
  name: 'listPositions',
  surface: 'native',
  method: 'GET',
  path: '/api/v1/positions',
  auth: 'jwt',
  weight: 1,
  summary: 'Open positions, of one symbol or of all.',
  parameters: Type.Object({ symbol: optional(symbolParameter()) }),
  response: snakeSchema(same.response),
  query: (context, parameters) => {
    const answer = same.query(context, parameters);
    return isAnswer(answer) ? snakeAnswer(answer.text) : answer;
  },
});
