// An API key as the wire shows it (spec, API key): the engine's record together with the secret
// store's profile. No record contains the secret.

import { type Static, Type } from 'typebox';
import type { ApiKey } from '../../engine/views/account.ts';
import { formatUuid } from '../../units/uuid.ts';
import {
  dateText,
  exactObject,
  hexText,
  idText,
  namedAnswerSchema,
  orNull,
  plainText,
} from '../answerSchema.ts';
import type { KeySecrets } from '../deployment.ts';
import { enumerations } from '../enumerations.ts';

export const permissions = 'trading,deposit';

const members = {
  id: idText(),
  api_key: hexText(64),
  label: plainText('As it was sent.'),
  ip_whitelist: plainText('IP addresses with commas; empty for all.'),
  permissions: Type.Literal(permissions),
  created_at: dateText(),
  last_used_at: orNull(dateText()),
  status: enumerations.apiKeyStatus,
  rate_tier: enumerations.rateTier,
};

export const apiKeyRecordSchema = namedAnswerSchema('ApiKey', exactObject(members));

export type ApiKeyRecord = Static<typeof apiKeyRecordSchema>;

/**
 * The record of a key in the state. Its profile is in the secret store, where it was written first.
 * Without the secret store the key gives no access any more and shows no label.
 */
export function apiKeyRecord(key: Readonly<ApiKey>, secretStore: KeySecrets): ApiKeyRecord {
  const profile = secretStore.profileOf(key.profile);
  const lastUsedAt = secretStore.lastUsedOf(key.apiKey);
  return {
    id: formatUuid(key.createdAt, key.id),
    api_key: key.apiKey,
    label: profile?.label ?? '',
    ip_whitelist: profile?.ipWhitelist ?? '',
    permissions,
    created_at: new Date(key.createdAt).toISOString(),
    last_used_at: lastUsedAt === undefined ? null : new Date(lastUsedAt).toISOString(),
    status: key.status,
    rate_tier: key.rateTier,
  };
}
