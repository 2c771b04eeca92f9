// Waits until a process that has begun in a new directory, or has taken over, has written its
// history: before that a busy machine answers questions about it with -1000 or -1007.

import { expect } from 'vitest';
import type { RunningServer } from '../fixtures/startServer.ts';

/** An address may ask for the text of the metrics ten times a second (CON-3). */
const askEveryMs = 200;

export async function untilHistoryFollows({ http }: RunningServer): Promise<void> {
  await expect
    .poll(async () => (await fetch(`${http}/metrics`)).text(), { interval: askEveryMs })
    .toContain('\nevermark_history_status 0\n');
}
