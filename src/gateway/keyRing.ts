// What the gateway keeps of every API key in use: its prepared secret, its address list, and its
// counters. The engine's state decides whether the key exists; the secret store stores what is read
// here.

import type { ApiKey } from '../engine/views/account.ts';
import type { SecretStore } from '../secrets/secretStore.ts';
import { must } from '../std/assert.ts';
import type { AccountId } from '../units/units.ts';
import { type HmacKey, makeHmacKey } from './identity/hmacSignature.ts';
import { type IpWhitelist, parseIpWhitelist } from './identity/ipWhitelist.ts';
import {
  createGenerations,
  createOrderCounters,
  type Generations,
  type OrderCounters,
  recordOf,
} from './rateLimits.ts';
import {
  type Counter,
  createCounter,
  shareLimit,
  type Tallies,
  type TallyKind,
} from './tallies.ts';

/** Keys with counters of their own in one minute; the others share one set of counters. */
const keysMax = 500_000;

/** What a key has used of its tier (AUTH-7). */
export type KeyUse = {
  readonly weight: Counter;
  readonly orders: OrderCounters;
  material: KeyMaterial | undefined;
};

type KeyMaterial = {
  /** The profile of the address list. If the state has another one, this is stale. */
  readonly profile: string;
  readonly hmac: HmacKey;
  readonly whitelist: IpWhitelist;
};

export type KeyRing = {
  /** The counters of a key. */
  readonly useOf: (apiKey: ApiKey, now: number) => KeyUse;
  /**
   * The secret and address list of a key; undefined if the secret store does not have them, for a
   * moment after a key was deleted. Cost: 0.1 µs for a key in use, otherwise two rows of the secret
   * store.
   */
  readonly materialOf: (apiKey: ApiKey, use: KeyUse) => KeyMaterial | undefined;
};

const createKeyUse = (weight: Counter): KeyUse => ({
  ...{ weight, orders: createOrderCounters(), material: undefined },
});

/** The limits of keys that all processes of a deployment have together. */
export type SharedKeyLimits = {
  readonly tallies: Tallies | undefined;
  /** The least weight of a key in a minute. */
  readonly ceiling: number;
  /** The key of an account that has this number. */
  readonly keyOf: (account: AccountId, id: number) => ApiKey | undefined;
};

export function createKeyRing(
  secretStore: Pick<SecretStore, 'secretOf' | 'profileOf'>,
  shared?: SharedKeyLimits,
): KeyRing {
  const overflow = createKeyUse(createCounter());
  const kind = shared && shareKeyWeights(shared, (apiKey, now) => recordOf(uses, apiKey, now));
  const uses: Generations<ApiKey, KeyUse> = createGenerations({
    make: (apiKey) => createKeyUse(createCounter(kind, `${apiKey.account} ${apiKey.id}`)),
    overflow,
    sizeMax: keysMax,
  });
  const load = (apiKey: ApiKey): KeyMaterial | undefined => {
    const secret = secretStore.secretOf(apiKey.apiKey);
    const profile = secretStore.profileOf(apiKey.profile);
    if (secret === undefined || profile === undefined) return undefined;
    const parsed = parseIpWhitelist(profile.ipWhitelist);
    const whitelist = parsed.ok ? parsed.whitelist : undefined;
    return {
      profile: apiKey.profile,
      hmac: makeHmacKey(secret),
      whitelist: must(whitelist, 'the secret store keeps only lists that were parsed'),
    };
  };
  return {
    useOf: (apiKey, now) => recordOf(uses, apiKey, now),
    materialOf: (apiKey, use) => {
      if (use === overflow) return load(apiKey);
      if (use.material?.profile !== apiKey.profile) use.material = load(apiKey);
      return use.material;
    },
  };
}

function shareKeyWeights(
  { tallies, ceiling, keyOf }: SharedKeyLimits,
  useOf: KeyRing['useOf'],
): TallyKind | undefined {
  const limit = { word: 'key.weight', lengthMs: 60_000, ceiling };
  return shareLimit(tallies, limit, (key, window) => {
    const [account, id] = key.split(' ').map(Number) as [AccountId, number];
    const apiKey = keyOf(account, id);
    return apiKey && useOf(apiKey, window).weight;
  });
}
