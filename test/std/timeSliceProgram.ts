// A process whose slices timeSlice.test.ts looks at: what setting one gives, what Linux says of the
// thread, of a thread that it starts, and of a process that it starts.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { argv } from 'node:process';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { must } from '../../src/std/assert.ts';
import { setTimeSlice } from '../../src/std/timeSlice.ts';

const sliceIn = (text: string): number => Number(/^se\.slice\s*:\s*(\d+)$/m.exec(text)?.[1]);
const ownSlice = (): number => sliceIn(readFileSync('/proc/thread-self/sched', 'latin1'));

if (isMainThread) {
  setPriority(3);
  const usual = ownSlice();
  const set = setTimeSlice(Number(argv[2]));
  const thread = new Worker(import.meta.filename);
  const ofThread = await new Promise((resolve) => thread.once('message', resolve));
  const ofProcess = sliceIn(execFileSync('cat', ['/proc/self/sched'], { encoding: 'latin1' }));
  const figures = { usual, set, own: ownSlice(), ofThread, ofProcess, priority: getPriority() };
  process.stdout.write(JSON.stringify(figures));
} else {
  must(parentPort, 'it runs as a thread').postMessage(ownSlice());
}
