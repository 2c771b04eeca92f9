// The last trades of a market, kept by the messages of its channel. Many may come between two
// frames: what they change is settled once for each frame.

import { type Signal, signal } from '@preact/signals';
import type { MessageOf, StreamClient } from '../../client/streamClient.ts';
import type { BeforeFrame } from './framePace.ts';

export type TradeRow = MessageOf<`trades:${string}`>['trades'][number];

export type Trades = {
  /** Price of the last trade, and how it compares with the one before. */
  readonly last: Signal<{ readonly price: string; readonly direction: -1 | 0 | 1 } | undefined>;
  /** Newest first; as of the last frame. */
  readonly rows: () => readonly TradeRow[];
};

export const tradesKept = 100;

export type FollowTrades = {
  readonly symbol: string;
  readonly beforeFrame: BeforeFrame;
  /** Called at most once for each frame. */
  readonly onChange: () => void;
};

export function followTrades(
  client: StreamClient,
  { symbol, beforeFrame, onChange }: FollowTrades,
): Trades {
  const last: Trades['last'] = signal(undefined);
  let rows: readonly TradeRow[] = [];
  /** Since the last frame, oldest first. */
  let fresh: TradeRow[] = [];
  let isPlanned = false;
  const settle = (): void => {
    isPlanned = false;
    rows = [...fresh.toReversed(), ...rows].slice(0, tradesKept);
    fresh = [];
    const [newest, second] = rows;
    if (newest !== undefined) {
      const { price } = newest;
      const direction = directionOf(newest, second);
      const shown = last.value;
      if (shown?.price !== price || shown.direction !== direction)
        last.value = { price, direction };
    }
    onChange();
  };
  client.subscribe(`trades:${symbol}`, ({ snapshot, trades }) => {
    if (snapshot) {
      rows = [];
      fresh = [];
    }
    fresh.push(...trades);
    // No more than this is shown, however long no frame is drawn.
    if (fresh.length > 2 * tradesKept) fresh.splice(0, fresh.length - tradesKept);
    if (isPlanned) return;
    isPlanned = true;
    beforeFrame(settle);
  });
  return { last, rows: () => rows };
}

/** All prices of a market have equally many decimals. */
function directionOf(newest: TradeRow, second: TradeRow | undefined): -1 | 0 | 1 {
  if (second === undefined || newest.price === second.price) return 0;
  const higher =
    newest.price.length === second.price.length
      ? newest.price > second.price
      : newest.price.length > second.price.length;
  return higher ? 1 : -1;
}
