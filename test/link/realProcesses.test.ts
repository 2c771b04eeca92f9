// Three real processes on a real server, with real links: the holder is killed, and another one
// stands still and wakes. No request is executed twice, and every answer is true.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { logBeginning } from '../../src/log/log.ts';
import { readPostgresBatches } from '../../src/log/postgres/readPostgresBatches.ts';
import { makeDatabase, openTestSession, sharedServer } from '../log/postgres/openServers.ts';

type Started = {
  readonly child: ChildProcess;
  readonly fates: Map<string, string>;
  readonly applied: Map<number, string>;
  sent: number;
  holds: boolean;
  ended: string | undefined;
};

const program = join(import.meta.dirname, 'processProgram.ts');

function start(url: string, secret: string): Started {
  const child = spawn(process.execPath, [program, url, secret, '20'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const started: Started = {
    ...{ child, fates: new Map(), applied: new Map(), sent: 0, holds: false, ended: undefined },
  };
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const [word, first = '', second = '', ...rest] = line.split(' ');
    if (word === 'sent') started.sent += 1;
    if (word === 'holds') started.holds = true;
    if (word === 'fate') started.fates.set(first, second);
    if (word === 'applied') started.applied.set(Number(first), second);
    if (word === 'ended') started.ended = [first, second, ...rest].join(' ');
  });
  return started;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const doneOf = ({ fates }: Started): number =>
  [...fates.values()].filter((fate) => fate === 'done').length;

/** Each of them gets so many more answers. */
async function untilServed(started: readonly Started[], count: number): Promise<void> {
  const wanted = started.map((each) => doneOf(each) + count);
  await until(() => started.every((each, index) => doneOf(each) >= wanted[index]!));
}

test('requests at three processes are executed once, over a kill, a pause and a restart', async () => {
  const url = await makeDatabase(sharedServer);
  const secret = randomBytes(32).toString('hex');
  const all = [start(url, secret), start(url, secret), start(url, secret)];
  const living = (): Started[] =>
    all.filter(({ ended, child }) => ended === undefined && !child.killed);
  await untilServed(all, 30);

  const first = all.find(({ holds }) => holds)!;
  first.child.kill('SIGKILL');
  await untilServed(living(), 30);
  all.push(start(url, secret));
  await untilServed(living(), 30);

  const second = living().find(({ holds }) => holds)!;
  second.child.kill('SIGSTOP');
  const others = living().filter((each) => each !== second);
  await untilServed(others, 30);
  second.child.kill('SIGCONT');
  await until(() => second.ended !== undefined);
  expect(second.ended).toContain('another process has taken over the lease');
  await untilServed(others, 30);
  for (const { child } of all) child.kill('SIGKILL');

  const { client } = await openTestSession(url);
  const { rows } = await client.query('select max(position) as last from evermark.batch');
  const executed = new Map<string, number>();
  const hashes = new Map<number, string>();
  for await (const { position, hash, commands } of readPostgresBatches(
    client,
    logBeginning,
    rows[0].last,
  )) {
    hashes.set(position, hash.toString('hex'));
    for (const request of commands.toString().split('\n').filter(Boolean)) {
      expect(executed.get(request), `${request} in batch ${position}`).toBe(undefined);
      executed.set(request, position);
    }
  }
  for (const { fates, applied } of all) {
    for (const [position, hash] of applied) expect(hashes.get(position)).toBe(hash);
    for (const [request, fate] of fates) {
      if (fate === 'done') expect(executed.has(request), request).toBe(true);
      if (fate === 'refused') expect(executed.has(request), request).toBe(false);
    }
  }
});
