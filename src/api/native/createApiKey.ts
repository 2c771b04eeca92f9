// POST /api/v1/api-keys: secret, label and whitelist go to the secret store first; then the command
// that names them goes to the log (AUTH-4). No other answer ever shows the secret.

import { Type } from 'typebox';
import { apiKeysPerAccountMax } from '../../engine/limits.ts';
import type { Outcome } from '../../engine/outcome.ts';
import { apiKeysOf } from '../../engine/views/account.ts';
import { must } from '../../std/assert.ts';
import { exactObject, hexText } from '../answerSchema.ts';
import type { Deployment } from '../deployment.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, callerOf, defineProcedure, type Failure } from '../operation.ts';
import { apiKeyParameters } from './apiKeyParameters.ts';
import { type ApiKeyRecord, apiKeyRecord, apiKeyRecordSchema } from './apiKeyRecord.ts';
import * as routes from './nativeRoutes.ts';

/** A key outlives a token, so a stolen token must not make one: the login must be this fresh. */
const freshLoginMs = 1_800_000;

export const createApiKey = defineProcedure({
  ...routes.createApiKey,
  name: 'createApiKey',
  surface: 'native',
  weight: 1,
  summary: 'Creates an API key; its secret is shown this once.',
  parameters: Type.Object(apiKeyParameters),
  failures: [...commandRejections.createApiKey, 'ipWhitelistInvalid', 'loginTooOld'],
  response: exactObject({
    ...Type.Omit(apiKeyRecordSchema, ['last_used_at', 'rate_tier']).properties,
    secret_key: hexText(64, 'Shown this once.'),
  }),
  procedure: async (context, { label = '', ip_whitelist = '' }) => {
    const { deployment, loggedInAt, now } = context;
    if (now - loggedInAt > freshLoginMs) return { reason: 'loginTooOld' };
    const account = callerOf(context);
    const whitelist = deployment.keys.normalizeWhitelist(ip_whitelist);
    if (whitelist === undefined) return { reason: 'ipWhitelistInvalid' };
    // The engine decides; this only spares the secret store the rows of a key that cannot be.
    if (apiKeysOf(account).length >= apiKeysPerAccountMax) return { reason: 'apiKeysLimit' };
    const apiKey = deployment.randomBytes(32).toString('hex');
    const secret = deployment.randomBytes(32).toString('hex');
    const profile = await deployment.keys.createKeyRecord({
      apiKey,
      secret,
      label,
      ipWhitelist: whitelist,
    });
    const command = { kind: 'createApiKey', account: account.id, apiKey, profile } as const;
    const done = await deployment.perform(command, 'reserve', (outcome) =>
      createdOf(outcome, deployment),
    );
    if ('reason' in done) {
      // Where the fate is unknown, the key may exist.
      if (done.reason !== 'fateUnknown') await deployment.keys.removeKey(apiKey, profile);
      return done;
    }
    const { id, permissions, created_at, status } = done;
    const shown = { label: done.label, ip_whitelist: done.ip_whitelist };
    const key = { id, api_key: apiKey, secret_key: secret, ...shown };
    return answerJson({ ...key, permissions, created_at, status });
  },
});

function createdOf(outcome: Outcome, { keys }: Deployment): ApiKeyRecord | Failure {
  if (outcome.kind === 'rejected') return outcome.rejection;
  return apiKeyRecord(must(outcome.apiKey, 'a created key is in the outcome'), keys);
}
