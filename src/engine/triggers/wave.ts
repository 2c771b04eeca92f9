// A wave: the triggers that became due in one tick of one market, either those that only reduce or
// the others, in a defined order (TRG-6): the nearest to the mark before first, then by priority
// (FUND-3). It consists of pieces that are already in order, and these are merged only as far as a
// tick gets.

import { createHeap, type Heap, heapPeek, heapPop, heapPush } from '../../std/heap.ts';
import type { MarketId, Ticks } from '../../units/units.ts';
import { onlyReduces, type Trigger, waits } from '../trigger.ts';
import { trailingStop } from './trailing.ts';

export type Wave = {
  readonly market: MarketId;
  readonly markBefore: Ticks;
  /** Whether its triggers only reduce. */
  readonly reduces: boolean;
  readonly pieces: Heap<Piece>;
};

/** Triggers in the order of their distance from the mark before. */
export type Piece = {
  readonly blocks: readonly { readonly items: readonly Trigger[] }[];
  /** 1: from the first to the last, −1: from the last to the first. */
  readonly step: 1 | -1;
  /** For trailing ones the extreme that they share; 0 for others. */
  readonly extreme: Ticks;
  /** The place after the present batch. */
  block: number;
  slot: number;
  /** The triggers at one price, by priority, the next of them, and the distance of their price. */
  batch: readonly Trigger[];
  at: number;
  away: number;
};

export type PieceTerms = Pick<Piece, 'blocks' | 'step' | 'extreme'>;

export type WaveTerms = Omit<Wave, 'pieces'>;

export function createWave({ market, markBefore, reduces }: WaveTerms): Wave {
  return { market, markBefore, reduces, pieces: createHeap(isBefore) };
}

/** Adds a piece, which must not be empty. */
export function addPiece(wave: Wave, { blocks, step, extreme }: PieceTerms): void {
  const block = step > 0 ? 0 : blocks.length - 1;
  const slot = step > 0 ? 0 : blocks[block]!.items.length - 1;
  const piece = { blocks, step, extreme, block, slot, batch: [], at: 0, away: 0 };
  if (loadBatch(wave, piece)) heapPush(wave.pieces, piece);
}

/**
 * Waves of triggers that are already in their order, as in a snapshot. Consecutive waves of one
 * market and kind fire as one wave would.
 */
export function wavesOf(due: readonly Trigger[]): Wave[] {
  const waves: Wave[] = [];
  for (let from = 0, to = 0; from < due.length; from = to) {
    const { market } = due[from]!;
    const reduces = onlyReduces(due[from]!);
    const isSame = (next: Trigger): boolean =>
      next.market === market && onlyReduces(next) === reduces;
    while (to < due.length && isSame(due[to]!)) to += 1;
    const wave = createWave({ market, markBefore: 0 as Ticks, reduces });
    const blank = { blocks: [], step: 1, extreme: 0 as Ticks, block: 0, slot: 0 } as const;
    heapPush(wave.pieces, { ...blank, batch: due.slice(from, to), at: 0, away: 0 });
    waves.push(wave);
  }
  return waves;
}

/** Takes the next one that still waits; undefined when there is none. */
export function takeNext(wave: Wave): Trigger | undefined {
  for (;;) {
    const trigger = takeHead(wave);
    if (trigger === undefined || waits(trigger)) return trigger;
  }
}

function takeHead(wave: Wave): Trigger | undefined {
  const piece = heapPop(wave.pieces);
  if (piece === undefined) return undefined;
  const trigger = headOf(piece);
  piece.at += 1;
  if (piece.at < piece.batch.length || loadBatch(wave, piece)) heapPush(wave.pieces, piece);
  return trigger;
}

/** Whether none of it waits any more; ended triggers at the front are removed. */
export function isEmpty(wave: Wave): boolean {
  for (;;) {
    const piece = heapPeek(wave.pieces);
    if (piece === undefined) return true;
    if (waits(headOf(piece))) return false;
    takeHead(wave);
  }
}

/** The triggers that still wait, in their order; the wave does not change. Cost: all of it. */
export function waveItems(wave: Wave): Trigger[] {
  const copy = createWave(wave);
  for (const piece of wave.pieces.items) copy.pieces.items.push({ ...piece });
  const triggers: Trigger[] = [];
  for (let next = takeNext(copy); next !== undefined; next = takeNext(copy)) triggers.push(next);
  return triggers;
}

const headOf = ({ batch, at }: Piece): Trigger => batch[at]!;

const isBefore = (a: Piece, b: Piece): boolean =>
  a.away < b.away || (a.away === b.away && headOf(a).priority < headOf(b).priority);

/**
 * Gathers the triggers at the next price. In the forward direction they already come by priority,
 * except trailing ones, where two callbacks may be rounded to one price.
 */
function loadBatch({ markBefore }: Wave, piece: Piece): boolean {
  const first = takeItem(piece);
  if (first === undefined) return false;
  const stop = stopOf(piece, first);
  const batch = [first];
  const inOrder = piece.extreme === 0 && piece.step > 0;
  for (let next = inOrder ? undefined : peekItem(piece); next !== undefined; ) {
    const together = next.callbackRate === first.callbackRate && piece.extreme !== 0;
    if (!together && stopOf(piece, next) !== stop) break;
    batch.push(next);
    takeItem(piece);
    next = peekItem(piece);
  }
  piece.batch = byPriority(batch);
  piece.at = 0;
  piece.away = Math.abs(stop - markBefore);
  return true;
}

function byPriority(batch: Trigger[]): Trigger[] {
  let before = 0;
  for (const { priority } of batch) {
    if (priority < before) return batch.sort((a, b) => a.priority - b.priority);
    before = priority;
  }
  return batch;
}

function stopOf({ extreme }: Piece, { side, stopTicks, callbackRate }: Trigger): Ticks {
  return extreme === 0 ? stopTicks : trailingStop({ side, extreme, callbackRate });
}

function peekItem({ blocks, block, slot }: Piece): Trigger | undefined {
  return blocks[block]?.items[slot];
}

function takeItem(piece: Piece): Trigger | undefined {
  const { blocks, step } = piece;
  const item = peekItem(piece);
  piece.slot += step;
  const length = blocks[piece.block]?.items.length ?? 0;
  if (piece.slot >= 0 && piece.slot < length) return item;
  piece.block += step;
  piece.slot = step > 0 ? 0 : (blocks[piece.block]?.items.length ?? 0) - 1;
  return item;
}
