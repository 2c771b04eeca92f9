// What the gateway keeps of every API key in use: its secret made ready, its address list, and its
// counters. The engine's state says whether the key lives; the vault holds what is read here.

import type { ApiKey } from '../engine/views/account.ts';
import type { Vault } from '../secrets/vault.ts';
import { must } from '../std/assert.ts';
import { type HmacKey, makeHmacKey } from './identity/hmacSignature.ts';
import { type IpWhitelist, parseIpWhitelist } from './identity/ipWhitelist.ts';
import {
  type Counter,
  createCounter,
  createGenerations,
  createOrderCounters,
  type Generations,
  type OrderCounters,
  recordOf,
} from './rateLimits.ts';

/** Keys counted apart in one minute; those beyond share one set of counters. */
const keysMax = 500_000;

/** What a key has used of its tier (AUTH-7). */
export type KeyUse = {
  readonly weight: Counter;
  readonly orders: OrderCounters;
  material: KeyMaterial | undefined;
};

type KeyMaterial = {
  /** The profile that the address list is from; another one in the state makes this stale. */
  readonly profile: string;
  readonly hmac: HmacKey;
  readonly whitelist: IpWhitelist;
};

export type KeyRing = {
  /** The counters of a key. */
  readonly useOf: (apiKey: ApiKey, now: number) => KeyUse;
  /**
   * The secret and address list of a key; undefined when the vault has none, which is so for a
   * moment after a key was deleted. Cost: 0.1 µs for a key in use, else two rows of the vault.
   */
  readonly materialOf: (apiKey: ApiKey, use: KeyUse) => KeyMaterial | undefined;
};

function createKeyUse(): KeyUse {
  return { weight: createCounter(), orders: createOrderCounters(), material: undefined };
}

export function createKeyRing(vault: Pick<Vault, 'secretOf' | 'profileOf'>): KeyRing {
  const crowd = createKeyUse();
  const uses: Generations<ApiKey, KeyUse> = createGenerations({
    make: createKeyUse,
    crowd,
    sizeMax: keysMax,
  });
  const load = (apiKey: ApiKey): KeyMaterial | undefined => {
    const secret = vault.secretOf(apiKey.apiKey);
    const profile = vault.profileOf(apiKey.profile);
    if (secret === undefined || profile === undefined) return undefined;
    const parsed = parseIpWhitelist(profile.ipWhitelist);
    const whitelist = parsed.ok ? parsed.whitelist : undefined;
    return {
      profile: apiKey.profile,
      hmac: makeHmacKey(secret),
      whitelist: must(whitelist, 'the vault keeps only lists that were parsed'),
    };
  };
  return {
    useOf: (apiKey, now) => recordOf(uses, apiKey, now),
    materialOf: (apiKey, use) => {
      if (use === crowd) return load(apiKey);
      if (use.material?.profile !== apiKey.profile) use.material = load(apiKey);
      return use.material;
    },
  };
}
