// The pace of refusals (CON-6): slots, their bound, and what is remembered.

import { expect, test } from 'vitest';
import { createRefusalPace } from '../../src/gateway/refusalPace.ts';

test('CON-6 each refusal of a client takes a slot of 5 ms, for one second at most', () => {
  const { note } = createRefusalPace();
  expect([note('a', 1000), note('a', 1000), note('b', 1000)]).toEqual([5, 10, 5]);
  expect(note('a', 1008)).toBe(7);
  for (let i = 0; i < 500; i += 1) note('a', 1010);
  expect(note('a', 1010)).toBe(1000);
  // Slots that have passed are forgotten.
  expect(note('a', 5000)).toBe(5);
});

test('CON-6 a bounded number of clients is remembered, the latest ones', () => {
  const { note } = createRefusalPace();
  note('first', 0);
  note('first', 0);
  for (let i = 0; i < 20_000; i += 1) note(`client ${i}`, 0);
  expect(note('first', 0)).toBe(5);
  expect(note('client 19999', 0)).toBe(10);
});

test('CON-6 a new connection of a client waits for the slot that its refusals have reached', () => {
  const { note, waitOf } = createRefusalPace();
  for (let i = 0; i < 4; i += 1) note('a', 1000);
  expect([waitOf('a', 1000), waitOf('a', 1012), waitOf('a', 1030), waitOf('b', 1000)]).toEqual([
    20, 8, 0, 0,
  ]);
});
