// Goal: at every bound of its collections (limits.ts) the exchange refuses, and one below it does
// not. Method: collections that report the size that a test wants; filling them would take minutes.

import { expect, test } from 'vitest';
import type { Account } from '../../src/engine/account.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import {
  accountsMax,
  creditReferencesMax,
  loginNoncesMax,
  ordersMax,
  triggersMax,
  withdrawalsMax,
} from '../../src/engine/limits.ts';
import { actFor, actForAll } from '../scenarios/act.ts';
import { actMoneyFor, actMoneyForAll } from '../scenarios/moneyWords.ts';
import { play } from '../scenarios/scenario.ts';
import { createWorld, type World } from '../scenarios/world.ts';

/** The outcome of a step, without the full check, because the collections report wrong sizes. */
function outcomeOf(world: World, step: string): unknown {
  const words = step.split(' ');
  const [name, ...rest] = words;
  const isKnown =
    actForAll(world, words) ||
    actMoneyForAll(world, words) ||
    actFor(world, name!, rest) ||
    actMoneyFor(world, name!, rest);
  expect(isKnown).toBe(true);
  return world.last;
}

const say = (map: object, size: number) => Object.defineProperty(map, 'size', { value: size });

const bounds: Record<
  string,
  { max: number; fill: (exchange: Exchange, size: number) => void; steps: string[] }
> = {
  creditReferences: {
    max: creditReferencesMax,
    fill: ({ credits }, size) => say(credits, size),
    steps: ['credit anna 1', 'insurance 1', 'correct anna first 5 reference fix'],
  },
  accounts: {
    max: accountsMax,
    fill: ({ accounts }, size) => {
      (accounts as Account[]).length = size;
    },
    steps: ['credit cleo 1', 'login cleo'],
  },
  loginNonces: {
    max: loginNoncesMax,
    fill: ({ nonces }, size) => say(nonces, size),
    steps: ['login cleo'],
  },
  withdrawals: {
    max: withdrawalsMax,
    fill: ({ withdrawals }, size) => say(withdrawals, size),
    steps: ['anna withdraw 1'],
  },
  orders: {
    max: ordersMax,
    fill: ({ orders }, size) => say(orders, size),
    steps: ['anna buy 0.001 @ 59000'],
  },
  triggers: {
    max: triggersMax,
    fill: ({ triggers }, size) => say(triggers, size),
    steps: ['anna buy 0.001 @ 59000 profit 61000', 'anna buy 0.001 @ 59000 loss 58000'],
  },
};

for (const [limit, { max, fill, steps }] of Object.entries(bounds)) {
  test.each(steps)(`capacityReached: ${limit} is bounded, %s`, (step) => {
    const start = 'market BTCUSDT\ncredit anna 1000 reference first\nindex 60000';
    const below = play(createWorld(), start);
    fill(below.exchange, max - 1);
    expect(outcomeOf(below, step)).toMatchObject({ kind: 'accepted' });
    const full = play(createWorld(), start);
    fill(full.exchange, max);
    const rejection = { reason: 'capacityReached', limit };
    expect(outcomeOf(full, step)).toEqual({ kind: 'rejected', rejection });
    // An existing account needs no room.
    if (limit === 'accounts')
      expect(outcomeOf(full, 'credit anna 1')).toMatchObject({ kind: 'accepted' });
  });
}
