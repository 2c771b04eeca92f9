// After their start processes compress documents and write histories, each for some seconds of
// processor time.

import { setTimeout as sleep } from 'node:timers/promises';

const calmMs = 15_000;

/** Waits until the processes do only what is asked of them. */
export const calm = (): Promise<void> => sleep(calmMs);
