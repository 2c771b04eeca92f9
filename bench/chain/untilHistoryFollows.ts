// Waits until history is written together with trading.

import { setTimeout as wait } from 'node:timers/promises';
import type { RunningServer } from '../../test/fixtures/startServer.ts';

const askEveryMs = 500;
const patienceMs = 300_000;

/** Rejects after five minutes. */
export async function untilHistoryFollows({ http }: RunningServer): Promise<void> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const text = await (await fetch(`${http}/metrics`)).text();
    if (text.includes('\nevermark_history_status 0\n')) return;
    if (Date.now() > until) throw new Error('history does not follow');
    await wait(askEveryMs);
  }
}
