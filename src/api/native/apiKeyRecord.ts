// An API key as the wire shows it (spec, API key): what the engine knows of it joined with the
// vault's profile. The secret is in no record.

import { type Static, Type } from 'typebox';
import type { ApiKey } from '../../engine/account.ts';
import { formatUuid } from '../../units/uuid.ts';
import type { KeyVault } from '../deployment.ts';

export const permissions = 'trading,deposit';

export const apiKeyRecordSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  api_key: Type.String(),
  label: Type.String(),
  ip_whitelist: Type.String(),
  permissions: Type.Literal(permissions),
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  status: Type.Union([Type.Literal('active'), Type.Literal('disabled')]),
  rate_tier: Type.Union([Type.Literal('standard'), Type.Literal('ext-mm'), Type.Literal('house')]),
});

export type ApiKeyRecord = Static<typeof apiKeyRecordSchema>;

/**
 * The record of a key in the state. Its profile is in the vault, where it was written first; with
 * the vault lost, the key opens nothing any more and shows no label.
 */
export function apiKeyRecord(key: Readonly<ApiKey>, vault: KeyVault): ApiKeyRecord {
  const profile = vault.profileOf(key.profile);
  const lastUsedAt = vault.lastUsedOf(key.apiKey);
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
