// What a server and a session of it must be like, so that a commit is a promise. Each fact that is
// otherwise has its sentence for the operator.

/** Thrown with a sentence for the operator: this server or database cannot hold the log. */
export class DatabaseRefused extends Error {
  override name = 'DatabaseRefused';
}

/** As the session shows them before it changes any of its settings. */
export type ServerFacts = {
  readonly version: number;
  readonly recovering: boolean;
  readonly readOnly: boolean;
  /** Grows with each promotion of a standby; zero while the server is a standby. */
  readonly timeline: number;
  readonly synchronousCommit: string;
  readonly standbyNames: string;
  readonly fsync: string;
  readonly fullPageWrites: string;
  /** The process that serves the session, and the one that the greeting of the session named. */
  readonly servedBy: number;
  readonly greetedBy: number;
};

export const factsQuery =
  "select current_setting('server_version_num')::integer as version, " +
  'pg_is_in_recovery() as recovering, ' +
  "current_setting('transaction_read_only') = 'on' as read_only, " +
  'case when pg_is_in_recovery() then 0 else ' +
  "('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer end as timeline, " +
  "current_setting('synchronous_commit') as synchronous_commit, " +
  "current_setting('synchronous_standby_names') as standby_names, " +
  "current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes, " +
  'pg_backend_pid() as served_by';

/**
 * What the session may not take from defaults of the server, of the role or of the database. A
 * hidden warning would make a cancelled wait for the standby look like a success.
 */
export const pinnedSettings: Readonly<Record<string, string>> = {
  synchronous_commit: 'on',
  client_min_messages: 'warning',
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_session_timeout: '0',
};

/** The oldest release with all that the statements use and that is still maintained. */
const oldestVersion = 140_000;

/** Why this server cannot take the log's writes; undefined when it can. `name` is its address. */
export function whyRefused(
  facts: ServerFacts,
  { name, replicatedStorage }: { readonly name: string; readonly replicatedStorage: boolean },
): string | undefined {
  const { version, synchronousCommit: commit } = facts;
  // First what makes the other facts meaningless.
  if (facts.servedBy !== facts.greetedBy) {
    return (
      `Between this process and ${name} stands a connection pooler such as PgBouncer, which ` +
      'can change the session between two statements: give the address of PostgreSQL itself.'
    );
  }
  if (version < oldestVersion) {
    const major = Math.floor(version / 10_000);
    return `PostgreSQL at ${name} is version ${major}; the log needs 14 or later.`;
  }
  if (facts.recovering) return `PostgreSQL at ${name} is a standby, which takes no writes.`;
  if (facts.readOnly) {
    return (
      `PostgreSQL at ${name} starts read-only transactions: look at ` +
      'default_transaction_read_only of the server, the database and the role.'
    );
  }
  if (commit !== 'on' && commit !== 'remote_apply') {
    return (
      `synchronous_commit is ${commit} for this role at ${name}, so a commit can be lost after ` +
      'it was acknowledged. Set it to on: ALTER ROLE … RESET synchronous_commit, and the same ' +
      'for the database and the server.'
    );
  }
  for (const [setting, value] of [
    ['fsync', facts.fsync],
    ['full_page_writes', facts.fullPageWrites],
  ] as const) {
    if (value === 'on') continue;
    return `${setting} is ${value} at ${name}: a crash of the machine would damage the log.`;
  }
  if (facts.standbyNames === '' && !replicatedStorage) {
    return (
      `synchronous_standby_names is empty at ${name}, so no standby holds a copy of what was ` +
      'acknowledged. Name a standby there, or declare with --replicated-storage that the storage ' +
      'of the server is itself replicated.'
    );
  }
  return undefined;
}
