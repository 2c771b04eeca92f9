// The time of the last use of a key, used at one process and asked at another one.

import { expect, test } from 'vitest';
import { createFactShare } from '../../src/bin/createFactShare.ts';
import { shareLastUsed } from '../../src/bin/shareLastUsed.ts';
import { createLastUsed } from '../../src/gateway/lastUsed.ts';
import { createVirtualTime } from '../fixtures/virtualTime.ts';

function openProcess({ clock, scheduler }: ReturnType<typeof createVirtualTime>) {
  const facts = createFactShare({ clock, scheduler });
  const written = new Map<string, number>();
  const lastUsed = createLastUsed({
    secretStore: { lastUsedOf: (apiKey) => written.get(apiKey) },
    writer: {
      touchLastUsed: async (times) => {
        for (const [apiKey, at] of times) written.set(apiKey, at);
      },
    },
    onFailure: () => {},
    news: shareLastUsed(facts),
  });
  return { facts, lastUsed };
}

test('AUTH-8 processes hear of the last use when it is written, and the latest counts', async () => {
  const time = createVirtualTime();
  const [a, b] = [openProcess(time), openProcess(time)];
  a.facts.onLink(1, (message) => b.facts.onFacts(1, message));
  b.facts.onLink(1, (message) => a.facts.onFacts(1, message));
  const first = time.clock.now();
  a.lastUsed.note('key', first);
  expect(b.lastUsed.of('key')).toBeUndefined();
  await a.lastUsed.flush();
  time.advance(100);
  expect(b.lastUsed.of('key')).toBe(first);
  b.lastUsed.note('key', first + 7);
  expect([a.lastUsed.of('key'), b.lastUsed.of('key')]).toEqual([first, first + 7]);
  await b.lastUsed.flush();
  time.advance(100);
  expect([a.lastUsed.of('key'), b.lastUsed.of('key')]).toEqual([first + 7, first + 7]);
  // What is older changes nothing.
  a.lastUsed.note('key', first + 3);
  await a.lastUsed.flush();
  time.advance(100);
  expect([a.lastUsed.of('key'), b.lastUsed.of('key')]).toEqual([first + 7, first + 7]);
});
