// When a process that follows answers the requests of accounts. Goal: never before it has applied
// what was durable at the holder when the request came, in order, and never too late.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createReadBarrier } from '../../src/bin/createReadBarrier.ts';

function open() {
  let now = 0;
  const asked: number[] = [];
  const done: string[] = [];
  const barrier = createReadBarrier(10, () => now);
  const want = (name: string): void =>
    barrier.whenCurrent(
      () => void done.push(name),
      (reason) => void done.push(`${name} ${reason}`),
    );
  return {
    ...{ asked, done, barrier, want },
    link: () => barrier.onLinked((number) => void asked.push(number)),
    pass: (milliseconds: number): void => {
      now += milliseconds;
      barrier.tick();
    },
  };
}

test('the requests of one turn share a question, and wait until its answer is applied', async () => {
  const { barrier, asked, done, want, link } = open();
  link();
  want('a');
  want('b');
  await nextTurn();
  expect(asked).toEqual([1]);
  want('c');
  await nextTurn();
  expect(asked).toEqual([1, 2]);
  barrier.onAnswer(1, 12);
  barrier.onApplied(11);
  expect([done, barrier.waiting()]).toEqual([[], 3]);
  barrier.onApplied(12);
  expect([done, barrier.waiting()]).toEqual([['a', 'b'], 1]);
  barrier.onAnswer(2, 12);
  expect([done, barrier.waiting()]).toEqual([['a', 'b', 'c'], 0]);
});

test('after a lost link it asks again, and an answer that was given stays', async () => {
  const { barrier, asked, done, want, link } = open();
  want('before the link');
  await nextTurn();
  link();
  await nextTurn();
  want('answered');
  await nextTurn();
  barrier.onAnswer(2, 20);
  want('unanswered');
  await nextTurn();
  barrier.onUnlinked();
  link();
  expect(asked).toEqual([1, 2, 3, 4]);
  barrier.onApplied(20);
  expect(done).toEqual(['before the link', 'answered']);
  barrier.onAnswer(4, 21);
  barrier.onApplied(21);
  expect(done).toEqual(['before the link', 'answered', 'unanswered']);
});

test('without an answer for five seconds a request is refused, later ones are not', async () => {
  const { done, want, pass, barrier, link } = open();
  want('old');
  pass(3000);
  want('new');
  pass(2000);
  expect(done).toEqual(['old waiting']);
  await nextTurn();
  link();
  barrier.onAnswer(1, 10);
  expect(done).toEqual(['old waiting', 'new']);
});

test('a process that gets the lease answers at once', () => {
  const { done, want, barrier } = open();
  want('a');
  barrier.lift();
  want('b');
  expect(done).toEqual(['a', 'b']);
});
