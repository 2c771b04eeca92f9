// Goal: an operation that is past its sentence "From here … must succeed." never answers with a
// rejection. A fault there leaves the process, because a part of its effects exists already.
// Method: the record of events breaks once, at an event that the operation records after its
// sentence.

import { expect, test } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Event } from '../../src/engine/event.ts';
import { Fault } from '../../src/std/assert.ts';
import type { Time } from '../../src/units/units.ts';
import { play } from '../scenarios/scenario.ts';
import { accountOf, createWorld } from '../scenarios/world.ts';

const start = `
  market BTCUSDT
  credit anna 1000
  credit ben 10000
  credit cleo 1000
  credit dora 1000
  ben code BENBEN
  cleo bind BENBEN
  index 60000
  anna withdraw 1
  anna buy 0.001 @ 59000 id bid
  anna buy 0.002 @ 59500 id part
  cleo sell 0.001 @ 59500
  anna trigger buy 0.001 STOP_MARKET stop 80000 id stop
  anna trigger buy 0.001 STOP_MARKET stop 80000 algo id target
  ben sell 0.001 @ 60000 id ask
`;

/** Events that break at the `nth` of their kind, and only then. */
function breakingAt(kind: Event['kind'], nth: number): Event[] {
  const events: Event[] = [];
  let left = nth;
  events.push = (...added: Event[]): number => {
    left -= added.filter((event) => event.kind === kind).length;
    if (left === 0) {
      left = -1;
      throw new Fault('the record of events is broken');
    }
    return Array.prototype.push.apply(events, added);
  };
  return events;
}

/** A step, and the event behind its sentence: the first of its kind, or another. */
const steps: readonly (readonly [step: string, kind: Event['kind'], nth?: number])[] = [
  ['credit cleo 5', 'credited'],
  ['insurance 5', 'insuranceCredited'],
  ['anna withdraw 1', 'withdrawalRequested'],
  ['withdrawal last release', 'withdrawalResolved'],
  ['anna leverage 5', 'leverageSet'],
  ['ben mode unified', 'marginModeSet'],
  ['house ben', 'accountFlagged'],
  ['tiers 0:0:0 1000:0:0', 'feeTiersSet'],
  ['referral off', 'referralTermsSet'],
  ['anna code ANNA', 'referralCodeSet'],
  ['dora bind BENBEN', 'referralBound'],
  ['ben claim', 'referralClaimed'],
  ['market ETHUSDT', 'marketListed'],
  ['change takerFee 0.0004', 'marketChanged'],
  ['anna cancel bid', 'orderEnded'],
  ['anna cancelAll', 'orderEnded'],
  ['anna cancel stop', 'triggerEnded'],
  ['anna cancelTrigger target', 'triggerEnded'],
  ['anna cancelTriggers', 'triggerEnded'],
  ['anna trigger buy 0.001 STOP_MARKET stop 90000', 'triggerPlaced'],
  ['anna countdown 5000', 'countdownSet'],
  ['login eve', 'loggedIn'],
  ['anna modify part 0.001 @ 59500', 'orderEnded'],
  // An order that meets no other, a killed one, and one whose rest ends after its trade.
  ['anna buy 0.001 @ 58000', 'orderPlaced'],
  ['anna buy 0.002 @ 60000 FOK', 'orderPlaced'],
  ['anna buy 0.002 @ 60000 IOC', 'orderEnded', 2],
];

for (const [step, kind, nth = 1] of steps) {
  test(`a fault behind the sentence leaves the process: ${step}`, () => {
    const setup = step.includes('mode') ? `${start}\nben cancel ask` : start;
    const world = play(createWorld(), setup);
    world.exchange.events = breakingAt(kind, nth);
    expect(() => play(world, step)).toThrow(Fault);
  });
}

test('a fault behind the sentence leaves the process: API keys', () => {
  const world = play(createWorld(), start);
  const { exchange } = world;
  const account = accountOf(world, 'anna').id;
  const apply = (command: Command) => applyCommand(exchange, command, 0 as Time);
  const breaks = (kind: Event['kind'], command: Command): void => {
    exchange.events = breakingAt(kind, 1);
    expect(() => apply(command), command.kind).toThrow(Fault);
    exchange.events = [];
  };
  apply({ kind: 'createApiKey', account, apiKey: 'first', profile: 'p' });
  const { id, createdAt } = accountOf(world, 'anna').apiKeys[0]!;
  const named = { account, id, createdAt };
  breaks('apiKeyCreated', { kind: 'createApiKey', account, apiKey: 'second', profile: 'p' });
  breaks('apiKeyUpdated', { kind: 'setRateTier', apiKey: 'first', rateTier: 'house' });
  const update = { status: 'disabled', profile: undefined } as const;
  breaks('apiKeyUpdated', { kind: 'updateApiKey', ...named, ...update });
  breaks('apiKeyDeleted', { kind: 'deleteApiKey', ...named });
});
