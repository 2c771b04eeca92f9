// A text that is made at most once in a given time, however often it is requested.

import { stopwatchMs } from '../../std/clock.ts';

/** Gives a text that is at most `keptMs` old. A failure is not kept. */
export function createTextCache(
  make: () => Promise<string>,
  keptMs: number,
  now: () => number = stopwatchMs,
): () => Promise<string> {
  let kept: { readonly text: Promise<string>; readonly at: number } | undefined;
  return () => {
    if (kept !== undefined && now() - kept.at < keptMs) return kept.text;
    const text = make();
    const mine = { text, at: now() };
    kept = mine;
    text.catch(() => {
      if (kept === mine) kept = undefined;
    });
    return text;
  };
}
