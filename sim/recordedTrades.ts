// A recording of trades in memory, cut to the played minutes. src/feeds/tradeFile.ts reads files;
// other files use the prices.

import { openTradeFile, type Trade } from '../src/feeds/tradeFile.ts';

/**
 * The trades of a file from its minute `fromMinute` on, `limitMinutes` long, in order. With
 * `firstAt` (microseconds) the minutes count from there and not from the file's first trade.
 */
export async function readRecordedTrades(
  path: string,
  window: {
    readonly fromMinute: number;
    readonly limitMinutes: number;
    readonly firstAt?: number;
  },
  report: (message: string) => void,
): Promise<readonly Trade[]> {
  const file = await openTradeFile(path, report);
  const trades: Trade[] = [];
  let begin = Number.POSITIVE_INFINITY;
  try {
    for (;;) {
      const trade = file.takeUntil(Number.MAX_SAFE_INTEGER);
      if (trade === undefined) {
        if (file.phase() !== 'reading') break;
        file.readAhead();
        await file.settled();
        continue;
      }
      if (begin === Number.POSITIVE_INFINITY) {
        begin = (window.firstAt ?? trade.at) + window.fromMinute * minute;
      }
      if (trade.at >= begin && trade.at < begin + window.limitMinutes * minute) trades.push(trade);
    }
  } finally {
    await file.close();
  }
  if (file.phase() === 'failed') throw new Error(`${path} could not be read to its end`);
  return trades;
}

/** In microseconds. */
const minute = 60_000_000;
