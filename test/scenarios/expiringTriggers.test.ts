// How the triggers of a settled market end (SYM-2b): more of them than one delivery may end.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch, isBehind } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { triggersPerAccountMax } from '../../src/engine/limits.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { waits } from '../../src/engine/trigger.ts';
import { isDue } from '../../src/engine/triggers/dueQueue.ts';
import type { AccountId, Money, OrderId, Time } from '../../src/units/units.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import { stopCommand } from '../fixtures/orderCommands.ts';
import { play } from './scenario.ts';
import { createWorld, type World } from './world.ts';

/**
 * 130 accounts with 200 triggers each, and Anna, the last of all, with one that closes her
 * position, and the stop-loss of her order.
 */
const crowdSize = 130;

function perform(exchange: Exchange, command: Command): void {
  expectSame(applyCommand(exchange, command, 0 as Time).kind, 'accepted');
}

function settledWorld(): World {
  const world = play(
    createWorld(),
    'market BTCUSDT\nmarket ETHUSDT\nindex ETHUSDT 3000\nindex 60000',
  );
  const { exchange } = world;
  for (let i = 0; i < crowdSize; i += 1) {
    const account = exchange.accounts.length;
    const address = `0x${(1_000_000 + account).toString(16).padStart(40, '0')}`;
    perform(exchange, { kind: 'credit', address, amount: 2e9 as Money, reference: `crowd ${i}` });
    for (let k = 0; k < triggersPerAccountMax; k += 1) {
      const stopTicks = 590_000 - ((k * 7) % 100);
      perform(exchange, stopCommand({ account, market: 0, side: -1, lots: 5000, stopTicks }));
    }
  }
  return play(
    world,
    `
    credit ben 100000
    credit anna 10000
    anna buy 0.1 @ 60000 id parent loss 57000
    ben sell 0.1 @ 60000
    anna trigger sell close STOP_MARKET stop 58000 id closing
    anna trigger sell 1 ETHUSDT STOP_MARKET stop 2900 id other
    change status CLOSE deliveryTime 1760000040000
    after 60000
    index 59100
    anna has position 0
    `,
  );
}

const endedOf = ({ events }: Exchange): (readonly [AccountId, OrderId])[] =>
  events.flatMap((event) =>
    event.kind === 'triggerEnded' ? [[event.trigger.account, event.trigger.id] as const] : [],
  );

const waitingIn = ({ triggers }: Exchange): number => {
  return [...triggers.values()].filter((trigger) => waits(trigger) && trigger.market === 0).length;
};

test('SYM-2b a delivery ends a bounded number of triggers, by account and number, later batches the rest', () => {
  const world = settledWorld();
  const { exchange } = world;
  const all = crowdSize * triggersPerAccountMax + 2;
  const left = waitingIn(exchange);
  // Ending one is half a unit, and each account its own overshoot at most.
  expect(all - left).toBeGreaterThan(19_000);
  expect(all - left).toBeLessThan(20_400);
  expect(isBehind(exchange)).toBe(true);
  expect(checkInvariants(exchange).failures).toEqual([]);
  // None of its triggers fires at any price, and its owner may end them.
  play(world, 'anna triggers parent.loss closing other\nanna has position 0');

  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => sections.push(section));
  const copy = decodeSnapshot(sections);
  expect(stateHash(copy)).toBe(stateHash(exchange));
  const expiring = copy.expiring[0]!;
  expiring.account = (expiring.account - 1) as AccountId;
  expect(stateHash(copy)).not.toBe(stateHash(exchange));
  expiring.account = (expiring.account + 1) as AccountId;

  copy.events = [];
  for (const other of [exchange, copy]) beginBatch(other, (other.time + 1) as Time);
  expect(stateHash(copy)).toBe(stateHash(exchange));
  expect(priceHash(copy)).toBe(priceHash(exchange));
  const ended = endedOf(copy);
  expect(ended).toHaveLength(left);
  const sorted = [...ended].sort(([a, x], [b, y]) => a - b || x - y);
  expect(ended).toEqual(sorted);
  expect(isBehind(exchange)).toBe(false);
  expect(exchange.expiring).toEqual([]);
  play(world, 'after 1\nanna triggers other');
});

test('SYM-2b TRG-6 a due trigger of a settled market never fires and ends with the others', () => {
  const world = play(createWorld(), 'market BTCUSDT\nindex 60000\ncredit anna 100000');
  const { exchange } = world;
  for (let i = 0; i < 12; i += 1) {
    play(world, `credit poor${i} 2000`);
    const account = exchange.accounts.length - 1;
    for (let k = 0; k < triggersPerAccountMax; k += 1) {
      const stop = { account, market: 0, side: -1, lots: 5000, stopTicks: 590_000 } as const;
      perform(exchange, stopCommand(stop));
    }
  }
  play(world, 'index 58000');
  expect(isDue(exchange)).toBe(true);
  play(world, 'change status CLOSE deliveryTime 1760000040000');
  play(world, 'after 60000\nindex 58000\nmarket ETHUSDT\nindex ETHUSDT 3000');
  expect(waitingIn(exchange)).toBe(0);
  expect(isDue(exchange)).toBe(false);
  expect(exchange.expiring).toEqual([]);
});

test('SYM-2b an owner can cancel triggers that are still to end, but places no new ones', () => {
  const world = settledWorld();
  play(
    world,
    `
    anna trigger sell 0.1 STOP_MARKET stop 58000 -> marketHalted
    anna cancelTrigger closing -> CANCELED
    after 1
    anna trigger closing status CANCELED
    `,
  );
  expect(waitingIn(world.exchange)).toBe(0);
});
