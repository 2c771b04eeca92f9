// What refuses a trigger, or keeps it waiting: its condition, its size, its market, its limits
// (TRG-1, SYM-1, PRC-2, ORD-9, ORD-11).

import { expect, test, vi } from 'vitest';
import { applyCommand, testOrder } from '../../src/engine/apply.ts';
import type { PlaceTrigger } from '../../src/engine/command.ts';
import {
  goodTillMsMin,
  goodTillTimersMax,
  ordersMax,
  triggersMax,
  triggersPerAccountMax,
} from '../../src/engine/limits.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import type { AccountId, Lots, MarketId, Rate, Ticks, Time } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { triggerPlacement } from './triggerWords.ts';
import { accountOf, createWorld, type World } from './world.ts';

const start = `
  market BTCUSDT
  market ETHUSDT
  credit anna 10000
  credit ben 1000000
  index 60000
  index ETHUSDT 3000
`;

scenario(
  'TRG-1 wouldTrigger: the condition already holds at the mark',
  `
  ${start}
  anna trigger buy 0.1 STOP_MARKET stop 60000 -> wouldTrigger
  anna trigger buy 0.1 STOP stop 59999.9 @ 60000 -> wouldTrigger
  anna trigger sell 0.1 STOP_MARKET stop 60000 -> wouldTrigger
  anna trigger sell 0.1 STOP stop 60000.1 @ 60000 -> wouldTrigger
  anna trigger buy 0.1 TAKE_PROFIT_MARKET stop 60000 -> wouldTrigger
  anna trigger buy 0.1 TAKE_PROFIT stop 60000.1 @ 60000 -> wouldTrigger
  anna trigger sell 0.1 TAKE_PROFIT_MARKET stop 60000 -> wouldTrigger
  anna trigger sell 0.1 TAKE_PROFIT stop 59999.9 @ 60000 -> wouldTrigger
  anna triggers
  anna trigger buy 0.1 STOP_MARKET stop 60000.1 id a
  anna trigger sell 0.1 STOP_MARKET stop 59999.9 id b
  anna trigger buy 0.1 TAKE_PROFIT_MARKET stop 59999.9 id c
  anna trigger sell 0.1 TAKE_PROFIT_MARKET stop 60000.1 id d
  anna triggers a b c d
  `,
);

scenario(
  'TRG-1 PRC-2 triggers wait in a halted market and fire at its first tick afterwards',
  `
  ${start}
  anna trigger sell 0.1 STOP_MARKET stop 59000 id s
  anna trigger sell 0.1 STOP_MARKET stop 58000 id far
  ben buy 0.2 @ 58450
  change status HALT
  anna trigger sell 0.1 STOP_MARKET stop 59000 -> marketHalted
  index 58500
  anna trigger s status NEW
  # Cancels always pass.
  anna cancel far -> CANCELED
  change status TRADING
  anna trigger s status NEW
  index 58500
  anna trigger s status FINISHED
  trades 0.1@58450
  `,
);

scenario(
  'TRG-1 PRC-2 priceUnavailable: no trigger is placed without a price, with an old one only reducing ones',
  `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  anna trigger buy 0.1 STOP_MARKET stop 61000 -> priceUnavailable
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  after 30001
  anna trigger buy 0.1 STOP_MARKET stop 61000 -> priceUnavailable
  anna trigger sell 0.1 STOP_MARKET stop 59000 reduceOnly id r
  anna trigger sell close STOP_MARKET stop 59000 id c
  after 90000
  anna trigger sell 0.1 STOP_MARKET stop 59000 reduceOnly -> priceUnavailable
  `,
);

scenario(
  'TRG-1 SYM-1 marketReduceOnly: in a closing market only reducing triggers are placed and fire',
  `
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna trigger buy 0.1 STOP_MARKET stop 61000 id opens
  anna trigger sell 0.1 STOP_MARKET stop 59000 id closes
  change status CLOSE
  anna trigger buy 0.1 STOP_MARKET stop 61000 -> marketReduceOnly
  anna trigger sell 0.1 STOP_MARKET stop 59000 -> marketReduceOnly
  anna trigger sell 0.1 STOP_MARKET stop 58500 reduceOnly id r -> NEW
  index 61000
  anna trigger opens status FAILED failure marketReduceOnly
  ben buy 0.1 @ 58900
  index 59000
  # It is covered whole by the position.
  anna trigger closes status FINISHED
  trades 0.1@60000 0.1@58900
  `,
);

scenario(
  'TRG-1 ORD-11 quantityBelowLot, quantityAboveMax, notionalBelowMin, notionalAboveMax',
  `
  market BTCUSDT minOrderSize 1000 maxOrderSize 100000
  credit anna 10000
  credit ben 100000
  index 60000
  anna trigger buy 0 STOP_MARKET stop 61000 -> quantityBelowLot
  anna trigger buy 1000000000.001 STOP_MARKET stop 61000 -> quantityAboveMax
  # Market types count at their stop: 976 and 1037.
  anna trigger buy 0.016 STOP_MARKET stop 61000 -> notionalBelowMin
  anna trigger buy 0.017 STOP_MARKET stop 61000
  anna trigger buy 1.64 STOP_MARKET stop 61000 -> notionalAboveMax
  # Limit types at their price: 1008 though the stop gives 976.
  anna trigger buy 0.016 STOP stop 61000 @ 63000
  # Trailing ones at the mark: 960 and 1020.
  anna trigger buy 0.016 TRAILING_STOP_MARKET callback 1 algo -> notionalBelowMin
  anna trigger buy 0.017 TRAILING_STOP_MARKET callback 1 algo
  # What only reduces is not bound.
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna trigger sell 0.001 STOP_MARKET stop 59000 reduceOnly
  anna trigger sell close STOP_MARKET stop 59000
  `,
);

scenario(
  'TRG-1 ORD-11 UNIT-1 the largest quantity and the highest price are accepted, and no more',
  `
  market BTCUSDT
  market DUSTUSDT maxOrderSize 2000000
  credit anna 10000
  index 60000
  index DUSTUSDT 0.001
  anna trigger buy 1000000000 DUSTUSDT STOP_MARKET stop 0.002 -> NEW
  anna trigger buy 1000000000.001 DUSTUSDT STOP_MARKET stop 0.002 -> quantityAboveMax
  # The gateway refuses a higher price; coming through, it is a fault.
  anna trigger buy 0.001 STOP_MARKET stop 100000000 -> NEW
  anna trigger buy 0.001 STOP_MARKET stop 100000000.1 -> fault
  `,
);

/** The outcome of placing a trigger with some terms of the command replaced. */
function outcomeWith(world: World, terms: Partial<PlaceTrigger>): Outcome {
  const words = 'buy 0.1 STOP_MARKET stop 61000'.split(' ');
  const command = { ...triggerPlacement(world, 'anna', words), ...terms };
  return applyCommand(world.exchange, command, 0 as Time);
}

const rejection = (reason: string, data = {}) => ({
  kind: 'rejected',
  rejection: { reason, ...data },
});

test('TRG-1 accountUnknown, marketUnknown: a trigger needs an account and a market', () => {
  const world = play(createWorld(), start);
  expect(outcomeWith(world, { account: 99 as AccountId })).toEqual(rejection('accountUnknown'));
  expect(outcomeWith(world, { market: 99 as MarketId })).toEqual(rejection('marketUnknown'));
});

test('TRG-1 capacityReached: triggers of the deployment and timers are bounded', () => {
  const world = play(createWorld(), start);
  const { triggers, orders, timers, time } = world.exchange;
  const full = vi.spyOn(triggers, 'size', 'get').mockReturnValue(triggersMax);
  expect(outcomeWith(world, {})).toEqual(rejection('capacityReached', { limit: 'triggers' }));
  full.mockRestore();
  const crowded = vi.spyOn(orders, 'size', 'get').mockReturnValue(ordersMax);
  expect(outcomeWith(world, {})).toEqual(rejection('capacityReached', { limit: 'orders' }));
  crowded.mockRestore();
  const goodTillDate = (time + goodTillMsMin) as Time;
  timers.counts.goodTill = goodTillTimersMax - 1;
  expect(outcomeWith(world, { goodTillDate }).kind).toBe('accepted');
  const crammed = rejection('capacityReached', { limit: 'goodTillDates' });
  expect(outcomeWith(world, { goodTillDate })).toEqual(crammed);
  // One without a date needs no timer.
  expect(outcomeWith(world, {}).kind).toBe('accepted');
});

test('TRG-1 TRG-3 contradictory terms are a fault of the gateway and change nothing', () => {
  const world = play(createWorld(), start);
  const before = stateHash(world.exchange);
  const impossible: Partial<PlaceTrigger>[] = [
    { type: 'STOP' },
    { ticks: 600_000 as Ticks },
    { stopTicks: 0 as Ticks },
    { activationTicks: 600_000 as Ticks },
    { type: 'TRAILING_STOP_MARKET', callbackRate: 1_000_000 as Rate },
    { closePosition: true },
    { closePosition: true, lots: 0 as Lots, reduceOnly: true },
    { closePosition: true, lots: 0 as Lots, type: 'STOP', ticks: 600_000 as Ticks },
  ];
  for (const terms of impossible) {
    expect(outcomeWith(world, terms)).toMatchObject(rejection('fault'));
  }
  expect(stateHash(world.exchange)).toBe(before);
  // Asking only, it is the same, whatever was sure before.
  play(world, 'credit anna 1');
  const after = stateHash(world.exchange);
  const command = triggerPlacement(world, 'anna', 'buy 0.1 STOP_MARKET stop 61000'.split(' '));
  const asked = { ...command, type: 'STOP' } as const;
  expect(testOrder(world.exchange, asked).outcome).toMatchObject(rejection('fault'));
  expect(stateHash(world.exchange)).toBe(after);
});

test('ORD-9 triggersLimit: at most two hundred wait per account, over all markets and routes', () => {
  const world = play(createWorld(), start);
  const half = triggersPerAccountMax / 2;
  for (let i = 0; i < half; i += 1) {
    play(
      world,
      `
      anna trigger buy 0.1 STOP_MARKET stop 61000 id b${i}
      anna trigger buy 1 ETHUSDT TRAILING_STOP_MARKET callback 1 algo
      `,
    );
  }
  play(
    world,
    `
    anna trigger buy 0.1 STOP_MARKET stop 61000 -> triggersLimit
    anna trigger buy 1 ETHUSDT STOP_MARKET stop 3100 algo -> triggersLimit
    # The account's own, and orders do not count.
    ben trigger buy 0.1 STOP_MARKET stop 61000 -> NEW
    anna buy 0.1 @ 59000 -> NEW
    anna cancel b7 -> CANCELED
    anna trigger buy 0.1 TAKE_PROFIT stop 59500 @ 50000 id t -> NEW
    # One that has fired waits no more, though its order lives.
    index 59500
    anna trigger t status TRIGGERED
    anna trigger buy 0.1 STOP_MARKET stop 61000 -> NEW
    anna trigger buy 0.1 STOP_MARKET stop 61000 -> triggersLimit
    `,
  );
});

scenario(
  'TRG-1 PRC-3 while the breaker holds, opening triggers fail and reducing ones fire',
  `
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna trigger buy 0.1 STOP_MARKET stop 66100 id opens
  anna trigger sell 0.1 TAKE_PROFIT_MARKET stop 66100 reduceOnly id closes
  ben buy 0.1 @ 59900
  index 63500
  ben cancelAll
  ben buy 0.1 @ 66000
  index 66100
  anna trigger opens status FAILED failure marketReduceOnly
  anna trigger closes status FINISHED
  anna trigger buy 0.1 STOP_MARKET stop 67000 -> marketReduceOnly
  `,
);

scenario(
  'TRG-2 SYM-2 marketHalted: a delivery expires waiting triggers, and none is placed afterwards',
  `
  ${start}
  anna trigger buy 0.1 STOP_MARKET stop 61000 id a
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 1 algo id b
  change status CLOSE deliveryTime 1760000100000
  index 60000
  anna trigger a status NEW
  after 100000
  index 60000
  anna trigger a status EXPIRED
  anna trigger b status EXPIRED
  anna trigger buy 0.1 STOP_MARKET stop 61000 -> marketHalted
  anna buy 0.1 @ 60000 -> marketHalted
  `,
);

test('LIQ-1 marginInsufficient: a flagged account may place only reducing triggers', () => {
  const world = play(createWorld(), start);
  play(
    world,
    `
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000
    anna buy 0.1 @ 55000 id resting
    anna sell 0.1 @ 65000 id closing
    `,
  );
  const account = accountOf(world, 'anna');
  const position = account.positions[0]!;
  const steps = `
    anna buy 0.1 @ 55000 -> marginInsufficient
    anna sell 0.001 @ 65000 -> marginInsufficient
    anna modify resting 0.1 @ 54000 -> marginInsufficient
    anna modify closing 0.1 @ 64000 -> NEW
    anna modify closing 0.101 @ 64000 -> marginInsufficient
    anna sell 0.1 @ 64000 reduceOnly IOC -> CANCELED
    anna buy 1 ETHUSDT @ 2900 id elsewhere`;
  account.flagged = true;
  play(world, `${steps} -> marginInsufficient`);
  account.flagged = false;
  account.marginMode = 'isolated';
  position.flagged = true;
  play(world, `${steps} -> NEW`);
});
