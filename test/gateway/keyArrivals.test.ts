// The secrets of keys that another process has made: they come by the state and one question, and
// no request can cause another question.

import { expect, test } from 'vitest';
import type { Event } from '../../src/engine/event.ts';
import type { ApiKey } from '../../src/engine/views/account.ts';
import type { Exchange } from '../../src/engine/views/exchange.ts';
import { createKeyArrivals } from '../../src/gateway/keyArrivals.ts';
import type { SealedRows } from '../../src/secrets/sharedSecrets.ts';
import { createVirtualTime } from '../fixtures/virtualTime.ts';

type Names = { readonly apiKeys: readonly string[]; readonly refs: readonly string[] };

function openArrivals() {
  const time = createVirtualTime(0);
  const apiKeys = new Map<string, ApiKey>();
  const [shared, here] = [new Map<string, string>(), new Set<string>()];
  const questions: Names[] = [];
  const failures: string[] = [];
  let away = false;
  const wrapped = { master_version: 1, data_key: Buffer.alloc(0) };
  const rowsOf = ({ apiKeys: texts, refs }: Names): SealedRows => ({
    keys: texts
      .filter((text) => shared.has(text))
      .map((api_key) => ({ ...wrapped, api_key, secret: Buffer.alloc(0) })),
    profiles: refs
      .filter((ref) => [...shared.values()].includes(ref))
      .map((ref) => ({ ...wrapped, ref, label: Buffer.alloc(0), ip_whitelist: Buffer.alloc(0) })),
  });
  const arrivals = createKeyArrivals({
    exchange: { apiKeys } as unknown as Exchange,
    store: {
      sealedKey: (apiKey) =>
        rowsOf({ apiKeys: here.has(apiKey) ? [apiKey] : [], refs: [] }).keys[0],
      sealedProfile: (ref) => rowsOf({ apiKeys: [], refs: here.has(ref) ? [ref] : [] }).profiles[0],
      lost: (all) => [...all].filter(({ apiKey }) => !here.has(apiKey)),
    },
    writer: {
      addSealed: async ({ keys, profiles }) => {
        for (const { api_key } of keys) here.add(api_key);
        for (const { ref } of profiles) here.add(ref);
      },
      forgetKey: async (apiKey) => {
        here.delete(apiKey);
      },
    },
    load: async (names) => {
      questions.push(names);
      if (away) throw new Error('PostgreSQL is away');
      return rowsOf(names);
    },
    scheduler: time.scheduler,
    onFailure: (error) => failures.push((error as Error).message),
  });
  /** Another process makes a key; its rows are in the database first, unless they were lost. */
  const make = (apiKey: string, isLost = false): void => {
    const profile = `profile of ${apiKey}`;
    if (!isLost) shared.set(apiKey, profile);
    apiKeys.set(apiKey, { apiKey, profile } as ApiKey);
    arrivals.onEvents([{ kind: 'apiKeyCreated', apiKey } as Event]);
  };
  return { ...arrivals, time, make, apiKeys, shared, here, questions, failures, setAway };
  function setAway(is: boolean): void {
    away = is;
  }
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

test('what is made elsewhere comes in one question for many keys, and a request waits for it', async () => {
  const { make, arriving, here, questions } = openArrivals();
  make('a');
  make('b');
  make('c');
  const waited = arriving('b');
  expect(waited).toBeDefined();
  await waited;
  await settled();
  expect([...here].toSorted()).toEqual(
    ['a', 'b', 'c'].flatMap((key) => [key, `profile of ${key}`]).toSorted(),
  );
  // The first goes at once, and the others share the next.
  expect(questions.map(({ apiKeys }) => apiKeys)).toEqual([['a'], ['b', 'c']]);
  expect(arriving('b')).toBeUndefined();
});

test('random keys, and keys that are here, cost no question', async () => {
  const { make, arriving, settle, apiKeys, questions } = openArrivals();
  make('a');
  await arriving('a');
  const before = questions.length;
  for (let index = 0; index < 10_000; index += 1)
    expect(arriving(`random ${index}`)).toBeUndefined();
  settle(apiKeys.values());
  await settled();
  expect(questions.length).toBe(before);
});

test('a new profile is loaded, and a deleted key is destroyed here', async () => {
  const { make, onEvents, arriving, apiKeys, shared, here } = openArrivals();
  make('a');
  await arriving('a');
  shared.set('a', 'second');
  apiKeys.set('a', { apiKey: 'a', profile: 'second' } as ApiKey);
  onEvents([{ kind: 'apiKeyUpdated', apiKey: 'a' } as Event]);
  await arriving('a');
  expect(here.has('second')).toBe(true);
  apiKeys.delete('a');
  onEvents([{ kind: 'apiKeyDeleted', apiKey: 'a' } as Event]);
  expect(here.has('a')).toBe(false);
});

test('while the database is away a question is repeated every half second, and requests give up', async () => {
  const { make, arriving, setAway, time, here, questions, failures } = openArrivals();
  setAway(true);
  make('a');
  await arriving('a');
  for (let round = 0; round < 4; round += 1) {
    await settled();
    time.advance(500);
  }
  await settled();
  expect(questions.length).toBe(5);
  expect(failures).toEqual(questions.map(() => 'PostgreSQL is away'));
  setAway(false);
  time.advance(500);
  await settled();
  expect(here.has('a')).toBe(true);
});

test('a key whose rows are nowhere is given up after five questions', async () => {
  const { make, arriving, time, questions, failures } = openArrivals();
  make('here');
  await arriving('here');
  await settled();
  const before = questions.length;
  make('lost', true);
  for (let round = 0; round < 10; round += 1) {
    await settled();
    time.advance(500);
  }
  expect(questions.length - before).toBe(5);
  expect(arriving('lost')).toBeUndefined();
  expect(failures).toEqual(['the secrets of 1 API keys are not in the database']);
});
