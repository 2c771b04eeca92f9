// POST, PUT and DELETE /fapi/v1/listenKey (conventions, 12.1): the key that opens the caller's user
// data stream. The API key alone is enough, because stock clients sign none of the three.

import { Type } from 'typebox';
import { exactObject } from '../answerSchema.ts';
import { answerJson, callerOf, defineProcedure } from '../operation.ts';

const keyed = exactObject({ listenKey: Type.String({ pattern: '^[A-Za-z0-9]{64}$' }) });

const common = {
  surface: 'fapi',
  path: '/fapi/v1/listenKey',
  auth: 'keyOnly',
  weight: 1,
  parameters: Type.Object({}),
} as const;

export const listenKeyRows = {
  startListenKey: defineProcedure({
    ...common,
    name: 'startListenKey',
    method: 'POST',
    summary: 'The account’s listen key, made when it has none, for another 60 minutes.',
    response: keyed,
    procedure: async (context) => {
      const listenKey = context.deployment.listenKeys.open(callerOf(context).id);
      return listenKey === undefined ? { reason: 'overloaded' } : answerJson({ listenKey });
    },
  }),
  keepListenKey: defineProcedure({
    ...common,
    name: 'keepListenKey',
    method: 'PUT',
    summary: 'The account’s listen key for another 60 minutes.',
    failures: ['listenKeyUnknown'],
    response: keyed,
    procedure: async (context) => {
      const listenKey = context.deployment.listenKeys.keepAlive(callerOf(context).id);
      return listenKey === undefined ? { reason: 'listenKeyUnknown' } : answerJson({ listenKey });
    },
  }),
  closeListenKey: defineProcedure({
    ...common,
    name: 'closeListenKey',
    method: 'DELETE',
    summary: 'Ends the account’s listen key and closes what reads it.',
    response: exactObject({}),
    procedure: async (context) => {
      context.deployment.listenKeys.close(callerOf(context).id);
      return answerJson({});
    },
  }),
} as const;
