// Facts that all processes know: the latest version counts everywhere, whatever order messages
// come in, and however often.

import { expect, test } from 'vitest';
import { simulateFacts } from '../../sim/cluster/simulateFacts.ts';
import {
  createFactExchange,
  factsToSay,
  forgetFacts,
  onFactLink,
  onFactLinkGone,
  takeFacts,
} from '../../src/link/facts.ts';
import { entriesMax, type Fact } from '../../src/link/linkMessage.ts';

const fact = (name: string, version: number, value = ''): Fact => ({
  ...{ name, version, value, until: 1000 },
});

test('the later version counts, of equal ones the greater value, and a repetition is nothing', () => {
  const exchange = createFactExchange();
  onFactLink(exchange, 1);
  expect(takeFacts(exchange, [fact('a', 2, 'x')])).toEqual([fact('a', 2, 'x')]);
  for (const old of [fact('a', 2, 'x'), fact('a', 1, 'z'), fact('a', 2, 'w')]) {
    expect(takeFacts(exchange, [old])).toEqual([]);
  }
  expect(takeFacts(exchange, [fact('a', 2, 'y')])).toEqual([fact('a', 2, 'y')]);
  expect(factsToSay(exchange, 1)).toEqual([fact('a', 2, 'y')]);
  expect(factsToSay(exchange, 1)).toEqual([]);
});

test('what came over a link does not go back, and a new link begins with everything', () => {
  const exchange = createFactExchange();
  onFactLink(exchange, 1);
  onFactLink(exchange, 2);
  takeFacts(exchange, [fact('a', 1)], 1);
  expect(factsToSay(exchange, 1)).toEqual([]);
  expect(factsToSay(exchange, 2)).toEqual([fact('a', 1)]);
  onFactLinkGone(exchange, 2);
  onFactLink(exchange, 3);
  expect(factsToSay(exchange, 2)).toEqual([]);
  expect(factsToSay(exchange, 3)).toEqual([fact('a', 1)]);
  forgetFacts(exchange, 1000);
  onFactLink(exchange, 4);
  expect(factsToSay(exchange, 4)).toEqual([]);
});

test('a message has a bound, and the rest follows', () => {
  const exchange = createFactExchange();
  takeFacts(
    exchange,
    Array.from({ length: entriesMax + 1 }, (_, index) => fact(`${index}`, 1)),
  );
  onFactLink(exchange, 1);
  expect(factsToSay(exchange, 1).length).toBe(entriesMax);
  expect(factsToSay(exchange, 1).length).toBe(1);
});

test('after every failure all processes know the same', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const [first, ...others] = simulateFacts(seed).map(({ facts }) =>
      [...facts.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
    expect(first!.length).toBe(6);
    for (const each of others) expect(each).toEqual(first);
  }
});
