// PUT /api/v1/api-keys/{id}: label and whitelist become a new profile row of the secret store, and
// then the command puts that profile in force. After a crash between the two the old profile stays
// in force.

import { Type } from 'typebox';
import { type ApiKeyStatus, apiKeyStatuses } from '../../engine/marginModes.ts';
import type { ApiKey } from '../../engine/views/account.ts';
import { must } from '../../std/assert.ts';
import type { OrderId, Time } from '../../units/units.ts';
import type { Deployment } from '../deployment.ts';
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
    const wanted = { reference, label: newLabel, whitelist, status };
    // One change after the other at this process; where another process was faster, again.
    return keys.inTurn(key.apiKey, async () => {
      let done = await change(deployment, key, wanted);
      for (let tries = 1; tries < triesMax && isOutrun(done); tries += 1) {
        done = await change(deployment, key, wanted);
      }
      return 'reason' in done ? done : answerJson(done);
    });
  },
});

/** Each try fails only when another change has succeeded. */
const triesMax = 5;

const isOutrun = (done: ApiKeyRecord | Failure): boolean =>
  'reason' in done && done.reason === 'apiKeyChanged';

type Wanted = {
  readonly reference: { readonly id: OrderId; readonly createdAt: Time };
  readonly label: string | undefined;
  readonly whitelist: string | undefined;
  readonly status: ApiKeyStatus | undefined;
};

/**
 * Starts from the profile in force, and fails when that is another one by then: a new label never
 * brings back an old whitelist.
 */
async function change(
  { keys, perform }: Deployment,
  key: ApiKey,
  { reference, label, whitelist, status }: Wanted,
): Promise<ApiKeyRecord | Failure> {
  await keys.arriving(key.apiKey);
  const before = key.profile;
  const present = keys.profileOf(before);
  if (present === undefined) {
    // A key without its profile (the secret store was lost) must not come back without
    // restrictions.
    return { reason: keys.arriving(key.apiKey) === undefined ? 'apiKeyUnknown' : 'overloaded' };
  }
  const changed = label !== undefined || whitelist !== undefined;
  const next = { label: label ?? present.label, ipWhitelist: whitelist ?? present.ipWhitelist };
  const profile = changed ? await keys.putProfile(next) : undefined;
  const named = { kind: 'updateApiKey', account: key.account, ...reference } as const;
  const command = { ...named, status, profile, ...(changed && { before }) };
  const done = await perform<ApiKeyRecord | Failure>(command, 'reserve', (outcome) =>
    outcome.kind === 'rejected'
      ? outcome.rejection
      : apiKeyRecord(must(outcome.apiKey, 'an updated key is in the outcome'), keys),
  );
  if (profile === undefined) return done;
  if (!('reason' in done)) keys.removeProfile(before);
  // Where the fate is unknown, the profile may be in force.
  else if (done.reason !== 'fateUnknown') keys.removeProfile(profile);
  return done;
}

/** '' when the client sent an empty text, which clears the value here; else undefined. */
function clearedBy(fields: Fields, name: string): '' | undefined {
  return fields.get(name) === '' ? '' : undefined;
}
