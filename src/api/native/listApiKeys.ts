// GET /api/v1/api-keys: the caller's keys without their secrets.

import { Type } from 'typebox';
import { answerJson, callerOf, defineQuery } from '../operation.ts';
import { apiKeyRecord, apiKeyRecordSchema } from './apiKeyRecord.ts';

export const listApiKeys = defineQuery({
  name: 'listApiKeys',
  surface: 'native',
  method: 'GET',
  path: '/api/v1/api-keys',
  auth: 'jwt',
  weight: 1,
  summary: "The account's API keys, oldest first, without secrets.",
  parameters: Type.Object({}),
  response: Type.Array(apiKeyRecordSchema),
  query: (context) => {
    const { keys } = context.deployment;
    return answerJson(callerOf(context).apiKeys.map((key) => apiKeyRecord(key, keys)));
  },
});
