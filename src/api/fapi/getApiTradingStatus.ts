// GET /fapi/v1/apiTradingStatus (conventions, 15): no indicator restricts trading.

import { exactObject, timeNumber } from '../answerSchema.ts';
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
  response: exactObject({ indicators: exactObject({}), updateTime: timeNumber() }),
  query: ({ now }) => answerJson({ indicators: {}, updateTime: now }),
});
