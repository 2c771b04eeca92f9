// The waiting trailing triggers of one side of a market (TRG-4). Inactive ones are in groups by the
// mark that activates them, active ones in groups of equal extreme: a tick looks at the groups, not
// at the triggers. A better mark makes one group of those that it passes or activates. A mark that
// returns cuts off those that fire.
//
// Groups are merged by moving their runs. Runs are merged later, with a bounded number of triggers
// a tick: each move takes a trigger into a run of the next power of two, so a trigger moves at most
// 13 times in all. The division into runs affects no result.

import {
  createSortedSet,
  type SortedSet,
  sortedAdd,
  sortedFind,
  sortedItems,
  sortedRemoved,
  sortedTakeUpTo,
} from '../../std/sortedSet.ts';
import type { Rate, Ticks } from '../../units/units.ts';
import type { Side } from '../orderTypes.ts';
import type { Trigger } from '../trigger.ts';
import { hasTurned, rankOf, trailingStop } from './trailing.ts';
import {
  addToRun,
  createRun,
  cutRun,
  firstCallback,
  mergeRuns,
  removeFromRun,
  type TrailingGroup,
  type TrailingRun,
} from './trailingRun.ts';

export type TrailingSide = {
  readonly side: Side;
  /** Groups without an extreme, by the rank of their activation price. */
  readonly inactive: SortedSet<TrailingGroup>;
  /** The best extreme first; no two groups have the same. */
  readonly groups: TrailingGroup[];
};

/** The maximum of triggers that one tick moves to merge runs: about half a millisecond. */
const tidyMovesMax = 8192;
/** Runs of 2^13 triggers and more stay as they are, because they are few. */
const largestClass = 13;

export function createTrailingSide(side: Side): TrailingSide {
  return { side, inactive: createSortedSet(), groups: [] };
}

/** Adds a waiting trigger: active when it has an extreme. */
export function addTrailing({ side, inactive, groups }: TrailingSide, trigger: Trigger): void {
  const { extreme, activationTicks } = trigger;
  if (extreme === 0) {
    const rank = rankOf(side, activationTicks);
    const found = sortedFind(inactive, rank, 0);
    const group = found ?? createGroup(side, extreme);
    if (found === undefined) sortedAdd(inactive, rank, 0, group);
    addToGroup(group, trigger);
    return;
  }
  const group = groupAt(side, groups, extreme);
  addToGroup(group, trigger);
  const stop = trailingStop(trigger);
  if (isNearer(side, stop, group.stop)) group.stop = stop;
}

/** Removes a trigger that was added, unless it is due: then it has left already. */
export function removeTrailing({ side, inactive }: TrailingSide, trigger: Trigger): void {
  const { block } = trigger;
  if (!block) return;
  const { group } = block.run;
  trigger.extreme = group.extreme;
  trigger.block = null;
  if (group.due) return;
  removeFromRun(trigger, block);
  if (block.run.size > 0) return;
  dropEmptyRuns(group);
  const isGone = group.runs.length === 0 && group.extreme === 0;
  if (isGone) sortedRemoved(inactive, rankOf(side, trigger.activationTicks), 0);
}

/**
 * Takes out those that the mark has reached, as runs whose triggers fire in the order of rising
 * callback. Cost: the groups, and for those that fire the runs and blocks.
 */
export function cutTurned({ side, groups }: TrailingSide, mark: Ticks): TrailingRun[] {
  const turned: TrailingRun[] = [];
  for (const group of groups) {
    if (!hasTurned(side, group.stop, mark)) continue;
    const { extreme } = group;
    const due: TrailingGroup = { extreme, runs: [], stop: mark, tidy: true, due: true };
    const fires = (callbackRate: Rate): boolean =>
      hasTurned(side, trailingStop({ side, extreme, callbackRate }), mark);
    for (const run of group.runs) {
      const cut = cutRun(run, due, fires);
      if (cut.size > 0) turned.push(cut);
    }
    dropEmptyRuns(group);
    findStop(side, group);
  }
  dropEmptyGroups(groups);
  return turned;
}

/**
 * Moves on to the mark, after the triggers that it fired are removed: it becomes the extreme of all
 * whose extreme it exceeds, and activates those that it has reached. Cost: the groups, their runs,
 * and tidying.
 */
export function followMark(trailing: TrailingSide, mark: Ticks): void {
  const { side, groups, inactive } = trailing;
  const rank = rankOf(side, mark);
  const passed = sortedTakeUpTo(inactive, rank).flatMap(({ items }) => items);
  while (groups.length > 0 && rankOf(side, groups.at(-1)!.extreme) < rank) {
    passed.push(groups.pop()!);
  }
  if (passed.length > 0) {
    if (groups.at(-1)?.extreme === mark) passed.push(groups.pop()!);
    groups.push(mergeGroups(side, passed, mark));
  }
  let moves = tidyMovesMax;
  for (const group of groups) if (!group.tidy && moves > 0) moves -= tidy(group, moves);
  dropEmptyGroups(groups);
}

/** All triggers of one side, in no order. */
export function* trailingItems({ inactive, groups }: TrailingSide): Generator<Trigger> {
  for (const { runs } of [...sortedItems(inactive), ...groups]) {
    for (const { blocks } of runs) for (const { items } of blocks) yield* items;
  }
}

function createGroup(side: Side, extreme: Ticks): TrailingGroup {
  return { extreme, runs: [], stop: never(side), tidy: true, due: false };
}

function addToGroup(group: TrailingGroup, trigger: Trigger): void {
  const last = group.runs.at(-1);
  if (last !== undefined && addToRun(last, trigger)) return;
  group.runs.push(createRun(group, trigger));
  group.tidy = group.runs.length === 1;
}

/** A stop that no mark reaches. */
const never = (side: Side): Ticks => (side > 0 ? Number.MAX_SAFE_INTEGER : 0) as Ticks;

const isNearer = (side: Side, stop: Ticks, other: Ticks): boolean =>
  side > 0 ? stop < other : stop > other;

/** The group of that extreme, made when there is none. */
function groupAt(side: Side, groups: TrailingGroup[], extreme: Ticks): TrailingGroup {
  const rank = rankOf(side, extreme);
  let low = 0;
  let high = groups.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rankOf(side, groups[middle]!.extreme) > rank) low = middle + 1;
    else high = middle;
  }
  const found = groups[low];
  if (found?.extreme === extreme) return found;
  const group = createGroup(side, extreme);
  groups.splice(low, 0, group);
  return group;
}

/** Merges all these groups into one. Cost: their runs, except those of the group with the most. */
function mergeGroups(side: Side, groups: TrailingGroup[], extreme: Ticks): TrailingGroup {
  let target = groups[0]!;
  for (const group of groups) if (group.runs.length > target.runs.length) target = group;
  for (const group of groups) {
    if (group === target) continue;
    for (const run of group.runs) {
      run.group = target;
      target.runs.push(run);
    }
    target.tidy = false;
  }
  target.extreme = extreme;
  findStop(side, target);
  return target;
}

/** Cost: its runs. */
function findStop(side: Side, group: TrailingGroup): void {
  group.stop = never(side);
  for (const run of group.runs) {
    if (run.size === 0) continue;
    const { extreme } = group;
    const stop = trailingStop({ side, extreme, callbackRate: firstCallback(run) });
    if (isNearer(side, stop, group.stop)) group.stop = stop;
  }
}

/**
 * Merges pairs of runs of about the same size, the small ones first, up to a number of triggers
 * moved; gives that number. Further cost: its runs.
 */
function tidy(group: TrailingGroup, movesMax: number): number {
  const classes: TrailingRun[][] = Array.from({ length: largestClass + 1 }, () => []);
  for (const run of group.runs) if (run.size > 0) classes[classOf(run)]!.push(run);
  let moves = 0;
  for (const runs of classes.slice(0, largestClass)) {
    while (runs.length > 1 && moves < movesMax) {
      const merged = mergeRuns(runs.pop()!, runs.pop()!);
      classes[classOf(merged)]!.push(merged);
      moves += merged.size;
    }
  }
  group.runs = classes.reverse().flat();
  group.tidy = moves < movesMax;
  return moves;
}

/** The power of two that a run's size has reached. */
const classOf = ({ size }: TrailingRun): number =>
  Math.min(Math.floor(Math.log2(size)), largestClass);

function dropEmptyRuns(group: TrailingGroup): void {
  group.runs = group.runs.filter(({ size }) => size > 0);
}

function dropEmptyGroups(groups: TrailingGroup[]): void {
  if (groups.every(({ runs }) => runs.length > 0)) return;
  const kept = groups.filter(({ runs }) => runs.length > 0);
  groups.length = 0;
  for (const group of kept) groups.push(group);
}
