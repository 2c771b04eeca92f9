// The statements about what the processes of a deployment share beside the log: sealed secrets,
// credentials, skip records. The holder of the lease alone writes them, and each may be repeated.
// Their answer has one row: `held` is 0 when the lease is another's, and then nothing was changed.

import { heldClause, type Statement, type Writer, writerValues } from './statement.ts';
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

/** A statement that the holder of the lease runs. */
export type SharedStatement = (writer: Writer) => Statement;

const answer = 'select count(*)::integer as held from held';

function fenced(
  name: string,
  writer: Writer,
  { changes, values }: { readonly changes: readonly string[]; readonly values: unknown[] },
): Statement {
  const steps = changes.map((change, index) => `step${index} as (${change})`);
  // The clause ends where further ones may follow.
  const text = `${heldClause.trimEnd()}, ${steps.join(', ')} ${answer}`;
  return { name, text, values: [...writerValues(writer), ...values] };
}

export function putSecrets(
  writer: Writer,
  { keys, profiles }: { keys: readonly StoredKey[]; profiles: readonly StoredProfile[] },
): Statement {
  return fenced('put secrets', writer, {
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

export function removeSecrets(writer: Writer, { apiKeys, refs }: SecretNames): Statement {
  return fenced('remove secrets', writer, {
    changes: [
      'delete from evermark.secret using held where api_key = any ($4::text[])',
      'delete from evermark.last_used using held where api_key = any ($4::text[])',
      'delete from evermark.profile using held where ref = any ($5::text[])',
    ],
    values: [apiKeys, refs],
  });
}

/** Removes every row that is not among these. */
export function sweepSecrets(writer: Writer, { apiKeys, refs }: SecretNames): Statement {
  return fenced('sweep secrets', writer, {
    changes: [
      'delete from evermark.secret using held where not api_key = any ($4::text[])',
      'delete from evermark.last_used using held where not api_key = any ($4::text[])',
      'delete from evermark.profile using held where not ref = any ($5::text[])',
    ],
    values: [apiKeys, refs],
  });
}

/** A time never moves back. */
export function touchKeys(writer: Writer, times: ReadonlyMap<string, number>): Statement {
  return fenced('touch keys', writer, {
    changes: [
      'insert into evermark.last_used (api_key, at) select part.* from held, ' +
        'unnest($4::text[], $5::bigint[]) part on conflict (api_key) do update ' +
        'set at = greatest(last_used.at, excluded.at)',
    ],
    values: [[...times.keys()], [...times.values()]],
  });
}

export function putProof(writer: Writer, { version, proof }: StoredProof): Statement {
  return fenced('put proof', writer, {
    changes: [
      'insert into evermark.master_key (version, proof) select $4::integer, $5::bytea from held ' +
        'on conflict do nothing',
    ],
    values: [version, proof],
  });
}

export function putCredential(
  writer: Writer,
  { name, sealed }: { readonly name: string; readonly sealed: StoredCredential },
): Statement {
  const { master_version, data_key, value } = sealed;
  return fenced('put credential', writer, {
    changes: [
      'insert into evermark.credential (name, master_version, data_key, value) ' +
        'select $4::text, $5::integer, $6::bytea, $7::bytea from held on conflict do nothing',
    ],
    values: [name, master_version, data_key, value],
  });
}

/** Removes all that `put…` has written, for a move that writes it anew. */
export function clearShared(writer: Writer): Statement {
  const tables = ['secret', 'profile', 'last_used', 'credential', 'master_key', 'skip'];
  return fenced('clear shared', writer, {
    changes: tables.map((table) => `delete from evermark.${table} using held`),
    values: [],
  });
}

/** With the name of the move that does it: only that one may go on later. */
export function setLogMove(writer: Writer, { state, mover }: LogMove): Statement {
  return fenced('set state', writer, {
    changes: ['update evermark.deployment set state = $4, mover = $5 from held'],
    values: [state, mover],
  });
}

export function putSkips(writer: Writer, skips: readonly StoredSkip[]): Statement {
  return fenced('put skips', writer, {
    changes: [
      'insert into evermark.skip (position, index) select part.* from held, ' +
        'unnest($4::bigint[], $5::bigint[]) part on conflict do nothing',
    ],
    values: [skips.map(({ position }) => position), skips.map(({ index }) => index)],
  });
}
