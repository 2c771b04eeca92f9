// What a campaign does to a deployment that serves. Each fault ends: what it stopped runs again,
// what it cut is whole, and the database has a standby.

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { askHandover, HandoverRefused } from '../src/log/postgres/askHandover.ts';
import { endClient, openSession } from '../src/log/postgres/openSession.ts';
import type { Prng } from '../src/std/prng.ts';
import { systemScheduler } from '../src/std/scheduler.ts';
import type { PostgresServer } from '../test/fixtures/postgresServer.ts';
import type { DatabasePair } from './openDatabasePair.ts';
import type { Deployment } from './openDeployment.ts';
import type { Member } from './openMember.ts';

/** What a fault was drawn for, before it begins: the same seed draws the same. */
export type Drawn = {
  readonly name: FaultName;
  /** How long it lasts. */
  readonly milliseconds: number;
  /** Which of several processes, where it matters. */
  readonly which: number;
};

type Fault = {
  /** How often it is drawn, beside the others. */
  readonly weight: number;
  /** The longest that it lasts. */
  readonly longestMs: number;
  /** Whether it changes the database's servers: two such faults do not come together. */
  readonly ofServers: boolean;
  readonly happen: (deployment: Deployment, drawn: Drawn) => Promise<void>;
};

export type FaultName = keyof typeof faults;

export const faults = {
  killHolder: {
    ...{ weight: 6, longestMs: 1000, ofServers: false },
    happen: async (deployment, { milliseconds }) => {
      await killed(await holderOf(deployment), milliseconds);
    },
  },
  killWaiting: {
    ...{ weight: 2, longestMs: 3000, ofServers: false },
    happen: async (deployment, { which, milliseconds }) => {
      await killed(await otherOf(deployment, which), milliseconds);
    },
  },
  killTwo: {
    ...{ weight: 2, longestMs: 1000, ofServers: false },
    happen: async (deployment, { which, milliseconds }) => {
      const holder = await holderOf(deployment);
      const other = await otherOf(deployment, which);
      await Promise.all([killed(holder, milliseconds), killed(other, milliseconds)]);
    },
  },
  freezeHolder: {
    ...{ weight: 4, longestMs: 6000, ofServers: false },
    happen: async (deployment, { milliseconds }) => {
      await frozen(await holderOf(deployment), milliseconds);
    },
  },
  freezeWaiting: {
    ...{ weight: 1, longestMs: 4000, ofServers: false },
    happen: async (deployment, { which, milliseconds }) => {
      await frozen(await otherOf(deployment, which), milliseconds);
    },
  },
  handOver: {
    ...{ weight: 3, longestMs: 1000, ofServers: false },
    happen: async (deployment, { milliseconds }) => {
      await handOver(deployment.pair);
      await sleep(milliseconds);
    },
  },
  cutHolder: {
    ...{ weight: 3, longestMs: 5000, ofServers: false },
    happen: async (deployment, { milliseconds }) => {
      const links = deployment.linksOf(await holderOf(deployment));
      for (const link of links) link.cut();
      await sleep(milliseconds);
      for (const link of links) link.mend();
    },
  },
  holdHolder: {
    ...{ weight: 3, longestMs: 5000, ofServers: false },
    happen: async (deployment, { milliseconds }) => {
      const links = deployment.linksOf(await holderOf(deployment));
      for (const link of links) link.hold();
      await sleep(milliseconds);
      for (const link of links) link.mend();
    },
  },
  killPrimary: {
    ...{ weight: 3, longestMs: 3000, ofServers: true },
    happen: async ({ pair }, { milliseconds }) => {
      await pair.primary().kill();
      await sleep(milliseconds);
      await pair.promote();
      await pair.addStandby();
    },
  },
  wakeFormerPrimary: {
    ...{ weight: 2, longestMs: 3000, ofServers: true },
    happen: async ({ pair }, { milliseconds }) => {
      await pair.primary().kill();
      await pair.promote();
      await pair.wakeFormer();
      await sleep(milliseconds);
      await pair.addStandby();
    },
  },
  freezePrimary: {
    ...{ weight: 2, longestMs: 3000, ofServers: true },
    happen: async ({ pair }, { milliseconds }) => {
      const former = pair.primary();
      signalServer(former, 'SIGSTOP');
      await sleep(milliseconds / 2);
      await pair.promote();
      // It goes on where it stood still: with connections, and with commits that wait.
      signalServer(former, 'SIGCONT');
      await sleep(milliseconds / 2);
      await pair.addStandby();
    },
  },
  freezeStandby: {
    ...{ weight: 1, longestMs: 5000, ofServers: true },
    happen: async ({ pair }, { milliseconds }) => {
      const standby = pair.standby();
      if (standby !== undefined) signalServer(standby, 'SIGSTOP');
      await sleep(milliseconds);
      if (standby !== undefined) signalServer(standby, 'SIGCONT');
    },
  },
  stopStandby: {
    ...{ weight: 2, longestMs: 5000, ofServers: true },
    happen: async ({ pair }, { milliseconds }) => {
      const standby = pair.standby();
      await standby?.stop();
      await sleep(milliseconds);
      await standby?.start();
    },
  },
  cancelWaits: {
    ...{ weight: 2, longestMs: 3000, ofServers: true },
    happen: async ({ pair }, { milliseconds }) => {
      const standby = pair.standby();
      await standby?.stop();
      await cancelWaits(pair, milliseconds);
      await standby?.start();
    },
  },
  cancelWaitsAndKillPrimary: {
    ...{ weight: 2, longestMs: 2000, ofServers: true },
    happen: async ({ pair }, { milliseconds }) => {
      const standby = pair.standby();
      await standby?.stop();
      await cancelWaits(pair, milliseconds);
      await pair.primary().kill();
      await standby?.start();
      await pair.promote();
      await pair.addStandby();
    },
  },
} as const satisfies Readonly<Record<string, Fault>>;

export const faultNames = Object.keys(faults) as readonly FaultName[];

/** One fault, or, in a quarter of the rounds, two at the same time. */
export function drawFaults(prng: Prng, among: readonly FaultName[]): readonly Drawn[] {
  const first = drawOne(prng, among);
  if (prng.below(4) > 0) return [first];
  const others = among.filter((name) => !faults[name].ofServers || !faults[first.name].ofServers);
  return others.length === 0 ? [first] : [first, drawOne(prng, others)];
}

function drawOne(prng: Prng, among: readonly FaultName[]): Drawn {
  const total = among.reduce((sum, name) => sum + faults[name].weight, 0);
  let draw = prng.below(total);
  const name = among.find((each) => {
    draw -= faults[each].weight;
    return draw < 0;
  })!;
  return { name, milliseconds: prng.below(faults[name].longestMs), which: prng.below(1000) };
}

export const textOf = ({ name, milliseconds }: Drawn): string => `${name} ${milliseconds} ms`;

/** While no one has the lease, any process stands for its holder. */
async function holderOf(deployment: Deployment): Promise<Member> {
  return (await deployment.holder()) ?? deployment.members[0]!;
}

async function otherOf(deployment: Deployment, which: number): Promise<Member> {
  const holder = await holderOf(deployment);
  const others = deployment.members.filter((member) => member !== holder);
  return others[which % others.length]!;
}

async function killed(member: Member, milliseconds: number): Promise<void> {
  await member.kill();
  await sleep(milliseconds);
  member.start();
}

async function frozen(member: Member, milliseconds: number): Promise<void> {
  member.freeze();
  await sleep(milliseconds);
  member.wake();
}

/** A signal for a server of the database and for each of its processes (Linux). */
function signalServer(server: PostgresServer, signal: 'SIGSTOP' | 'SIGCONT'): void {
  const pid = server.processId();
  if (pid === undefined) return;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
  for (const each of [String(pid), ...children.trim().split(' ')]) {
    if (each === '') continue;
    try {
      process.kill(Number(each), signal);
    } catch {
      // It ended meanwhile: a connection was closed.
    }
  }
}

/** The operator's word; it may be refused, or the database may not answer. */
async function handOver(pair: DatabasePair): Promise<void> {
  const session = await openSession({
    url: pair.url(),
    applicationName: 'evermark campaign',
    replicatedStorage: true,
  }).catch(() => undefined);
  if (session === undefined) return;
  let lost = false;
  session.client.once('end', () => {
    lost = true;
  });
  try {
    await askHandover(session.client, { named: undefined, scheduler: systemScheduler });
  } catch (error) {
    const { code } = error as { code?: string };
    if (!(error instanceof HandoverRefused) && code === undefined && !lost) throw error;
  } finally {
    endClient(session.client);
  }
}

/** As an administrator who is impatient: commits end before the standby has them. */
async function cancelWaits(pair: DatabasePair, milliseconds: number): Promise<void> {
  const client = new pg.Client(pair.primary().addressOf('postgres'));
  client.on('error', () => {});
  await client.connect();
  try {
    const until = performance.now() + milliseconds;
    while (performance.now() < until) {
      const waiting = "select pid from pg_stat_activity where wait_event = 'SyncRep'";
      await client.query(`select pg_cancel_backend(pid) from (${waiting}) as waits`);
      await sleep(20);
    }
  } finally {
    endClient(client);
  }
}
