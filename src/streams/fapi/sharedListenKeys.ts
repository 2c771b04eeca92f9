// Listen keys where several processes serve (conventions, 12.1). The text of a key proves for which
// account it was made and when, so a key is good at every process before that one has heard of it.
// Of each account the processes share two times: until when its keys are good, and up to when those
// that were made are closed. Both only grow, so it does not matter in which order they are heard.

import {
  type BoundedCache,
  cacheGet,
  cacheSet,
  createBoundedCache,
} from '../../std/boundedCache.ts';
import type { Clock } from '../../std/clock.ts';
import type { AccountId } from '../../units/units.ts';
import {
  type ListenKey,
  type ListenKeys,
  listenKeyLength,
  listenKeyLifeMs,
  listenKeysMax,
} from './listenKeys.ts';

/** What a process says to the others. */
export type ListenKeyNews =
  | {
      readonly kind: 'open';
      readonly account: AccountId;
      readonly key: string;
      readonly expiresAt: number;
    }
  | { readonly kind: 'close'; readonly account: AccountId; readonly madeUpTo: number };

export type SharedListenKeyOptions = {
  readonly clock: Clock;
  /** A new key; `madeAt`: milliseconds since the epoch. */
  readonly make: (account: AccountId, madeAt: number) => string;
  /** undefined: no process of the deployment has made this key. */
  readonly read: (
    key: string,
  ) => { readonly account: AccountId; readonly madeAt: number } | undefined;
  /** Whether this process has applied the batch that made the account. */
  readonly knows: (account: AccountId) => boolean;
  readonly say: (news: ListenKeyNews) => void;
  /** Called after a key that was used here has ended. */
  readonly onEnd: (ended: ListenKey) => void;
};

export type SharedListenKeys = ListenKeys & {
  /** What another process says; it may come late and more than once. */
  readonly hear: (news: ListenKeyNews) => void;
};

/** As long as this, a key may be used before its maker was heard. */
const unheardMs = 10_000;
/** What another process has just extended does not end here before that is heard. */
const graceMs = 2000;

/** Texts that are read in a second: a client may send thousands in one message. */
export const readsMax = 500;
const secondMs = 1000;

type Open = {
  /** What `open` gives. */
  key: string;
  /** When that key was made, and the first of the time in which the account has had a key. */
  madeAt: number;
  since: number;
  expiresAt: number;
  /** The keys that are used here, with the time when they were made. */
  readonly used: Map<string, number>;
};

type Made = NonNullable<ReturnType<SharedListenKeyOptions['read']>>;

type Run = SharedListenKeyOptions & {
  /** Keys that were made, heard or used here. */
  readonly made: BoundedCache<Made>;
  /** The texts of other keys that were read in the second that began at `at`. */
  readonly reads: { at: number; count: number };
  readonly open: Map<AccountId, Open>;
  /** Keys that were made up to then are closed. */
  readonly closed: Map<AccountId, number>;
};

export function createSharedListenKeys(options: SharedListenKeyOptions): SharedListenKeys {
  const run: Run = {
    ...{ ...options, open: new Map(), closed: new Map() },
    ...{ made: createBoundedCache(listenKeysMax), reads: { at: 0, count: 0 } },
  };
  const { clock } = options;
  const keepAlive = (account: AccountId): string | undefined => {
    const open = live(run, account);
    return open === undefined ? undefined : extend(run, account, open);
  };
  return {
    keepAlive,
    open: (account) => {
      const kept = keepAlive(account);
      if (kept !== undefined || run.open.size >= listenKeysMax) return kept;
      const madeAt = Math.max(clock.now(), closedUpTo(run, account) + 1);
      return extend(run, account, enter(run, account, options.make(account, madeAt), madeAt));
    },
    close: (account) => {
      if (!run.open.has(account)) return;
      const madeUpTo = Math.max(clock.now(), run.open.get(account)!.madeAt);
      close(run, account, madeUpTo);
      options.say({ kind: 'close', account, madeUpTo });
    },
    find: (key) => find(run, key),
    hear: (news) => {
      if (news.kind === 'close') close(run, news.account, news.madeUpTo);
      else hearOpen(run, news);
    },
    sweep: () => {
      for (const account of run.open.keys()) live(run, account);
      const past = clock.now() - listenKeyLifeMs - unheardMs - graceMs;
      for (const [account, at] of run.closed) if (at < past) run.closed.delete(account);
    },
  };
}

const closedUpTo = ({ closed }: Run, account: AccountId): number => closed.get(account) ?? -1;

function enter({ open, made }: Run, account: AccountId, key: string, madeAt: number): Open {
  const expiresAt = madeAt + listenKeyLifeMs;
  const entered: Open = { key, madeAt, since: madeAt, expiresAt, used: new Map() };
  open.set(account, entered);
  cacheSet(made, key, { account, madeAt });
  return entered;
}

function extend({ clock, say }: Run, account: AccountId, open: Open): string {
  open.expiresAt = Math.max(open.expiresAt, clock.now() + listenKeyLifeMs);
  const { key, expiresAt } = open;
  say({ kind: 'open', account, key, expiresAt });
  return key;
}

/** The account's keys, if their hour is not over; if it is, they end. */
function live(run: Run, account: AccountId): Open | undefined {
  const open = run.open.get(account);
  if (open === undefined || run.clock.now() < open.expiresAt + graceMs) return open;
  // All that was made before; every process finds the same.
  close(run, account, open.expiresAt);
  return undefined;
}

function close(run: Run, account: AccountId, madeUpTo: number): void {
  run.closed.set(account, Math.max(madeUpTo, closedUpTo(run, account)));
  const open = run.open.get(account);
  if (open === undefined) return;
  // A key that was made after the closing stays.
  if (open.madeAt <= madeUpTo) run.open.delete(account);
  for (const [key, madeAt] of open.used) {
    if (madeAt > madeUpTo) continue;
    open.used.delete(key);
    run.onEnd({ key, account, expiresAt: open.expiresAt });
  }
}

/** For a text that no process has said; when too many came in this second, it is none. */
function readUnheard({ clock, reads, read, made: known }: Run, key: string): Made | undefined {
  // The name of a stream must not take the place of a key.
  if (key.length !== listenKeyLength) return undefined;
  const now = clock.now();
  if (Math.abs(now - reads.at) >= secondMs) Object.assign(reads, { at: now, count: 0 });
  if (reads.count >= readsMax) return undefined;
  reads.count += 1;
  const made = read(key);
  if (made !== undefined) cacheSet(known, key, made);
  return made;
}

/** Cost for a text that is no key: one decryption, for at most `readsMax` of them in a second. */
function find(run: Run, key: string): ListenKey | undefined {
  const made = cacheGet(run.made, key) ?? readUnheard(run, key);
  if (made === undefined) return undefined;
  const { account, madeAt } = made;
  if (madeAt <= closedUpTo(run, account) || !run.knows(account)) return undefined;
  let open = live(run, account);
  if (open === undefined) {
    const isUnheard = run.clock.now() - madeAt < unheardMs && run.open.size < listenKeysMax;
    if (!isUnheard || madeAt <= closedUpTo(run, account)) return undefined;
    open = enter(run, account, key, madeAt);
  }
  // Two processes may have made a key for the account at the same time.
  if (madeAt < open.since - unheardMs) return undefined;
  open.used.set(key, madeAt);
  return { key, account, expiresAt: open.expiresAt };
}

function hearOpen(run: Run, news: ListenKeyNews & { readonly kind: 'open' }): void {
  const { account, key, expiresAt } = news;
  const made = cacheGet(run.made, key) ?? run.read(key);
  if (made !== undefined) cacheSet(run.made, key, made);
  const madeAt = made?.madeAt;
  if (madeAt === undefined || madeAt <= closedUpTo(run, account)) return;
  if (!run.open.has(account) && run.open.size >= listenKeysMax) return;
  const open = run.open.get(account) ?? enter(run, account, key, madeAt);
  open.expiresAt = Math.max(open.expiresAt, expiresAt);
  open.since = Math.min(open.since, madeAt);
  // Then every process gives the same one.
  if (madeAt < open.madeAt || (madeAt === open.madeAt && key <= open.key)) return;
  open.key = key;
  open.madeAt = madeAt;
}
