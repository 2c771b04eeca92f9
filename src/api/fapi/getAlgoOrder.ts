// GET /fapi/v1/algoOrder (conventions, 9.5): a trigger of the account, in any state.

import { Type } from 'typebox';
import { hasFailed } from '../historyPort.ts';
import { callerOf, defineProcedure } from '../operation.ts';
import {
  algoChoiceParameters,
  algoReferenceOf,
  findAnyTrigger,
  requiresAlgoChoice,
} from './algoChoice.ts';
import { algoRecordSchema, answerTrigger } from './algoRecord.ts';

export const getAlgoOrder = defineProcedure({
  name: 'getAlgoOrder',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/algoOrder',
  auth: 'key',
  weight: 1,
  summary: 'One trigger of either route by either id.',
  parameters: Type.Object(algoChoiceParameters),
  failures: ['parameterMissing', 'orderUnknown', 'databaseFailed'],
  response: algoRecordSchema,
  requires: requiresAlgoChoice,
  procedure: async (context, parameters) => {
    const { deployment } = context;
    const reference = algoReferenceOf(parameters);
    const trigger = await findAnyTrigger(deployment, callerOf(context), reference);
    if (trigger === undefined) return { reason: 'orderUnknown' };
    return hasFailed(trigger) ? trigger : answerTrigger(deployment, trigger);
  },
});
