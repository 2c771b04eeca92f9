// The due triggers of one kind, in the order in which they fire (TRG-6): by rounds, with each
// account once in a round and those that cost much some rounds later, and within a round in the
// order in which they became due. operations/ fires them.

import type { AccountId, MarketId } from '../../units/units.ts';
import { isTried, onlyReduces, type Trigger, waits } from '../trigger.ts';
import { createTried, type TriedTriggers, triedItems } from './triedTriggers.ts';
import { isEmpty, takeNext, type Wave, waveItems } from './wave.ts';

export type DueQueue = {
  /** The present round. */
  round: number;
  /** The last round in which each account has a place, from the present round on. */
  readonly places: Map<AccountId, number>;
  /** The triggers that have a place in a round, by round. */
  readonly rounds: Round[];
  /** The triggers that no tick has reached yet, the oldest wave first. */
  waves: readonly Wave[];
};

export type Round = { readonly round: number; readonly turns: Turn[] };

/** What the queue must know of markets and orders. */
export type Turning = {
  readonly isLive: (market: MarketId) => boolean;
  /** The rounds by which a trigger stands back because of the cost of its order. */
  readonly roundsBack: (trigger: Trigger) => number;
};

/** Consecutive triggers of one market; `next` is the first that is left. */
export type Turn = { readonly triggers: Trigger[]; next: number };

/** The names of the queues; the place is the number on the disk: append, never reorder. */
export const dueKinds = ['opening', 'reducing', 'retrying'] as const;
export type DueKind = (typeof dueKinds)[number];

/**
 * The queues of triggers that only reduce, of those of them that were tried before and are due
 * again (TRG-8), and of triggers that open; and the triggers that were tried a moment ago.
 */
export type DueQueues = Readonly<Record<DueKind, DueQueue>> & { readonly tried: TriedTriggers };

/** The last round in which an account has a place, in one queue. */
export type Place = {
  readonly kind: DueKind;
  readonly account: AccountId;
  readonly round: number;
};

export type Placed = { readonly trigger: Trigger; readonly round: number };

export function createDueQueues(): DueQueues {
  const create = (): DueQueue => ({ round: 1, places: new Map(), rounds: [], waves: [] });
  return { reducing: create(), retrying: create(), opening: create(), tried: createTried() };
}

/** The queues in the order in which a tick fires them (TRG-6, TRG-8). */
export function queuesInOrder({ reducing, retrying, opening }: DueQueues): readonly DueQueue[] {
  return [reducing, retrying, opening];
}

/** The queue in which a trigger is due, or will be when it has rested. */
export function queueOf(due: DueQueues, trigger: Readonly<Trigger>): DueQueue {
  if (!onlyReduces(trigger)) return due.opening;
  return isTried(trigger) ? due.retrying : due.reducing;
}

/**
 * Whether any trigger is due, rests before its next try, or was due and has ended since the last
 * tick.
 */
export function isDue({ due }: { readonly due: DueQueues }): boolean {
  return !queuesInOrder(due).every(isIdle) || triedItems(due.tried).length > 0;
}

/** Whether nothing is due. The remaining triggers may have ended in the meantime. */
export function isIdle({ rounds, waves }: DueQueue): boolean {
  return rounds.length === 0 && waves.length === 0;
}

/**
 * Takes out, one after the other, the triggers that fire in live markets; undefined means that a
 * trigger got a place in a later round instead. The caller may stop at any time, and then calls
 * `tidyQueue`. Cost: each trigger is looked at twice at most, in any number of ticks.
 */
export function* dueInTurn(queue: DueQueue, turning: Turning): Generator<Trigger | undefined> {
  const { isLive } = turning;
  for (;;) {
    yield* takePlaced(queue, isLive);
    yield* takeNew(queue, turning);
    const next = queue.rounds.find(({ round, turns }) => {
      return round > queue.round && turns.some((turn) => isLeft(turn, isLive));
    });
    if (next === undefined) break;
    queue.round = next.round;
  }
  // Triggers that become due from now on find no earlier trigger of any account.
  if (queue.places.size > 0) queue.round += 1;
}

function* takePlaced(
  { round, rounds }: DueQueue,
  isLive: (market: MarketId) => boolean,
): Generator<Trigger> {
  for (const present of rounds) {
    if (present.round > round) return;
    for (const turn of present.turns) {
      while (isLeft(turn, isLive)) {
        turn.next += 1;
        yield turn.triggers[turn.next - 1]!;
      }
    }
  }
}

function* takeNew(
  queue: DueQueue,
  { isLive, roundsBack }: Turning,
): Generator<Trigger | undefined> {
  const { places, waves } = queue;
  for (const wave of waves) {
    if (!isLive(wave.market)) continue;
    for (let next = takeNext(wave); next !== undefined; next = takeNext(wave)) {
      const first = Math.max(queue.round, (places.get(next.account) ?? 0) + 1);
      const round = first + roundsBack(next);
      places.set(next.account, round);
      if (round > queue.round) addPlaced(queue, { trigger: next, round });
      yield round > queue.round ? undefined : next;
    }
  }
}

/** Puts a trigger at the end of a round. */
export function addPlaced({ rounds }: DueQueue, { trigger, round }: Placed): void {
  let low = 0;
  let high = rounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rounds[middle]!.round < round) low = middle + 1;
    else high = middle;
  }
  if (rounds[low]?.round !== round) rounds.splice(low, 0, { round, turns: [] });
  const { turns } = rounds[low]!;
  const last = turns.at(-1);
  if (last !== undefined && marketOf(last) === trigger.market) last.triggers.push(trigger);
  else turns.push({ triggers: [trigger], next: 0 });
}

/**
 * To be called when a tick has fired what it may, with the round before: removes triggers that have
 * ended or fired, and places of rounds that it has finished.
 */
export function tidyQueue(queue: DueQueue, roundBefore: number): void {
  const { places, round, rounds } = queue;
  const left = rounds.flatMap((one) => {
    const turns = one.turns.filter((turn) => isLeft(turn, () => true));
    return turns.length === 0 ? [] : [{ round: one.round, turns }];
  });
  rounds.length = 0;
  for (const one of left) rounds.push(one);
  queue.waves = queue.waves.filter((wave) => !isEmpty(wave));
  if (round === roundBefore) return;
  for (const [account, last] of places) if (last < round) places.delete(account);
}

/** The triggers that still wait and have a place, in their order. Cost: all of them. */
export function placedItems({ rounds }: DueQueue): Placed[] {
  return rounds.flatMap(({ round, turns }) =>
    turns.flatMap(({ triggers, next }) =>
      triggers.slice(next).flatMap((trigger) => (waits(trigger) ? [{ trigger, round }] : [])),
    ),
  );
}

/** The triggers that still wait and have no place. Cost: all of them. */
export function newItems({ waves }: DueQueue): Trigger[] {
  return waves.flatMap(waveItems);
}

/** The last places of accounts, of all queues. */
export function placesOf(due: DueQueues): Place[] {
  return dueKinds.flatMap((kind) =>
    [...due[kind].places].map(([account, round]) => ({ kind, account, round })),
  );
}

const marketOf = ({ triggers }: Turn): MarketId => triggers[0]!.market;

/** Whether the market is live and one of its triggers still waits; skips those that have ended. */
function isLeft(turn: Turn, isLive: (market: MarketId) => boolean): boolean {
  const { triggers } = turn;
  if (!isLive(marketOf(turn))) return false;
  while (turn.next < triggers.length && !waits(triggers[turn.next]!)) turn.next += 1;
  return turn.next < triggers.length;
}
