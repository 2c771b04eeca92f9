// GET /fapi/v1/apiTradingStatus (conventions, 15): nobody's trading is restricted by indicators.

import { Type } from 'typebox';
import { answerJson, defineQuery } from '../operation.ts';
import { optionalSymbol } from './oneOrAll.ts';

export const getApiTradingStatus = defineQuery({
  name: 'getApiTradingStatus',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/apiTradingStatus',
  auth: 'key',
  weight: 1,
  summary: 'Trading indicators: there are none.',
  parameters: optionalSymbol,
  response: Type.Object({ indicators: Type.Object({}), updateTime: Type.Integer() }),
  query: ({ now }) => answerJson({ indicators: {}, updateTime: now }),
});
