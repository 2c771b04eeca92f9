// GET /api/v1/api-keys: the caller's keys without their secrets.

import { Type } from 'typebox';
import { apiKeysOf } from '../../engine/views/account.ts';
import { answerJson, callerOf, defineQuery } from '../operation.ts';
import { apiKeyRecord, apiKeyRecordSchema } from './apiKeyRecord.ts';
import * as routes from './nativeRoutes.ts';

export const listApiKeys = defineQuery({
  ...routes.listApiKeys,
  name: 'listApiKeys',
  surface: 'native',
  weight: 1,
  summary: "The account's API keys, oldest first, without secrets.",
  parameters: Type.Object({}),
  response: Type.Array(apiKeyRecordSchema),
  query: (context) => {
    const { keys } = context.deployment;
    return answerJson(apiKeysOf(callerOf(context)).map((key) => apiKeyRecord(key, keys)));
  },
});
