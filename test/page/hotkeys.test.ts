// Which press is which hotkey, and where a key belongs to a field.

import { expect, test } from 'vitest';
import { hotkeyNames, hotkeyOf, hotkeys } from '../../src/page/hotkeys/hotkeys.ts';

const press = (key: string, held: Partial<KeyboardEvent> = {}) =>
  ({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held }) as const;

test('every hotkey has a key of its own, and what trades needs Shift', () => {
  expect(new Set(Object.values(hotkeys)).size).toBe(hotkeyNames.length);
  for (const name of ['buy', 'sell', 'cancelAll'] as const) expect(hotkeys[name]).toMatch(/^Shift/);
});

test.each([
  ['b', { shiftKey: true }, 'page', 'buy'],
  ['B', { shiftKey: true }, 'number', 'buy'],
  ['b', {}, 'page', undefined],
  ['1', {}, 'page', 'quarter'],
  ['1', {}, 'number', undefined],
  ['z', {}, 'number', 'size'],
  ['?', { shiftKey: true }, 'page', 'list'],
  ['?', { shiftKey: true }, 'number', undefined],
  ['B', { shiftKey: true }, 'other', undefined],
  ['b', { shiftKey: true, ctrlKey: true }, 'page', undefined],
  ['l', { metaKey: true }, 'page', undefined],
  ['Enter', {}, 'page', undefined],
] as const)('%s %j in %s is %s', (key, held, place, name) => {
  expect(hotkeyOf(press(key, held), place)).toBe(name);
});
