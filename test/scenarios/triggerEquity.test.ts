// Triggers and countdowns wait without margin, so they need equity in proportion (TRG-7, ORD-13b).
// Otherwise a client could fill the exchange at no cost.

import { expect, test, vi } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import {
  reducingTriggersFree,
  triggersMax,
  triggersReducingReserve,
} from '../../src/engine/limits.ts';
import type { Time } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { triggerPlacement } from './triggerWords.ts';
import { createWorld, type World } from './world.ts';

const start = `
  market BTCUSDT
  credit anna 29.999999
  credit ben 1000000
  index 60000
`;

/** Anna is long 0.001 at the mark, without fees. */
const long = `
  market BTCUSDT makerFee 0 takerFee 0
  credit anna 10
  credit ben 1000000
  index 60000
  anna leverage 50
  ben sell 0.001 @ 60000
  anna buy 0.001 @ 60000
`;

scenario(
  'TRG-7 equityInsufficient: an opening trigger needs 10 USDT of equity, and each waiting one too',
  `
  ${start}
  anna trigger buy 0.001 STOP_MARKET stop 61000 id a
  anna trigger buy 0.001 TRAILING_STOP_MARKET callback 1 algo id b
  anna trigger sell 0.001 STOP stop 59000 @ 58000 -> equityInsufficient 30000000
  anna triggers a b
  credit anna 0.000001
  anna trigger sell 0.001 STOP stop 59000 @ 58000 gtd 600000 id c
  anna trigger sell 0.001 STOP stop 59000 @ 58000 -> equityInsufficient 40000000
  anna cancelTrigger a
  anna trigger sell 0.001 STOP_MARKET stop 59000 id d
  `,
);

scenario(
  'TRG-7 equity counts at the last mark, and waiting triggers stay when it falls',
  `
  market BTCUSDT makerFee 0 takerFee 0
  credit anna 20
  credit ben 1000000
  index 60000
  anna leverage 50
  ben sell 0.01 @ 60000
  anna buy 0.01 @ 60000
  index 61000
  # 20 + 10.
  anna trigger buy 0.001 STOP_MARKET stop 65000 id a
  anna trigger buy 0.001 STOP_MARKET stop 65000 id b
  anna trigger buy 0.001 STOP_MARKET stop 65000 id c
  anna trigger buy 0.001 STOP_MARKET stop 65000 -> equityInsufficient
  index 60000
  anna triggers a b c
  anna cancelTrigger a
  anna trigger buy 0.001 STOP_MARKET stop 65000 -> equityInsufficient
  `,
);

test('TRG-7 twenty triggers that only reduce need no equity, and further ones need it like others', () => {
  const world = play(createWorld(), long);
  for (let count = 0; count < reducingTriggersFree; count += 1) {
    const terms = count % 2 === 0 ? 'close' : '0.001';
    const reduces = count % 2 === 0 ? '' : 'reduceOnly';
    play(world, `anna trigger sell ${terms} STOP_MARKET stop 59000 ${reduces}`);
  }
  play(
    world,
    `
    anna trigger buy 0.001 STOP_MARKET stop 61000 id o
    anna trigger sell 0.001 STOP_MARKET stop 59000 reduceOnly -> equityInsufficient 20000000
    anna cancelTrigger o
    anna trigger sell 0.001 STOP_MARKET stop 59000 reduceOnly
    anna trigger buy 0.001 STOP_MARKET stop 61000 -> equityInsufficient 20000000
    `,
  );
});

scenario(
  'TRG-7 a position can have its protective triggers at any equity',
  `
  market BTCUSDT makerFee 0 takerFee 0
  credit anna 13
  credit ben 1000000
  index 60000
  anna leverage 50
  ben sell 0.01 @ 60000
  anna buy 0.01 @ 60000
  index 59600
  # The equity is 9 USDT.
  anna trigger sell 0.001 STOP_MARKET stop 59500 reduceOnly
  anna trigger sell close STOP_MARKET stop 59500
  anna trigger buy 0.001 STOP_MARKET stop 65000 -> equityInsufficient
  `,
);

scenario(
  'TRG-7 a withdrawal ends the opening triggers that the rest does not support, newest first',
  `
  ${start}
  credit anna 20.000001
  anna trigger buy 0.001 STOP_MARKET stop 61000 id a
  anna trigger buy 0.001 STOP_MARKET stop 61000 id b
  anna trigger buy 0.001 STOP_MARKET stop 61000 id c
  anna withdraw 20
  anna triggers a b c
  anna withdraw 0.000001
  anna triggers a b
  anna trigger c status CANCELED
  anna withdraw 29.999999
  anna triggers
  `,
);

test('TRG-7 a withdrawal also ends reducing triggers beyond the free ones, after the opening ones', () => {
  const world = play(createWorld(), `${long}\ncredit anna 40`);
  for (let count = 0; count < reducingTriggersFree + 3; count += 1) {
    play(world, `anna trigger sell 0.001 STOP_MARKET stop 59000 reduceOnly id r${count}`);
  }
  play(world, 'anna trigger buy 0.001 STOP_MARKET stop 61000 id o');
  // They need 40; of 50 USDT 20 are left.
  play(world, 'anna withdraw 30\nanna trigger o status CANCELED');
  play(world, `anna trigger r${reducingTriggersFree + 2} status CANCELED`);
  play(world, `anna trigger r${reducingTriggersFree + 1} status NEW`);
  // The position is closed and all that can be is withdrawn: the free ones stay.
  play(world, 'anna sell 0.001 @ 60000\nben buy 0.001 @ 60000\nanna withdraw 20');
  play(world, `anna trigger r${reducingTriggersFree} status CANCELED`);
  play(world, `anna trigger r${reducingTriggersFree - 1} status NEW`);
});

scenario(
  'TRG-7 a rejected withdrawal ends no trigger',
  `
  ${start}
  anna trigger buy 0.001 STOP_MARKET stop 61000 id a
  anna withdraw 30 -> balanceInsufficient
  anna triggers a
  `,
);

test('TRG-7 capacityReached: the last places for triggers of the deployment are for reducing ones', () => {
  const world = play(createWorld(), `${long}\ncredit anna 100`);
  const place = (text: string) =>
    applyCommand(world.exchange, triggerPlacement(world, 'anna', text.split(' ')), 0 as Time);
  const opens = 'buy 0.001 STOP_MARKET stop 61000';
  const reduces = 'sell 0.001 STOP_MARKET stop 59000 reduceOnly';
  const closes = 'sell close STOP_MARKET stop 59000';
  const full = { kind: 'rejected', rejection: { reason: 'capacityReached', limit: 'triggers' } };
  const fill = (size: number) =>
    vi.spyOn(world.exchange.triggers, 'size', 'get').mockReturnValue(size);
  fill(triggersMax - triggersReducingReserve - 1);
  expect(place(opens).kind).toBe('accepted');
  fill(triggersMax - triggersReducingReserve);
  expect(place(opens)).toEqual(full);
  expect(place(reduces).kind).toBe('accepted');
  fill(triggersMax - 1);
  expect(place(closes).kind).toBe('accepted');
  fill(triggersMax);
  expect(place(reduces)).toEqual(full);
});

test('TRG-7 ORD-13b two thousand accounts without money hold neither triggers nor timers', () => {
  const world = play(createWorld(), 'market BTCUSDT\nindex 60000');
  const before = world.exchange.timers.items.length;
  for (let number = 0; number < 2000; number += 1) attack(world, `a${number}`);
  const { triggers, timers, accountByAddress } = world.exchange;
  expect(accountByAddress.size).toBe(2001);
  expect(triggers.size).toBe(0);
  // The nonces of their logins wait for five minutes.
  expect(timers.items.length).toBe(before + 2000);
  expect(timers.counts).toMatchObject({ countdown: 0, goodTill: 0, nonce: 2000 });
});

/** The highest number that an account may have, of the kinds that once stayed for ever. */
function attack(world: World, name: string): void {
  const { exchange } = world;
  const address = `0x${Buffer.from(name).toString('hex').padEnd(40, '0')}`;
  world.names.set(name, address);
  const expiresAt = (exchange.time + 300_000) as Time;
  applyCommand(exchange, { kind: 'login', address, nonce: name, expiresAt }, 0 as Time);
  const account = exchange.accountByAddress.get(address)!;
  const kinds = [
    'buy 0.001 TRAILING_STOP_MARKET callback 1 activation 50000 algo gtd 7776000000',
    'sell 0.001 STOP_MARKET stop 59000 gtd 7776000000',
  ];
  for (const text of kinds) {
    for (let count = 0; count < 3; count += 1) {
      applyCommand(exchange, triggerPlacement(world, name, text.split(' ')), 0 as Time);
    }
  }
  const countdown = { kind: 'setCountdown', account, market: 0 as never } as const;
  applyCommand(exchange, { ...countdown, milliseconds: 86_400_000 }, 0 as Time);
}
