// Until when the holder of the lease may answer reads, and what a replica does with reads before.

import { expect, test } from 'vitest';
import { createLeaseTerm } from '../../../src/log/postgres/leaseTerm.ts';
import { createSteppedReplica } from '../../fixtures/steppedReplica.ts';

test('reads may be answered after a renewal, 200 ms less than the lease lasts, in each thread', () => {
  const term = createLeaseTerm();
  const other = createLeaseTerm(term.shared);
  expect([term.isRunning(), other.isRunning()]).toEqual([false, false]);
  term.renewed(0);
  expect([term.isRunning(), other.isRunning()]).toEqual([true, true]);
  // Sent so long ago that another process may have the lease soon.
  term.renewed(1300);
  expect([term.isRunning(), other.isRunning()]).toEqual([false, false]);
});

test('a clock that was set forward or back ends the term, and the next renewal begins another', () => {
  const term = createLeaseTerm();
  const now = Date.now;
  try {
    term.renewed(0);
    Date.now = () => now() + 2000;
    expect(term.isRunning()).toBe(false);
    term.renewed(0);
    expect(term.isRunning()).toBe(true);
  } finally {
    Date.now = now;
  }
});

test('a term that was ended grants nothing, also when a renewal succeeds after it', () => {
  const term = createLeaseTerm();
  const other = createLeaseTerm(term.shared);
  term.renewed(0);
  term.end();
  term.renewed(0);
  expect([term.isRunning(), other.isRunning()]).toEqual([false, false]);
});

test('a read waits for its batch and then for the lease: the batch may have become durable long ago', () => {
  const { replica, log, send, turn } = createSteppedReplica();
  const read: string[] = [];
  const held: (() => void)[] = [];
  Object.assign(log, { whenCurrent: (task: () => void) => held.push(task) });
  replica.whenDurable(() => read.push('idle'));
  expect(read).toEqual([]);
  held.shift()!();
  send('a', { kind: 'endConnections', connections: undefined });
  turn();
  replica.whenDurable(() => read.push('behind'));
  expect(held).toEqual([]);
  log.sync();
  expect(read).toEqual(['idle']);
  held.shift()!();
  expect(read).toEqual(['idle', 'behind']);
});
