// The replaying feed: recorded trades of several symbols on one time axis, played at a given speed.
// In a quiet minute of the recording, and after its end, the feed states the last price again at
// every poll, as for a calm market. tradeFile.ts reads the files.

import { assert } from '../std/assert.ts';
import type { IndexFeed, Report } from './indexFeed.ts';
import type { ReplayFile } from './parseFeedOption.ts';
import { openTradeFile, type TradeFile } from './tradeFile.ts';

export type ReplayFeedOptions = {
  readonly files: readonly ReplayFile[];
  /** Seconds of the recording in one real second, above 0. */
  readonly speed: number;
  readonly report: Report;
};

type Track = { readonly symbol: string; readonly file: TradeFile; price: string };

type Axis = {
  readonly tracks: readonly Track[];
  readonly speed: number;
  /** The present position in the recording, microseconds. */
  position: number;
  polledAt: number | undefined;
};

/**
 * Opens every file and moves to the latest of their first trades, so that each symbol has a price
 * from the first poll on. Time begins to run at that poll. Rejects with a sentence for the operator
 * when a file cannot be used.
 */
export async function openReplayFeed(options: ReplayFeedOptions): Promise<IndexFeed> {
  assert(options.speed > 0, 'a replay needs a speed above 0');
  const tracks: Track[] = [];
  const close = async (): Promise<void> => {
    for (const track of tracks) await track.file.close();
  };
  try {
    for (const { symbol, path } of options.files) {
      tracks.push({ symbol, file: await openTradeFile(path, options.report), price: '' });
    }
    const axis = await startAxis(tracks, options.speed);
    return { source: 'replay', poll: (now) => poll(axis, now), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startAxis(tracks: readonly Track[], speed: number): Promise<Axis> {
  let position = 0;
  for (const track of tracks) {
    const first = track.file.takeUntil(Number.MAX_SAFE_INTEGER);
    assert(first !== undefined, 'an opened file holds a trade');
    track.price = first.price;
    position = Math.max(position, first.at);
  }
  for (const track of tracks) await advanceFully(track, position);
  for (const { file } of tracks) {
    file.readAhead();
    await file.settled();
  }
  return { tracks, speed, position, polledAt: undefined };
}

async function advanceFully(track: Track, position: number): Promise<void> {
  const { file } = track;
  for (;;) {
    advance(track, position);
    if (file.phase() !== 'reading' || file.readTo() > position) return;
    file.readAhead();
    await file.settled();
  }
}

function poll(axis: Axis, now: number): ReturnType<IndexFeed['poll']> {
  const elapsed = now - (axis.polledAt ?? now);
  axis.polledAt = now;
  const wanted = axis.position + elapsed * 1000 * axis.speed;
  // The position never passes what has been read: a slow disk delays all symbols alike.
  axis.position = Math.max(axis.position, Math.min(wanted, horizonOf(axis.tracks)));
  const prices = [];
  for (const track of axis.tracks) {
    advance(track, axis.position);
    track.file.readAhead();
    if (track.file.phase() === 'failed') continue;
    const { symbol, price } = track;
    prices.push({ symbol, source: 'replay', price, observedAt: now });
  }
  return prices;
}

function advance(track: Track, position: number): void {
  for (;;) {
    const trade = track.file.takeUntil(position);
    if (trade === undefined) return;
    track.price = trade.price;
  }
}

function horizonOf(tracks: readonly Track[]): number {
  let horizon = Number.MAX_SAFE_INTEGER;
  for (const { file } of tracks) {
    if (file.phase() === 'reading') horizon = Math.min(horizon, file.readTo());
  }
  return horizon;
}
