// The archivist's thread: takes messages in order, works in small steps between them, and answers.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createSkipIndex } from '../replica/skipIndex.ts';
import { must } from '../std/assert.ts';
import { systemClock } from '../std/clock.ts';
import { fileDisk } from '../std/disk.ts';
import type {
  Answer,
  ArchivistThreadData,
  FromArchivist,
  Question,
  ToArchivist,
} from './archivistMessage.ts';
import { compactHeap } from './compactHeap.ts';
import { type Archivist, createArchivist, isSnapshotFailure } from './createArchivist.ts';

// A question waits for at most one step.
const stepMs = 20;

const port = must(parentPort, 'the archivist runs as a thread');
const send = (message: FromArchivist): void => port.postMessage(message);

function answer(archivist: Archivist, question: Question): Answer {
  switch (question.kind) {
    case 'hashes':
      return archivist.hashes();
    case 'invariants':
      return { ...archivist.invariants(), position: archivist.position() };
    case 'snapshot':
      return { position: archivist.takeSnapshot() };
    case 'adlQuantiles':
      return archivist.adlQuantiles(question.account);
    case 'longShort':
      return archivist.longShort(question.market);
  }
}

function handle(archivist: Archivist, message: Exclude<ToArchivist, { kind: 'close' }>): void {
  archivist.expect(message.figures);
  if (message.kind === 'follow') {
    while (archivist.position() < message.figures.position) archivist.work(stepMs);
    send({ kind: 'followed', position: archivist.position() });
    return;
  }
  archivist.catchUp();
  const { id, question } = message;
  try {
    send({ kind: 'answer', id, answer: answer(archivist, question) });
  } catch (error) {
    if (!isSnapshotFailure(error)) throw error;
    send({ kind: 'unanswered', id, message: error.message });
  }
}

async function run(): Promise<void> {
  const { skips, ...data } = workerData as ArchivistThreadData;
  const archivist = createArchivist({
    ...data,
    disk: fileDisk,
    skips: createSkipIndex(skips),
    clock: systemClock,
    report: (message) => send({ kind: 'report', message }),
  });
  const messages: ToArchivist[] = [];
  let wake = (): void => {};
  let compacted = false;
  port.on('message', (message: ToArchivist) => {
    messages.push(message);
    wake();
  });
  for (;;) {
    const message = messages.shift();
    if (message?.kind === 'close') break;
    if (message !== undefined) handle(archivist, message);
    if (message !== undefined && !compacted) {
      // It has caught up with what there was when the exchange started.
      compacted = true;
      compactHeap();
    }
    const busy = archivist.work(stepMs);
    if (busy || messages.length > 0) await nextTurn();
    else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  archivist.close();
  port.close();
}

// This file is the thread's program: it is started, never imported for its values.
run().catch((error: Error) => {
  send({ kind: 'fatal', message: error.message });
  port.close();
});
