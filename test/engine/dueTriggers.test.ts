// The waiting triggers of a market against a naive twin: a plain list in which every trigger is
// looked at, with exact fractions, at every mark, and a plain queue of those that are due. Seeded.

import { expect, test } from 'vitest';
import {
  extremeOf,
  onlyReduces,
  type Trigger,
  type TriggerType,
  triggerTypes,
} from '../../src/engine/trigger.ts';
import { cutDue } from '../../src/engine/triggers/cutDue.ts';
import {
  addWaiting,
  allWaiting,
  createWaitingTriggers,
  isRising,
  removeWaiting,
  type WaitingTriggers,
} from '../../src/engine/triggers/waitingTriggers.ts';
import {
  isEmpty,
  takeNext,
  type Wave,
  waveItems,
  wavesOf,
} from '../../src/engine/triggers/wave.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { MarketId, OrderId, Rate, Ticks } from '../../src/units/units.ts';

const one = 100_000_000n;

/** What the twin knows of a trailing trigger: the extreme since it was activated. */
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

type World = {
  readonly prng: Prng;
  waiting: WaitingTriggers;
  waves: Wave[];
  twins: Twin[];
  /** What is due, in the order in which it fires. */
  due: Twin[];
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
      waves: [],
      twins: [],
      due: [],
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
      const firing = world.due.splice(0, below(6));
      expect(takeOut(world, firing.length)).toEqual(firing.map(({ trigger }) => trigger.id));
      for (const { trigger, extreme } of firing) expect(trigger.extreme).toBe(extreme);
      fired += firing.length;
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
  const list = due.length > 0 && prng.below(2) === 0 ? due : twins;
  const [gone] = list.splice(prng.below(Math.max(list.length, 1)), 1);
  if (gone === undefined) return;
  end(world, gone.trigger);
  expect(extremeOf(gone.trigger)).toBe(gone.extreme);
}

function end({ waiting }: World, trigger: Trigger): void {
  removeWaiting(waiting, trigger);
  trigger.status = 'CANCELED';
}

/** A tick of a live market: the twin looks at everything. */
function move(world: World, markBefore: number): void {
  const judged = world.twins.map((twin) => ({ twin, ...judge(twin, markBefore, world.mark) }));
  const fire = judged
    .filter(({ fires }) => fires)
    .sort((a, b) => a.away - b.away || a.twin.trigger.id - b.twin.trigger.id);
  const due = [...world.due, ...fire.map(({ twin }) => twin)];
  world.due = [true, false].flatMap((reduces) =>
    due.filter(({ trigger }) => onlyReduces(trigger) === reduces),
  );
  world.twins = judged.filter(({ fires }) => !fires).map(({ twin }) => twin);
  const marks = { markBefore: markBefore as Ticks, mark: world.mark as Ticks };
  for (const reduces of [true, false]) {
    const wave = cutDue(world.waiting, { market: 0 as MarketId, ...marks, reduces });
    if (wave !== undefined) world.waves.push(wave);
  }
  const { waves } = world;
  world.waves = [true, false].flatMap((kind) => waves.filter(({ reduces }) => reduces === kind));
}

/** Fires the next, oldest wave first. */
function takeOut(world: World, count: number): OrderId[] {
  const fired: OrderId[] = [];
  for (const wave of world.waves) {
    while (fired.length < count) {
      const trigger = takeNext(wave);
      if (trigger === undefined) break;
      end(world, trigger);
      fired.push(trigger.id);
    }
  }
  world.waves = world.waves.filter((wave) => !isEmpty(wave));
  return fired;
}

/** What a snapshot does: records alone are kept, and the order of those that are due. */
function rebuild(world: World): void {
  const due = world.waves.flatMap(waveItems);
  const records = [...allWaiting(world.waiting), ...due];
  world.waiting = createWaitingTriggers();
  for (const trigger of records) {
    trigger.extreme = extremeOf(trigger);
    trigger.block = null;
    addWaiting(world.waiting, trigger);
  }
  for (const trigger of due) removeWaiting(world.waiting, trigger);
  world.waves = wavesOf(due);
}

function expectAlike({ waiting, waves, twins, due }: World): void {
  const idsOf = (triggers: readonly Trigger[]): OrderId[] => triggers.map(({ id }) => id);
  expect(idsOf(allWaiting(waiting))).toEqual(idsOf(twins.map(({ trigger }) => trigger)));
  const others = [...twins, ...due].filter((twin) => extremeOf(twin.trigger) !== twin.extreme);
  expect(others.map(({ trigger }) => trigger.id)).toEqual([]);
  expect(idsOf(waves.flatMap(waveItems))).toEqual(idsOf(due.map(({ trigger }) => trigger)));
}

/** One whose condition does not hold yet; of the fields only those that the structures look at. */
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
    market: 0 as MarketId,
    type,
    side,
    status: 'NEW',
    reduceOnly: below(3) === 0,
    closePosition: below(5) === 0,
    stopTicks: stop as Ticks,
    callbackRate: (100_000 + below(shape.callbacks)) as Rate,
    activationTicks: (isTrailing ? activation : 0) as Ticks,
    extreme: (active ? mark : 0) as Ticks,
    block: null,
  } as Trigger;
}
