// A deployment of several real processes on a real PostgreSQL with a synchronous standby, for
// campaigns and benchmarks: all of it on the loopback address, below one directory.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresTemplate } from '../test/fixtures/postgresServer.ts';
import { quietFlags } from '../test/fixtures/startServer.ts';
import { type DatabasePair, openDatabasePair } from './openDatabasePair.ts';
import { type Link, openLink } from './openLink.ts';
import { type Member, openMember, until } from './openMember.ts';

export type OpenDeployment = {
  readonly processes: number;
  /** Whether links that can be cut are between each process and the database. */
  readonly links: boolean;
  /** Further flags of `evermark start`. */
  readonly flags?: readonly string[];
  /** What the servers of the database begin with. */
  readonly template?: PostgresTemplate | undefined;
  /** By default as many as in a deployment of an operator. */
  readonly partitionPositions?: number;
};

export type Deployment = {
  readonly pair: DatabasePair;
  readonly members: readonly Member[];
  /** Of a member, one for each place of the pair; empty without links. */
  readonly linksOf: (member: Member) => readonly Link[];
  /** Those that answer requests of clients now. */
  readonly serving: () => Promise<readonly Member[]>;
  /** The member that says that it has the lease; of two the one that is further. */
  readonly holder: () => Promise<Member | undefined>;
  /** Throws the sentence with what the members say when no member serves in that time. */
  readonly untilServed: (withinMs: number) => Promise<void>;
  /** Kills what runs and removes everything. */
  readonly close: () => Promise<void>;
};

export const deploymentChain = 43113;

/** No member is started yet. */
export async function openDeployment(options: OpenDeployment): Promise<Deployment> {
  const directory = mkdtempSync(join(tmpdir(), 'evermark-processes-'));
  const { template, partitionPositions } = options;
  const pair = await openDatabasePair(deploymentChain, template, partitionPositions);
  const links = new Map<Member, readonly Link[]>();
  const flags = [...quietFlags, '--log-level', 'info', ...(options.flags ?? [])];
  for (let number = 0; number < options.processes; number += 1) {
    const own = options.links
      ? [await openLink(() => pair.portAt(0)), await openLink(() => pair.portAt(1))]
      : [];
    const ports = options.links ? own.map(({ port }) => port) : [pair.portAt(0), pair.portAt(1)];
    const name = String.fromCharCode('A'.charCodeAt(0) + number);
    const environment = {
      EVERMARK_CLUSTER_URL: ports.map(pair.urlAt).join(','),
      EVERMARK_MASTER_KEY: '7e'.repeat(32),
    };
    const member = await openMember({ name, data: join(directory, name), flags, environment });
    links.set(member, own);
  }
  const members = [...links.keys()];
  return {
    ...{ pair, members },
    linksOf: (member) => links.get(member) ?? [],
    serving: () => servingOf(members),
    holder: () => holderOf(members),
    untilServed: (withinMs) => untilServed(members, withinMs),
    close: async () => {
      await Promise.all(members.map((member) => member.kill()));
      await Promise.all([...links.values()].flat().map((link) => link.close()));
      await pair.remove();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function servingOf(members: readonly Member[]): Promise<readonly Member[]> {
  const found = await Promise.all(members.map((member) => member.serves()));
  return members.filter((_, at) => found[at]);
}

async function holderOf(members: readonly Member[]): Promise<Member | undefined> {
  const found = await Promise.all(members.map((member) => member.health()));
  const [best] = members
    .map((member, at) => ({ member, health: found[at] }))
    .filter(({ health }) => health?.role === 'sequencer')
    .toSorted((one, other) => other.health!.position - one.health!.position);
  return best?.member;
}

async function untilServed(members: readonly Member[], withinMs: number): Promise<void> {
  const served = async (): Promise<boolean> => (await servingOf(members)).length > 0;
  await until(served, { withinMs, or: 'no process serves clients' }).catch((error: Error) => {
    const journals = members.map(({ name, journal }) => `${name}:\n${journal().slice(-1500)}`);
    throw new Error([error.message, ...journals].join('\n'));
  });
}
