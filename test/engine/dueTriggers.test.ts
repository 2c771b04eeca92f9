// The waiting triggers of a market against a naive twin: a plain list in which every trigger is
// looked at, with exact fractions, at every mark, and plain lists of those that are due, in which
// rounds by account are counted as TRG-6 says. Seeded.

import { expect, test } from 'vitest';
import { extremeOf, onlyReduces, type Trigger } from '../../src/engine/trigger.ts';
import { cutDue } from '../../src/engine/triggers/cutDue.ts';
import {
  addPlaced,
  createDueQueues,
  type DueQueue,
  type DueQueues,
  dueInTurn,
  newItems,
  placedItems,
  queueOf,
  tidyQueue,
} from '../../src/engine/triggers/dueQueue.ts';
import {
  addWaiting,
  allWaiting,
  createWaitingTriggers,
  isRising,
  removeWaiting,
  type WaitingTriggers,
} from '../../src/engine/triggers/waitingTriggers.ts';
import { wavesOf } from '../../src/engine/triggers/wave.ts';
import { type TriggerType, triggerTypes } from '../../src/engine/triggerTypes.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { AccountId, MarketId, OrderId, Rate, Ticks } from '../../src/units/units.ts';

const one = 100_000_000n;

/** The twin's record of a trailing trigger: the extreme since it was activated. */
type Twin = { readonly trigger: Trigger; extreme: number };

/** |stop − mark before| and whether it fires, from the rules as they are written. */
function judge(twin: Twin, markBefore: number, mark: number): { fires: boolean; away: number } {
  const { type, side, stopTicks, activationTicks, callbackRate } = twin.trigger;
  if (type !== 'TRAILING_STOP_MARKET') {
    const rises = type.startsWith('STOP') ? side > 0 : side < 0;
    const fires = rises ? mark >= stopTicks : mark <= stopTicks;
    return { fires, away: Math.abs(stopTicks - markBefore) };
  }
  if (twin.extreme === 0) {
    if (side > 0 ? mark <= activationTicks : mark >= activationTicks) twin.extreme = mark;
    return { fires: false, away: 0 };
  }
  const bound = BigInt(twin.extreme) * (one + BigInt(side) * BigInt(callbackRate));
  const fires = side > 0 ? BigInt(mark) * one >= bound : BigInt(mark) * one <= bound;
  if (!fires) twin.extreme = side > 0 ? Math.min(twin.extreme, mark) : Math.max(twin.extreme, mark);
  // The whole tick on the far side of the bound.
  const stop = side > 0 ? (bound + one - 1n) / one : bound / one;
  return { fires, away: Math.abs(Number(stop) - markBefore) };
}

/** Those with a place in a round and those without, each as they became due. */
type NaiveQueue = {
  round: number;
  last: Map<number, number>;
  placed: { readonly twin: Twin; readonly round: number }[];
  fresh: Twin[];
};

type World = {
  readonly prng: Prng;
  waiting: WaitingTriggers;
  queues: DueQueues;
  twins: Twin[];
  /** The due triggers: reducing ones and opening ones. */
  readonly due: { readonly reducing: NaiveQueue; readonly opening: NaiveQueue };
  mark: number;
  number: number;
  /** The triggers of this size of callbacks and prices. */
  readonly shape: Shape;
};

type Shape = { readonly mark: number; readonly step: number; readonly callbacks: number };

const shapes: Record<string, Shape> = {
  'ticks of a seldom price': { mark: 1000, step: 30, callbacks: 5_000_000 },
  'coarse ticks, where callbacks tie': { mark: 60, step: 3, callbacks: 9_900_000 },
  'few callbacks and fine ticks': { mark: 600_000, step: 2000, callbacks: 7 },
};

test.each(Object.entries(shapes))(
  'TRG-1 TRG-4 TRG-6 FUND-3 what fires at a mark, and in which order, is what a naive list says: %s',
  (_, shape) => {
    const world: World = {
      prng: createPrng(20_251_121),
      waiting: createWaitingTriggers(),
      queues: createDueQueues(),
      twins: [],
      due: { reducing: naiveQueue(), opening: naiveQueue() },
      mark: shape.mark,
      number: 1,
      shape,
    };
    const { below } = world.prng;
    let fired = 0;
    for (let round = 0; round < 2500; round += 1) {
      for (let i = below(4); i > 0; i -= 1) placeOne(world);
      if (below(4) === 0) cancelOne(world);
      const markBefore = world.mark;
      const step = below(40) === 0 ? shape.step * 10 : shape.step;
      const moved = world.mark + below(2 * step + 1) - step;
      world.mark = Math.max(Math.ceil(shape.mark / 2), Math.min(moved, shape.mark * 2));
      // A market that is not live moves its mark, and nothing follows.
      if (below(8) === 0) continue;
      move(world, markBefore);
      for (const kind of ['reducing', 'opening'] as const) {
        const count = below(5);
        const firing = takeNaively(world.due[kind], count);
        expect(takeOut(world, kind, count)).toEqual(firing.map(({ trigger }) => trigger.id));
        for (const { trigger, extreme } of firing) expect(trigger.extreme).toBe(extreme);
        fired += firing.length;
      }
      if (below(200) === 0) rebuild(world);
      if (round % 5 === 0) expectAlike(world);
    }
    expect(fired).toBeGreaterThan(2000);
  },
);

function placeOne(world: World): void {
  const trigger = randomTrigger(world);
  world.number += 1;
  addWaiting(world.waiting, trigger);
  world.twins.push({ trigger, extreme: trigger.extreme });
}

function cancelOne(world: World): void {
  const { prng, twins, due } = world;
  const dues = allDue(due.reducing).concat(allDue(due.opening));
  const list = dues.length > 0 && prng.below(2) === 0 ? dues : twins;
  const gone = list[prng.below(Math.max(list.length, 1))];
  if (gone === undefined) return;
  world.twins = twins.filter((twin) => twin !== gone);
  for (const queue of [due.reducing, due.opening]) {
    queue.placed = queue.placed.filter(({ twin }) => twin !== gone);
    queue.fresh = queue.fresh.filter((twin) => twin !== gone);
  }
  end(world, gone.trigger);
  expect(extremeOf(gone.trigger)).toBe(gone.extreme);
}

function end({ waiting }: World, trigger: Trigger): void {
  removeWaiting(waiting, trigger);
  trigger.status = 'CANCELED';
}

/** A tick of a live market: the twin checks every trigger. */
function move(world: World, markBefore: number): void {
  const judged = world.twins.map((twin) => ({ twin, ...judge(twin, markBefore, world.mark) }));
  const fire = judged
    .filter(({ fires }) => fires)
    .sort((a, b) => a.away - b.away || a.twin.trigger.priority - b.twin.trigger.priority);
  const { reducing, opening } = world.due;
  for (const { twin } of fire) (onlyReduces(twin.trigger) ? reducing : opening).fresh.push(twin);
  world.twins = judged.filter(({ fires }) => !fires).map(({ twin }) => twin);
  const marks = { markBefore: markBefore as Ticks, mark: world.mark as Ticks };
  for (const reduces of [true, false]) {
    const wave = cutDue(world.waiting, { market: 0 as MarketId, ...marks, reduces });
    const queue = reduces ? world.queues.reducing : world.queues.opening;
    if (wave !== undefined) queue.waves = [...queue.waves, wave];
  }
}

/** As if every third order were as dear as one round, and every seventh as two. */
const roundsBackOf = ({ id }: Trigger): number => (id % 7 === 0 ? 2 : id % 3 === 0 ? 1 : 0);

/** Fires the next of one kind. */
function takeOut(world: World, kind: 'reducing' | 'opening', count: number): OrderId[] {
  const queue = world.queues[kind];
  const fired: OrderId[] = [];
  if (count === 0) return fired;
  const { round } = queue;
  for (const trigger of dueInTurn(queue, { isLive: () => true, roundsBack: roundsBackOf })) {
    if (trigger === undefined) continue;
    end(world, trigger);
    fired.push(trigger.id);
    if (fired.length === count) break;
  }
  tidyQueue(queue, round);
  return fired;
}

const naiveQueue = (): NaiveQueue => ({ round: 1, last: new Map(), placed: [], fresh: [] });

const allDue = ({ placed, fresh }: NaiveQueue): Twin[] => [
  ...placed.map(({ twin }) => twin),
  ...fresh,
];

/** Each account once per round: the next trigger of an account gets a place in a later round. */
function takeNaively(queue: NaiveQueue, count: number): Twin[] {
  const fired: Twin[] = [];
  while (fired.length < count) {
    const ofRound = queue.placed.find(({ round }) => round === queue.round);
    const fresh = queue.fresh[0];
    if (ofRound !== undefined) {
      queue.placed = queue.placed.filter((one) => one !== ofRound);
      fired.push(ofRound.twin);
    } else if (fresh !== undefined) {
      queue.fresh.shift();
      const { account } = fresh.trigger;
      const last = queue.last.get(account) ?? 0;
      const round = (last < queue.round ? queue.round : last + 1) + roundsBackOf(fresh.trigger);
      queue.last.set(account, round);
      if (round === queue.round) fired.push(fresh);
      else queue.placed.push({ twin: fresh, round });
    } else if (queue.placed.length > 0) {
      queue.round = Math.min(...queue.placed.map(({ round }) => round));
    } else {
      if (Math.max(0, ...queue.last.values()) >= queue.round) queue.round += 1;
      break;
    }
  }
  return fired;
}

/** Like a snapshot: it keeps only the records and the order of the due ones. */
function rebuild(world: World): void {
  const { queues } = world;
  const both = [queues.reducing, queues.opening];
  const due = both.flatMap(newItems);
  const placed = both.flatMap(placedItems);
  const records = [
    ...allWaiting(world.waiting),
    ...due,
    ...placed.map(({ trigger }) => trigger),
  ].sort((a, b) => a.id - b.id);
  world.waiting = createWaitingTriggers();
  for (const trigger of records) {
    trigger.extreme = extremeOf(trigger);
    trigger.block = null;
    addWaiting(world.waiting, trigger);
  }
  for (const trigger of due) removeWaiting(world.waiting, trigger);
  for (const { trigger } of placed) removeWaiting(world.waiting, trigger);
  const restored = createDueQueues();
  roundOf(restored.reducing, both[0]!);
  roundOf(restored.opening, both[1]!);
  restored.reducing.waves = wavesOf(due.filter(onlyReduces));
  restored.opening.waves = wavesOf(due.filter((trigger) => !onlyReduces(trigger)));
  for (const one of placed) addPlaced(queueOf(restored, one.trigger), one);
  world.queues = restored;
}

/** The round and the places are kept too. */
function roundOf(queue: DueQueue, { round, places }: DueQueue): void {
  queue.round = round;
  for (const [account, last] of places) queue.places.set(account, last);
}

function expectAlike({ waiting, queues, twins, due }: World): void {
  const idsOf = (triggers: readonly Trigger[]): OrderId[] => triggers.map(({ id }) => id);
  expect(idsOf(allWaiting(waiting))).toEqual(idsOf(twins.map(({ trigger }) => trigger)));
  const dues = [...allDue(due.reducing), ...allDue(due.opening)];
  const others = [...twins, ...dues].filter((twin) => extremeOf(twin.trigger) !== twin.extreme);
  expect(others.map(({ trigger }) => trigger.id)).toEqual([]);
  for (const kind of ['reducing', 'opening'] as const) {
    const naive = [...due[kind].placed].sort((a, b) => a.round - b.round);
    expect(queues[kind].round).toBe(due[kind].round);
    expect(placedItems(queues[kind]).map(({ trigger, round }) => [round, trigger.id])).toEqual(
      naive.map(({ twin, round }) => [round, twin.trigger.id]),
    );
    expect(idsOf(newItems(queues[kind]))).toEqual(
      idsOf(due[kind].fresh.map(({ trigger }) => trigger)),
    );
  }
}

/** A trigger whose condition does not hold yet, with only the fields that the structures read. */
function randomTrigger({ prng: { below }, mark, number, shape }: World): Trigger {
  const type = triggerTypes[below(triggerTypes.length)] as TriggerType;
  const side = below(2) === 0 ? 1 : -1;
  const away = 1 + below(2 * shape.step);
  const isTrailing = type === 'TRAILING_STOP_MARKET';
  const active = isTrailing && below(2) === 0;
  const stop = isTrailing ? 0 : isRising({ type, side }) ? mark + away : Math.max(1, mark - away);
  const activation = active ? mark : Math.max(1, mark - side * away);
  return {
    id: number as OrderId,
    account: below(4) as AccountId,
    market: 0 as MarketId,
    type,
    side,
    status: 'NEW',
    failure: '',
    reduceOnly: below(3) === 0,
    closePosition: below(5) === 0,
    stopTicks: stop as Ticks,
    callbackRate: (100_000 + below(shape.callbacks)) as Rate,
    activationTicks: (isTrailing ? activation : 0) as Ticks,
    extreme: (active ? mark : 0) as Ticks,
    block: null,
    // Every fifth was changed after it was placed (TRG-9).
    priority: below(5) === 0 ? 1_000_000 + number : number,
  } as Trigger;
}
