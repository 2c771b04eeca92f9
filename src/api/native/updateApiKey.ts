// PUT /api/v1/api-keys/{id}: label and whitelist become a new profile row of the secret store, and
// then the command puts that profile in force. After a crash between the two the old profile stays
// in force.

import { Type } from 'typebox';
import { apiKeyStatuses } from '../../engine/marginModes.ts';
import { must } from '../../std/assert.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import type { Fields } from '../fields.ts';
import { answerJson, callerOf, defineProcedure, type Failure } from '../operation.ts';
import { choiceParameter, optional, orderIdParameter } from '../parameterSchema.ts';
import { apiKeyParameters, ownKey } from './apiKeyParameters.ts';
import { type ApiKeyRecord, apiKeyRecord, apiKeyRecordSchema } from './apiKeyRecord.ts';
import * as routes from './nativeRoutes.ts';

export const updateApiKey = defineProcedure({
  ...routes.updateApiKey,
  name: 'updateApiKey',
  surface: 'native',
  // It waits for the thread of the secret store and for the log, one change of a key after the
  // other, so each change wakes both threads several times.
  weight: 20,
  summary: 'Changes label, IP whitelist or status of an API key; an empty text clears.',
  parameters: Type.Object({
    id: orderIdParameter(),
    ...apiKeyParameters,
    status: optional(choiceParameter(apiKeyStatuses)),
  }),
  failures: [...commandRejections.updateApiKey, 'ipWhitelistInvalid'],
  response: apiKeyRecordSchema,
  procedure: async (context, { id: reference, label, ip_whitelist, status }) => {
    const { deployment, fields } = context;
    const { keys } = deployment;
    const account = callerOf(context);
    const key = ownKey(account, reference);
    if (key === undefined) return { reason: 'apiKeyUnknown' };
    const newLabel = label ?? clearedBy(fields, 'label');
    const sentWhitelist = ip_whitelist ?? clearedBy(fields, 'ip_whitelist');
    const whitelist =
      sentWhitelist === undefined ? undefined : keys.normalizeWhitelist(sentWhitelist);
    if (sentWhitelist !== undefined && whitelist === undefined) {
      return { reason: 'ipWhitelistInvalid' };
    }
    // One change after the other. Each starts from the profile that the previous change put in
    // force, so that a new label never brings back an old whitelist.
    return keys.inTurn(key.apiKey, async () => {
      const before = key.profile;
      const present = keys.profileOf(before);
      // A key without its profile (the secret store was lost) must not come back without
      // restrictions.
      if (present === undefined) return { reason: 'apiKeyUnknown' };
      const changed = newLabel !== undefined || whitelist !== undefined;
      const next = {
        label: newLabel ?? present.label,
        ipWhitelist: whitelist ?? present.ipWhitelist,
      };
      const profile = changed ? await keys.putProfile(next) : undefined;
      const named = { account: account.id, ...reference };
      const command = { kind: 'updateApiKey', ...named, status, profile } as const;
      const done = await deployment.perform<ApiKeyRecord | Failure>(
        command,
        'reserve',
        (outcome) =>
          outcome.kind === 'rejected'
            ? outcome.rejection
            : apiKeyRecord(must(outcome.apiKey, 'an updated key is in the outcome'), keys),
      );
      if ('reason' in done) {
        // Where the fate is unknown, the profile may be in force.
        if (profile !== undefined && done.reason !== 'fateUnknown') keys.removeProfile(profile);
        return done;
      }
      if (profile !== undefined) keys.removeProfile(before);
      return answerJson(done);
    });
  },
});

/** '' when the client sent an empty text, which clears the value here; else undefined. */
function clearedBy(fields: Fields, name: string): '' | undefined {
  return fields.get(name) === '' ? '' : undefined;
}
