// How many orders an account may have open (ORD-9), and several in one command (ORD-8).

import { expect, test } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { openOrdersPerMarketMax } from '../../src/engine/limits.ts';
import type { Time } from '../../src/units/units.ts';
import { placement } from './act.ts';
import { play } from './scenario.ts';
import { accountOf, createWorld, drain } from './world.ts';

const start = `
  market BTCUSDT
  market ETHUSDT
  credit anna 100000
  credit ben 10000
  index 60000
  index ETHUSDT 3000
`;

test('ORD-9 ORD-9a openOrdersLimit: an account has at most 200 open orders on a symbol', () => {
  const world = play(createWorld(), start);
  const lines = Array.from({ length: openOrdersPerMarketMax - 1 }, () => 'anna buy 0.1 @ 50000');
  play(world, lines.join('\n'));
  play(
    world,
    `
    anna sell 0.1 @ 70000 id last -> NEW
    anna has orders 200
    anna buy 0.1 @ 50000 -> openOrdersLimit
    # An order that would fill at once is refused too, as it might have rested.
    ben sell 0.1 @ 60000
    anna buy 0.1 @ 60000 -> openOrdersLimit
    ben cancelAll
    # What cannot rest is not refused, nor what another symbol or account has.
    anna buy 0.1 @ 50000 IOC -> CANCELED IOC
    anna buy ETHUSDT 1 @ 2000 -> NEW
    ben buy 0.1 @ 50000 -> NEW
    anna modify last 0.2 @ 70000 -> NEW
    anna cancel last
    anna buy 0.1 @ 50000 -> NEW
    `,
  );
});

test('ORD-8 each item of a batch has its own outcome, in its place', () => {
  const world = play(createWorld(), `${start}\nanna buy 0.1 @ 50000 id old`);
  const account = accountOf(world, 'anna').id;
  const place = (words: string) => placement(world, 'anna', 'buy', words.split(' '));
  const command: Command = {
    kind: 'batch',
    items: [
      place('0.1 @ 50000 id a'),
      place('100 @ 50000 id b'),
      place('0.1 @ 50000 id a'),
      { kind: 'cancelOrder', account, market: undefined, order: { clientOrderId: 'old' } },
      { kind: 'cancelOrder', account, market: undefined, order: { clientOrderId: 'old' } },
      place('0.1 @ 60000 FOK id f'),
    ],
  };
  const outcome = applyCommand(world.exchange, command, 0 as Time);
  drain(world);
  expect(checkInvariants(world.exchange).failures).toEqual([]);
  const reported = (outcome.kind === 'accepted' ? (outcome.items ?? []) : []).map((item) =>
    item.kind === 'accepted' ? item.order?.status : item.rejection.reason,
  );
  expect(reported).toEqual([
    'NEW',
    'notionalAboveMax',
    'clientOrderIdDuplicate',
    'CANCELED',
    'orderNotFound',
    'REJECTED',
  ]);
  const { events } = world;
  expect(events.filter(({ kind }) => kind === 'rejected')).toHaveLength(3);
});
