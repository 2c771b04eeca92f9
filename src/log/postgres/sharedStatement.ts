// The statements about what the processes of a deployment share beside the log: sealed secrets,
// credentials, skip records. Each has the fence of its writer, and may be repeated. Their answer
// has one row: `held` is 0 when the condition of the fence did not hold, and nothing was changed.

import type { Fence } from './fence.ts';
import type { Statement } from './statement.ts';
import type { LogMove } from './tables.ts';

type Sealed = { readonly master_version: number; readonly data_key: Buffer };
export type StoredKey = Sealed & { readonly api_key: string; readonly secret: Buffer };
export type StoredProfile = Sealed & {
  readonly ref: string;
  readonly label: Buffer;
  readonly ip_whitelist: Buffer;
};
export type StoredCredential = Sealed & { readonly value: Buffer };
export type StoredProof = { readonly version: number; readonly proof: Buffer };
export type StoredSkip = { readonly position: number; readonly index: number };

/** A statement that its writer runs under its fence. */
export type SharedStatement = (fence: Fence) => Statement;

const answer = 'select count(*)::integer as held from held';

function fenced(
  name: string,
  fence: Fence,
  { changes, values }: { readonly changes: readonly string[]; readonly values: unknown[] },
): Statement {
  const steps = changes.map((change, index) => `step${index} as (${change})`);
  // The clause ends where further ones may follow.
  const text = `${fence.clause.trimEnd()}, ${steps.join(', ')} ${answer}`;
  return { name: `${name}${fence.name}`, text, values: [...fence.values, ...values] };
}

export function putSecrets(
  fence: Fence,
  { keys, profiles }: { keys: readonly StoredKey[]; profiles: readonly StoredProfile[] },
): Statement {
  return fenced('put secrets', fence, {
    changes: [
      'insert into evermark.secret (api_key, master_version, data_key, secret) select part.* ' +
        'from held, unnest($4::text[], $5::integer[], $6::bytea[], $7::bytea[]) part ' +
        'on conflict (api_key) do nothing',
      'insert into evermark.profile (ref, master_version, data_key, label, ip_whitelist) ' +
        'select part.* from held, unnest($8::text[], $9::integer[], $10::bytea[], $11::bytea[], ' +
        '$12::bytea[]) part on conflict (ref) do nothing',
    ],
    values: [
      keys.map(({ api_key }) => api_key),
      keys.map(({ master_version }) => master_version),
      keys.map(({ data_key }) => data_key),
      keys.map(({ secret }) => secret),
      profiles.map(({ ref }) => ref),
      profiles.map(({ master_version }) => master_version),
      profiles.map(({ data_key }) => data_key),
      profiles.map(({ label }) => label),
      profiles.map(({ ip_whitelist }) => ip_whitelist),
    ],
  });
}

export type SecretNames = { readonly apiKeys: readonly string[]; readonly refs: readonly string[] };

export function removeSecrets(fence: Fence, { apiKeys, refs }: SecretNames): Statement {
  return fenced('remove secrets', fence, {
    changes: [
      'delete from evermark.secret using held where api_key = any ($4::text[])',
      'delete from evermark.last_used using held where api_key = any ($4::text[])',
      'delete from evermark.profile using held where ref = any ($5::text[])',
    ],
    values: [apiKeys, refs],
  });
}

/** How old a row must be before its absence from the log is proof that no command will name it. */
const orphanAge = "interval '10 minutes'";

/** Removes these rows, unless they were written a short while ago. */
export function sweepSecrets(fence: Fence, { apiKeys, refs }: SecretNames): Statement {
  const old = `made < clock_timestamp() - ${orphanAge}`;
  return fenced('sweep secrets', fence, {
    changes: [
      `delete from evermark.secret using held where api_key = any ($4::text[]) and ${old}`,
      'delete from evermark.last_used using held where not exists ' +
        '(select from evermark.secret where secret.api_key = last_used.api_key)',
      `delete from evermark.profile using held where ref = any ($5::text[]) and ${old}`,
    ],
    values: [apiKeys, refs],
  });
}

/** The names of rows that a sweep may remove, in their order, behind the last one of a page. */
export const oldSecretNames =
  `select api_key as name from evermark.secret where made < clock_timestamp() - ${orphanAge} ` +
  'and api_key > $1 order by api_key limit $2';
export const oldProfileNames =
  `select ref as name from evermark.profile where made < clock_timestamp() - ${orphanAge} ` +
  'and ref > $1 order by ref limit $2';

/** A time never moves back. Of a key that was deleted meanwhile nothing is written. */
export function touchKeys(fence: Fence, times: ReadonlyMap<string, number>): Statement {
  return fenced('touch keys', fence, {
    changes: [
      'insert into evermark.last_used (api_key, at) select part.* from held, ' +
        'unnest($4::text[], $5::bigint[]) part (api_key, at) where exists (select from ' +
        'evermark.secret where secret.api_key = part.api_key) on conflict (api_key) do update ' +
        'set at = greatest(last_used.at, excluded.at)',
    ],
    values: [[...times.keys()], [...times.values()]],
  });
}

export function putProof(fence: Fence, { version, proof }: StoredProof): Statement {
  return fenced('put proof', fence, {
    changes: [
      'insert into evermark.master_key (version, proof) select $4::integer, $5::bytea from held ' +
        'on conflict do nothing',
    ],
    values: [version, proof],
  });
}

export function putCredential(
  fence: Fence,
  { name, sealed }: { readonly name: string; readonly sealed: StoredCredential },
): Statement {
  const { master_version, data_key, value } = sealed;
  return fenced('put credential', fence, {
    changes: [
      'insert into evermark.credential (name, master_version, data_key, value) ' +
        'select $4::text, $5::integer, $6::bytea, $7::bytea from held on conflict do nothing',
    ],
    values: [name, master_version, data_key, value],
  });
}

/** Removes all that `put…` has written, for a move that writes it anew. */
export function clearShared(fence: Fence): Statement {
  const tables = ['secret', 'profile', 'last_used', 'credential', 'master_key', 'skip'];
  return fenced('clear shared', fence, {
    changes: tables.map((table) => `delete from evermark.${table} using held`),
    values: [],
  });
}

/** With the name of the move that does it: only that one may go on later. */
export function setLogMove(fence: Fence, { state, mover }: LogMove): Statement {
  return fenced('set state', fence, {
    changes: ['update evermark.deployment set state = $4, mover = $5 from held'],
    values: [state, mover],
  });
}

export function putSkips(fence: Fence, skips: readonly StoredSkip[]): Statement {
  return fenced('put skips', fence, {
    changes: [
      'insert into evermark.skip (position, index) select part.* from held, ' +
        'unnest($4::bigint[], $5::bigint[]) part on conflict do nothing',
    ],
    values: [skips.map(({ position }) => position), skips.map(({ index }) => index)],
  });
}

/** The packed sources of an engine, under the hash that they have. */
export function putEngine(
  fence: Fence,
  { hash, sources }: { readonly hash: string; readonly sources: Buffer },
): Statement {
  return fenced('put engine', fence, {
    changes: [
      'insert into evermark.engine (hash, sources) select $4::text, $5::bytea from held ' +
        'on conflict do nothing',
    ],
    values: [hash, sources],
  });
}

/**
 * Reads the check row and the credentials. Beside them each row says whether the fence holds. What
 * it has read is durable when the statement succeeds, because it commits after it has read.
 */
export function readAgreed(fence: Fence): Statement {
  return {
    name: `read agreed${fence.name}`,
    text:
      `${fence.clause}select 1 as held, version, proof, name, master_version, data_key, value ` +
      'from held left join evermark.master_key on true left join evermark.credential on true',
    values: fence.values,
  };
}
