// A wave: the triggers that became due in one tick of one market, either those that only reduce or
// the others, in a defined order (TRG-6): the nearest to the mark before first, then by priority
// (FUND-3). It consists of pieces that are already in order, and these are merged only as far as a
// tick gets.

import { createHeap, type Heap, heapPeek, heapPop, heapPush } from '../../std/heap.ts';
import type { MarketId, Rate, Ticks } from '../../units/units.ts';
import type { Side } from '../orderTypes.ts';
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
  readonly blocks: readonly WaveBlock[];
  /** 1: from the first to the last, −1: from the last to the first. */
  readonly step: 1 | -1;
  /** What trailing ones share; undefined for others. */
  readonly trailing: { readonly side: Side; readonly extreme: Ticks } | undefined;
  /** The place after the present batch. */
  block: number;
  slot: number;
  /** The triggers at one price, by priority, the next of them, and the distance of their price. */
  batch: readonly Trigger[];
  at: number;
  away: number;
};

/**
 * Neighbours. What gives their price is beside them, so that ordering them reads no trigger: the
 * stop price with any sign, or the callback of a trailing one.
 */
export type WaveBlock = {
  readonly items: readonly Trigger[];
  readonly keys: readonly number[];
};

export type PieceTerms = Pick<Piece, 'blocks' | 'step' | 'trailing'>;

export type WaveTerms = Omit<Wave, 'pieces'>;

export function createWave({ market, markBefore, reduces }: WaveTerms): Wave {
  return { market, markBefore, reduces, pieces: createHeap(isBefore) };
}

/** Adds a piece, which must not be empty. */
export function addPiece(wave: Wave, { blocks, step, trailing }: PieceTerms): void {
  const block = step > 0 ? 0 : blocks.length - 1;
  const slot = step > 0 ? 0 : blocks[block]!.items.length - 1;
  const piece = { blocks, step, trailing, block, slot, batch: [], at: 0, away: 0 };
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
    const blank = { blocks: [], step: 1, trailing: undefined, block: 0, slot: 0 } as const;
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
  const { pieces } = wave;
  const piece = heapPeek(pieces);
  if (piece === undefined) return undefined;
  if (piece.at % aheadMax === 0) readTriggers(piece.batch, piece.at);
  const trigger = headOf(piece);
  piece.at += 1;
  const isLeft = piece.at < piece.batch.length || loadBatch(wave, piece);
  if (!isLeft) heapPop(pieces);
  else if (pieces.items.length > 1) heapPush(pieces, heapPop(pieces)!);
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
 * Gathers the triggers at the next price. Forward they already come by priority, and those of one
 * block are enough; trailing ones do not, because two callbacks may be rounded to one price.
 */
function loadBatch({ markBefore }: Wave, piece: Piece): boolean {
  const stop = nextStop(piece);
  if (stop === undefined) return false;
  const batch: Trigger[] = [];
  takeSame(piece, batch);
  const inOrder = piece.trailing === undefined && piece.step > 0;
  while (!inOrder && nextStop(piece) === stop) takeSame(piece, batch);
  piece.batch = inOrder ? batch : byPriority(batch);
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

/** The price of the next trigger that is not in a batch yet. */
function nextStop({ blocks, block, slot, trailing }: Piece): Ticks | undefined {
  const key = blocks[block]?.keys[slot];
  if (key === undefined) return undefined;
  if (trailing === undefined) return Math.abs(key) as Ticks;
  return trailingStop({ ...trailing, callbackRate: key as Rate });
}

/** Moves the next trigger, and its neighbours in the block with the same key, into the batch. */
function takeSame(piece: Piece, batch: Trigger[]): void {
  const { items, keys } = piece.blocks[piece.block]!;
  const isInside = (): boolean => piece.slot >= 0 && piece.slot < keys.length;
  const key = keys[piece.slot];
  while (isInside() && keys[piece.slot] === key) {
    batch.push(items[piece.slot]!);
    piece.slot += piece.step;
  }
  if (isInside()) return;
  piece.block += piece.step;
  piece.slot = piece.step > 0 ? 0 : (piece.blocks[piece.block]?.keys.length ?? 0) - 1;
}

/** The number of triggers that are read ahead at a time. */
const aheadMax = 64;

/**
 * Reads the next triggers from memory before they are looked at one by one, so that the waits for
 * them overlap (docs/decisions/0004-what-the-engine-waits-for.md).
 */
function readTriggers(triggers: readonly Trigger[], from: number): number {
  const to = Math.min(from + aheadMax, triggers.length);
  let sum = 0;
  for (let i = from; i < to; i += 1) {
    const { account, reduceOnly, stopTicks, status } = triggers[i]!;
    sum += account + stopTicks;
    if (reduceOnly || status !== 'NEW') sum += 1;
  }
  return sum;
}
