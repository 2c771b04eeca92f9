// The waiting triggers of a market against a naive twin: a plain list in which every trigger is
// looked at, with exact fractions, at every mark. Seeded.

import { expect, test } from 'vitest';
import type { Trigger, TriggerType } from '../../src/engine/trigger.ts';
import { triggerTypes } from '../../src/engine/trigger.ts';
import { dueTriggers } from '../../src/engine/triggers/dueTriggers.ts';
import {
  addWaiting,
  allWaiting,
  createWaitingTriggers,
  isRising,
  removeWaiting,
} from '../../src/engine/triggers/waitingTriggers.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { OrderId, Rate, Ticks } from '../../src/units/units.ts';

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

test('TRG-1 TRG-4 FUND-3 what fires at a mark, and in which order, is what a naive list says', () => {
  const { below } = createPrng(20_251_121);
  const waiting = createWaitingTriggers();
  let twins: Twin[] = [];
  let mark = 1000;
  let number = 1;
  let fired = 0;
  for (let round = 0; round < 4000; round += 1) {
    for (let i = below(4); i > 0; i -= 1) {
      const trigger = randomTrigger(below, mark, number);
      number += 1;
      addWaiting(waiting, trigger);
      twins.push({ trigger, extreme: trigger.extreme });
    }
    if (twins.length > 0 && below(4) === 0) {
      const [gone] = twins.splice(below(twins.length), 1);
      removeWaiting(waiting, gone!.trigger);
    }
    const markBefore = mark;
    mark = Math.max(100, mark + below(61) - 30);
    const judged = twins.map((twin) => ({ twin, ...judge(twin, markBefore, mark) }));
    const expected = judged
      .filter(({ fires }) => fires)
      .sort((a, b) => a.away - b.away || a.twin.trigger.id - b.twin.trigger.id)
      .map(({ twin }) => twin.trigger.id);
    const due = dueTriggers(waiting, { markBefore: markBefore as Ticks, mark: mark as Ticks });
    expect(due.map(({ id }) => id)).toEqual(expected);
    for (const trigger of due) removeWaiting(waiting, trigger);
    fired += due.length;
    twins = judged.filter(({ fires }) => !fires).map(({ twin }) => twin);
    for (const { trigger, extreme } of twins) expect(trigger.extreme).toBe(extreme);
    expect(allWaiting(waiting)).toEqual(twins.map(({ trigger }) => trigger));
  }
  expect(fired).toBeGreaterThan(3000);
});

/** One whose condition does not hold yet; of the fields only those that the structures look at. */
function randomTrigger(below: (bound: number) => number, mark: number, id: number): Trigger {
  const type = triggerTypes[below(triggerTypes.length)] as TriggerType;
  const side = below(2) === 0 ? 1 : -1;
  const away = 1 + below(60);
  const isTrailing = type === 'TRAILING_STOP_MARKET';
  const active = isTrailing && below(2) === 0;
  const stop = isTrailing ? 0 : isRising({ type, side }) ? mark + away : mark - away;
  const activation = active ? mark : mark - side * away;
  return {
    id: id as OrderId,
    type,
    side,
    stopTicks: stop as Ticks,
    callbackRate: (100_000 + below(5_000_000)) as Rate,
    activationTicks: (isTrailing ? activation : 0) as Ticks,
    extreme: (active ? mark : 0) as Ticks,
  } as Trigger;
}
