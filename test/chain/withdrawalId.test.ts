// The id and the deadline of a withdrawal follow from its record alone.

import { expect, test } from 'vitest';
import { withdrawalId } from '../../src/chain/withdrawalId.ts';
import { payableUntil } from '../../src/engine/views/vault.ts';
import type { Time } from '../../src/units/units.ts';
import { formatUuid } from '../../src/units/uuid.ts';

const time = 1_790_000_000_999 as Time;

test('the id is the 16 bytes of the UUID that the interface shows', () => {
  const id = withdrawalId(time, 2 ** 53 - 1);
  expect(id).toBe('0x01a0c4506fe77fffbfffffffffe00000');
  expect(id).toBe(`0x${formatUuid(time, 2 ** 53 - 1).replaceAll('-', '')}`);
  const ids = [0, 1, 2 ** 41 - 1, 2 ** 41].map((sequence) => withdrawalId(time, sequence));
  expect(new Set(ids).size).toBe(4);
  expect(ids.toSorted()).toEqual(ids);
});

test('VLT-4 the deadline is a day after the request, rounded down to the second', () => {
  expect(payableUntil(time)).toBe(1_790_086_400);
  expect(payableUntil((time + 1) as Time)).toBe(1_790_086_401);
});
