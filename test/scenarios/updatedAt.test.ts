// When an account, a position, an order or a trigger last changed, and when a market last traded:
// what the wire shows as their times. Only the time, no money; the changes themselves are proved
// where their rules are.

import { expect, test } from 'vitest';
import { findEndedOrder } from '../../src/market-data/endedOrders.ts';
import { directValues } from '../../src/std/directMap.ts';
import { play } from './scenario.ts';
import { triggerOf } from './triggerWords.ts';
import { accountOf, createWorld, type World } from './world.ts';

const start = `
  market BTCUSDT makerFee 0 takerFee 0 fundingFactor 0
  credit anna 10000
  credit ben 10000
  credit cleo 10000
  index 60000
`;

/** Milliseconds since the account, its position and its order of that name last changed. */
function agesOf(world: World, name: string, orderName?: string): (number | undefined)[] {
  const { exchange } = world;
  const account = accountOf(world, name);
  const order = directValues(exchange.orders).find(
    ({ account: owner, clientOrderId }) => owner === account.id && clientOrderId === orderName,
  );
  return [account, account.positions[0], order].map((each) =>
    each === undefined ? undefined : exchange.time - each.updatedAt,
  );
}

test('MAR-2 BAL-1 a fill updates the time of both accounts, their positions and the resting order', () => {
  const world = play(createWorld(), `${start}\nanna buy 0.3 @ 60000 id x\nafter 1000`);
  expect(agesOf(world, 'anna', 'x')).toEqual([1250, expect.any(Number), 1000]);
  play(world, 'ben sell 0.1 @ 60000\nafter 200');
  expect(agesOf(world, 'anna', 'x').slice(1)).toEqual([200, 200]);
  expect(agesOf(world, 'ben')[1]).toBe(200);
});

test('ORD-6 a cut updates the time of the reduce-only order', () => {
  const opened = `${start}\nanna buy 0.1 @ 60000\nben sell 0.1 @ 60000`;
  const world = play(createWorld(), `${opened}\nanna sell 0.1 @ 62000 reduceOnly id x\nafter 1000`);
  play(world, 'cleo buy 0.03 @ 60000\nanna sell 0.03 @ 60000\nafter 200');
  expect(agesOf(world, 'anna', 'x')).toEqual([expect.any(Number), 200, 200]);
});

test('ORD-5 a modify updates the time of its order and of no other', () => {
  const world = play(
    createWorld(),
    `${start}\nanna buy 0.1 @ 59000 id x\nanna buy 0.1 @ 59000 id y`,
  );
  play(world, 'after 1000\nanna modify x 0.1 @ 59100\nafter 200');
  expect(agesOf(world, 'anna', 'x')[2]).toBe(200);
  expect(agesOf(world, 'anna', 'y')[2]).toBe(1200);
});

test('MAR-7 a change of the margin mode updates the time of the account', () => {
  const world = play(createWorld(), `${start}\nafter 1000\nanna mode isolated\nafter 200`);
  expect(agesOf(world, 'anna')[0]).toBe(200);
});

test('ORD-1 a trade updates the time of the last trade of its market', () => {
  const world = play(createWorld(), `${start}\nanna buy 0.3 @ 60000\nafter 1000`);
  play(world, 'ben sell 0.1 @ 60000\nafter 200');
  expect(world.exchange.time - world.exchange.markets[0]!.figures.lastAt).toBe(200);
});

test('BAL-1 a change of the balance updates the time of the account', () => {
  const world = play(createWorld(), `${start}\nafter 1000\ncredit anna 1\nafter 200`);
  expect(agesOf(world, 'anna')[0]).toBe(200);
});

test('MAR-7 adding or removing collateral updates the time of the account and of the position', () => {
  const opened = 'anna mode isolated\nanna buy 0.1 @ 60000\nben sell 0.1 @ 60000';
  const world = play(
    createWorld(),
    `${start}\n${opened}\nafter 1000\nanna collateral 100\nafter 200`,
  );
  expect(agesOf(world, 'anna').slice(0, 2)).toEqual([200, 200]);
  play(world, 'anna collateral -100\nafter 300');
  expect(agesOf(world, 'anna').slice(0, 2)).toEqual([300, 300]);
});

test('FUND-3 funding that is owed but not paid does not update the time of the receiver', () => {
  // As in fundingDebts.test.ts, but Cleo takes what Gus must close: Mm, short, receives nothing.
  const world = play(
    createWorld(),
    `
    after 394000
    market BTCUSDT makerFee 0 takerFee 0 fundingIntervalHours 1
    market XRPUSDT makerFee 0 takerFee 0 fundingFactor 0.9 maxFundingRate 0.9
    credit gus 180
    credit mm 10000
    credit cleo 10000
    house mm
    tick BTCUSDT=60000 XRPUSDT=100
    gus leverage 50
    gus leverage 50 XRPUSDT
    gus buy 0.001 @ 60000
    mm sell 0.001 @ 60000
    gus buy XRPUSDT 2 @ 100
    mm sell XRPUSDT 2 @ 100
    cleo buy 0.001 @ 60000
    after 5001
    index XRPUSDT 100
    funding whole XRPUSDT
    after 499
    index 60000
    paid gus 0 mm 0
    liquidated gus cleo 0.001@60000
    `,
  );
  expect(agesOf(world, 'mm')[0]).toBe(749);
});

test('TRG-1 TRG-1a TRG-2 a trigger that fires, fails or is cancelled gets a new time', () => {
  const world = play(
    createWorld(),
    `
    ${start}
    anna trigger buy 0.1 TAKE_PROFIT stop 59000 @ 58000 id fires
    anna trigger buy 10 TAKE_PROFIT stop 59000 @ 58000 id fails
    anna trigger buy 0.1 TAKE_PROFIT stop 57000 @ 57000 id ends
    after 1000
    index 59000
    anna cancelTrigger ends -> CANCELED
    after 200
    anna trigger fires status TRIGGERED
    anna trigger fails status FAILED failure marginInsufficient
    `,
  );
  const ages = ['fires', 'fails', 'ends'].map(
    (name) => world.exchange.time - triggerOf(world, 'anna', name).updatedAt,
  );
  expect(ages).toEqual([200, 200, 200]);
});

test('ORD-2 MAR-1 the end of an order updates its time and removes its cover', () => {
  const world = play(
    createWorld(),
    `
    ${start}
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000
    anna sell 0.1 @ 61000 id x
    anna order x cover 0.1
    after 1000
    anna cancel x -> CANCELED
    anna order x cover 0
    after 200
    `,
  );
  const ended = findEndedOrder(world.ended, accountOf(world, 'anna').id, { clientOrderId: 'x' });
  expect(world.exchange.time - ended!.updatedAt).toBe(200);
});
