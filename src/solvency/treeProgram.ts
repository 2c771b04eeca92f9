// The program of the process that makes or reads one tree and ends (createTreeProcess.ts). It takes
// a task from its standard input and answers on its standard output. The input stays open as long
// as the exchange lives: when it ends, so does this process, and publishes nothing.

import { argv, exit, stdin, stdout } from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import { stopwatchMs } from '../std/clock.ts';
import { fileDisk } from '../std/disk.ts';
import { giveWayWhole } from '../std/giveWay.ts';
import { longSlice, setTimeSlice } from '../std/timeSlice.ts';
import { makeTree } from './treeGrower.ts';
import {
  createFrameReader,
  readTask,
  type TreeTask,
  writeAnswer,
  writeRefusal,
} from './treeMessage.ts';
import { type FiledTree, readTree } from './writeTree.ts';

/**
 * With the lowest priority it works and rests in turn. A thread that wakes up beside it gets its
 * core when it rests, whatever the priorities, so both times are short (timers are coarser). On two
 * cores orders wait for any thread that never rests (docs/decisions/0020-the-money-on-chain.md).
 */
const workMs = 0.15;
const restMs = 0.35;
/** So often it sees whether the exchange still lives. */
const turnMs = 5;
const isLowest = argv.includes('--lowest');

function stepsOf(task: TreeTask): Generator<void, FiledTree> {
  const place = { disk: fileDisk, directory: task.directory };
  if (task.kind === 'read') return readTree(place, task.position);
  return makeTree(place, task.at, task.owed);
}

async function grow(task: TreeTask): Promise<FiledTree> {
  const steps = stepsOf(task);
  const rest = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    for (const began = stopwatchMs(); stopwatchMs() - began < turnMs; ) {
      for (const woke = stopwatchMs(); stopwatchMs() - woke < workMs; ) {
        const { done, value } = steps.next();
        if (done) return value;
      }
      if (isLowest) Atomics.wait(rest, 0, 0, restMs);
    }
    await turn();
  }
}

async function answer(task: TreeTask): Promise<void> {
  const pieces = await grow(task).then(writeAnswer, writeRefusal);
  stdout.write(Buffer.concat(pieces), () => exit());
}

if (isLowest) {
  giveWayWhole();
  setTimeSlice(longSlice);
}
const read = createFrameReader(Number.MAX_SAFE_INTEGER);
stdin.on('data', (chunk: Buffer) => {
  const frame = read(chunk);
  if (frame !== undefined) void answer(readTask(frame));
});
for (const event of ['end', 'close', 'error']) stdin.on(event, () => exit(1));
stdout.on('error', () => exit(1));
