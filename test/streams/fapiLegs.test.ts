// What the user data stream says of attached legs (ATT-3): nothing before a leg waits for the first
// time, and everything from then on until its end.

import { beforeEach, expect, test } from 'vitest';
import type { AttachedTerms, Command, PlaceOrder, PlaceTrigger } from '../../src/engine/command.ts';
import { openOrdersOf } from '../../src/engine/views/openOrdersOf.ts';
import { placedTriggersOf } from '../../src/engine/views/trigger.ts';
import { must } from '../../src/std/assert.ts';
import type { AccountId, MarketId, OrderId, Ticks, Time } from '../../src/units/units.ts';
import { type Deal, order, stop } from './streamOrders.ts';
import { type FakeReader, openStreamWorld, type Said, type StreamWorld } from './streamWorld.ts';

let world: StreamWorld;

beforeEach(() => {
  world = openStreamWorld();
  world.open();
});

const owner = 4 as AccountId;
const market = 0 as MarketId;

const listen = (): FakeReader =>
  world.connect(`/ws/${world.streams.listenKeys.open(owner) ?? 'none'}`);

const legTerms = (stopTicks: number) => ({ stopTicks: stopTicks as Ticks, ticks: 0 as Ticks });

const attached: AttachedTerms = { takeProfit: legTerms(51_000), stopLoss: legTerms(48_000) };

const parent = (deal: Deal, terms: Partial<PlaceOrder> = {}): Command => ({
  ...order(deal),
  ...terms,
  attached,
});

const algoEvents = (said: readonly Said[]): string[] =>
  said.filter(({ e }) => e === 'ALGO_UPDATE').map(({ o }) => `${o.o} ${o.X} ${o.q}`);

const legs = () => placedTriggersOf(accountNow());
const accountNow = () => must(world.state.exchange.accounts[owner], 'the owner has an account');

/** What names an order or a trigger. */
const nameOf = ({ id, createdAt }: { readonly id: OrderId; readonly createdAt: Time }) => ({
  account: owner,
  market,
  order: { id, createdAt },
});

const cancelParent = (): Command => ({
  kind: 'cancelOrder',
  ...nameOf(must(openOrdersOf(accountNow())[0], 'the parent rests')),
});

const legAt = (at: number) => nameOf(must(legs()[at], 'the leg has not ended'));

const cancelLeg = (at: number): Command => ({ kind: 'cancelTrigger', ...legAt(at) });

const moveLeg = (at: number, stopTicks: number): Command => ({
  kind: 'modifyTrigger',
  ...legAt(at),
  lots: undefined,
  ticks: undefined,
  stopTicks: stopTicks as Ticks,
  callbackRate: undefined,
});

/** The parent rests, and nothing of it has filled. */
const placeParent = (): void => world.run(parent([owner, 1, 100, 49_000]));
/** Another account fills a part of the resting parent. */
const fillParent = (lots: number): void => world.run(order([2, -1, lots, 49_000]));
/** The owner closes lots against another account. */
const close = (lots: number): void =>
  world.run(order([2, 1, lots, 49_500]), order([owner, -1, lots, 49_500]));

const both = (text: string): string[] => [`TAKE_PROFIT_MARKET ${text}`, `STOP_MARKET ${text}`];

const ends: readonly (readonly [string, () => void])[] = [
  ['its parent is cancelled', () => world.run(cancelParent())],
  ['its owner cancels it', () => world.run(cancelLeg(1), cancelLeg(0))],
  [
    'its price is changed before its parent is cancelled',
    () => {
      world.run(moveLeg(1, 48_500));
      world.run(cancelParent());
    },
  ],
];

test.each(ends)(
  'ATT-3 the stream says nothing of a leg that ends without having waited: %s',
  (_how, end) => {
    const reader = listen();
    placeParent();
    const late = listen();
    expect(legs().map(({ status }) => status)).toEqual(['PENDING', 'PENDING']);
    end();
    expect(legs()).toEqual([]);
    expect(algoEvents(reader.take())).toEqual([]);
    expect(algoEvents(late.take())).toEqual([]);
  },
);

test('ATT-3 the stream says nothing of the legs of a parent that ends in its own command', () => {
  const reader = listen();
  world.run(parent([owner, 1, 100, 49_000], { timeInForce: 'IOC' }));
  expect(legs()).toEqual([]);
  expect(algoEvents(reader.take())).toEqual([]);
});

test('ATT-3 the stream says nothing of the legs of a trigger that never fires', () => {
  const reader = listen();
  const trigger: PlaceTrigger = { ...stop([owner, 1, 100, 50_500]), attached };
  world.run(trigger);
  expect(legs()).toHaveLength(3);
  world.run(cancelLeg(0));
  expect(legs()).toEqual([]);
  expect(algoEvents(reader.take())).toEqual([
    'STOP_MARKET NEW 0.100',
    'STOP_MARKET CANCELED 0.100',
  ]);
});

test('ATT-3 a leg is reported once when it begins to wait, also in the command of its parent', () => {
  world.run(order([2, -1, 40, 50_000]));
  const reader = listen();
  world.run(parent([owner, 1, 100, 50_000]));
  expect(algoEvents(reader.take())).toEqual(both('NEW 0.040'));
  world.run(order([2, -1, 10, 50_000]));
  expect(algoEvents(reader.take())).toEqual(both('NEW 0.050'));
  world.run(cancelParent());
  world.run(cancelLeg(1));
  expect(algoEvents(reader.take())).toEqual(['STOP_MARKET CANCELED 0.050']);
});

test('ATT-3 a leg that has waited is reported until its end, also while it is pending again', () => {
  const reader = listen();
  placeParent();
  fillParent(40);
  expect(algoEvents(reader.take())).toEqual(both('NEW 0.040'));
  close(40);
  expect(legs().map(({ status }) => status)).toEqual(['PENDING', 'PENDING']);
  expect(algoEvents(reader.take())).toEqual(both('NEW 0.000'));
  const late = listen();
  world.run(moveLeg(1, 48_500));
  expect(algoEvents(reader.take())).toEqual(['STOP_MARKET NEW 0.000']);
  late.take();
  world.run(cancelParent());
  expect(algoEvents(reader.take())).toEqual(both('EXPIRED 0.000'));
  // A client that came later may know them from before.
  expect(algoEvents(late.take())).toEqual(both('EXPIRED 0.000'));
});

test('ATT-3 a parent that only closed has let no leg wait', () => {
  world.run(order([2, 1, 40, 49_900]), order([owner, -1, 40, 49_900]));
  placeParent();
  fillParent(30);
  const reader = listen();
  expect(legs().map(({ status }) => status)).toEqual(['PENDING', 'PENDING']);
  world.run(cancelParent());
  expect(algoEvents(reader.take())).toEqual([]);
});

test('ATT-9 the legs of a position are reported at once and to their end', () => {
  world.run(order([2, -1, 40, 50_000]), order([owner, 1, 40, 50_000]));
  const reader = listen();
  const { takeProfit, stopLoss } = attached;
  world.run({ kind: 'setProtection', account: owner, market, takeProfit, stopLoss });
  expect(algoEvents(reader.take())).toEqual(both('NEW 0'));
  close(40);
  expect(algoEvents(reader.take())).toEqual(both('EXPIRED 0'));
});
