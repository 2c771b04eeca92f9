// The servers of one PostgreSQL cluster, of which one takes writes: the list that the operator
// gives, and the choice among those that answer.

import { postgresUrlsForm, splitPostgresUrls } from '../../std/postgresUrls.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import { endClient, hostName, openSession, type Session } from './openSession.ts';
import { DatabaseRefused } from './serverFacts.ts';

export type Servers = {
  /** The addresses for people. */
  readonly names: readonly string[];
  /**
   * A session on the server that takes writes. Throws `DatabaseRefused` when all that answer cannot
   * hold the log, and another error when none answers. `queryMs` is that of the session.
   */
  readonly connect: (queryMs?: number) => Promise<Session>;
};

export type ServersOptions = {
  /** Addresses with commas between them. */
  readonly urls: string;
  readonly applicationName: string;
  readonly replicatedStorage: boolean;
  readonly scheduler: Scheduler;
};

/** After the first that takes writes, others have this time to say that they do too. */
const graceMs = 200;

/** Throws `DatabaseRefused` when the list cannot be read. */
export function createServers(options: ServersOptions): Servers {
  const { applicationName, replicatedStorage, scheduler } = options;
  const urls = readUrls(options.urls);
  let newestTimeline = 0;
  const connect = async (queryMs?: number): Promise<Session> => {
    const { found, failures } = await firstSessions(
      urls.map((url) => openSession({ url, applicationName, replicatedStorage, queryMs })),
      scheduler,
    );
    const [best, ...others] = found.toSorted((a, b) => b.facts.timeline - a.facts.timeline);
    for (const { client } of others) endClient(client);
    if (best === undefined) throw failureOf(failures);
    const { timeline } = best.facts;
    if (timeline < newestTimeline) {
      endClient(best.client);
      throw new DatabaseRefused(
        `PostgreSQL at ${best.name} is on timeline ${timeline}, but timeline ${newestTimeline} ` +
          'has been seen: it is an old primary, and a standby was promoted in its place.',
      );
    }
    newestTimeline = timeline;
    return best;
  };
  return { names: urls.map(hostName), connect };
}

function readUrls(text: string): string[] {
  const urls = splitPostgresUrls(text);
  if (urls !== undefined) return urls;
  throw new DatabaseRefused(`EVERMARK_CLUSTER_URL takes ${postgresUrlsForm}.`);
}

type Sessions = { readonly found: Session[]; readonly failures: Error[] };

/** Waits for all, but after the first success only for `graceMs`; ends sessions that come later. */
function firstSessions(
  attempts: readonly Promise<Session>[],
  scheduler: Scheduler,
): Promise<Sessions> {
  return new Promise((resolve) => {
    const found: Session[] = [];
    const failures: Error[] = [];
    let left = attempts.length;
    let cancel: (() => void) | undefined;
    let ended = false;
    const finish = (): void => {
      ended = true;
      cancel?.();
      resolve({ found, failures });
    };
    for (const attempt of attempts) {
      const settled = attempt.then(
        (session) => {
          if (ended) return endClient(session.client);
          found.push(session);
          cancel ??= scheduler.after(graceMs, finish);
        },
        (error: Error) => failures.push(error),
      );
      void settled.then(() => {
        left -= 1;
        if (left === 0 && !ended) finish();
      });
    }
  });
}

/** All reasons in one error. It is a refusal when each server answered, and refused. */
function failureOf(failures: readonly Error[]): Error {
  const text = failures.map(({ message }) => message).join(' ');
  const refused = failures.every((failure) => failure instanceof DatabaseRefused);
  return refused ? new DatabaseRefused(text) : new Error(text);
}
