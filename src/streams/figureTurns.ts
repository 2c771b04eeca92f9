// Whose figures are looked at when (WS-2). Accounts take turns: each comes at most once a second,
// and one turn of the event loop makes a bounded number of rows, so that ten thousand readers of
// accounts delay no order. With too many of them each comes less often.

import type { StreamBounds } from './streamBounds.ts';

export type FigureTurn = {
  /** Sends what has moved; gives the number of rows that it made. */
  readonly run: () => number;
  dueAt: number;
};

/** By the time when they are due. */
export type FigureTurns = Set<FigureTurn>;

/** Adds a turn; gives the function that ends it. */
export function addFigureTurn(turns: FigureTurns, turn: FigureTurn): () => void {
  turns.add(turn);
  return () => turns.delete(turn);
}

/** To look costs a part of what a row costs. */
const lookRows = 1 / 8;

export function takeFigureTurns(
  turns: FigureTurns,
  now: number,
  { figuresMs, figureRowsPerTurn }: Pick<StreamBounds, 'figuresMs' | 'figureRowsPerTurn'>,
): void {
  let rows = 0;
  for (const turn of turns) {
    // A clock that was set back makes no one wait.
    const isDue = turn.dueAt <= now || turn.dueAt > now + figuresMs;
    if (!isDue || rows >= figureRowsPerTurn) return;
    rows += lookRows + turn.run();
    turns.delete(turn);
    turn.dueAt = now + figuresMs;
    turns.add(turn);
  }
}
