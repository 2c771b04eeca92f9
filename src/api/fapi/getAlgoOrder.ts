// GET /fapi/v1/algoOrder (conventions, 9.5): a trigger of the account, whatever its state.

import { Type } from 'typebox';
import { callerOf, defineQuery } from '../operation.ts';
import {
  algoChoiceParameters,
  algoReferenceOf,
  findAnyTrigger,
  requiresAlgoChoice,
} from './algoChoice.ts';
import { algoRecordSchema, algoRecordText } from './algoRecord.ts';

export const getAlgoOrder = defineQuery({
  name: 'getAlgoOrder',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/algoOrder',
  auth: 'key',
  weight: 1,
  summary: 'One trigger of either route by either id.',
  parameters: Type.Object(algoChoiceParameters),
  response: algoRecordSchema,
  requires: requiresAlgoChoice,
  query: (context, parameters) => {
    const { deployment } = context;
    const reference = algoReferenceOf(parameters);
    const trigger = findAnyTrigger(deployment, callerOf(context), reference);
    if (trigger === undefined) return { reason: 'orderUnknown' };
    return { status: 200, text: algoRecordText(deployment, trigger) };
  },
});
