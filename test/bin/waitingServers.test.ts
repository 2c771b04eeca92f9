// The steps of a start wait for a database that is away, and not for one that cannot hold the log.

import { expect, test } from 'vitest';
import { waitingServers } from '../../src/bin/joinCluster.ts';
import type { Servers } from '../../src/log/postgres/createServers.ts';
import type { Session } from '../../src/log/postgres/openSession.ts';
import { DatabaseRefused } from '../../src/log/postgres/serverFacts.ts';

const session = {} as Session;

function serversThatGive(results: (Error | Session)[]): Servers {
  return {
    names: [],
    connect: async () => {
      const result = results.shift();
      if (result === undefined || result instanceof Error) throw result;
      return result;
    },
  };
}

test('a step of a start waits for the database, and says so', async () => {
  const told: string[] = [];
  const servers = serversThatGive([new Error('the primary is away'), session]);
  const waiting = waitingServers(servers, (message) => told.push(message));
  expect(await waiting.connect()).toBe(session);
  expect(told).toEqual(['the start waits for PostgreSQL: the primary is away']);
});

test('a step of a start does not wait for a database that cannot hold the log', async () => {
  const servers = serversThatGive([new DatabaseRefused('it is version 9'), session]);
  const waiting = waitingServers(servers, () => {});
  await expect(waiting.connect()).rejects.toThrow('it is version 9');
});
