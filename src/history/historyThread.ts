// The thread that reads history: it runs queries as they come, and answers. startHistory.ts bounds
// how many run together and how long they may wait.

import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../std/assert.ts';
import { giveWay } from '../std/giveWay.ts';
import type {
  FromHistoryMessage,
  HistoryAnswer,
  HistoryQuestion,
  HistoryThreadData,
  ToHistoryMessage,
} from './historyMessage.ts';
import type { HistoryDatabase } from './historyTables.ts';
import { openHistoryReader } from './openHistoryReader.ts';
import { historyQueries } from './queries/historyQueries.ts';

type Query = (database: HistoryDatabase, asked: unknown) => Promise<unknown>;

const port = must(parentPort, 'history is read by a thread');
giveWay();
const { together: connections, ...where } = workerData as HistoryThreadData;
const database = openHistoryReader({ ...where, connections });

/** Answers that leave at the end of this turn. */
let answers: HistoryAnswer[] = [];

function give(answer: HistoryAnswer): void {
  if (answers.length === 0) setImmediate(post);
  answers.push(answer);
}

function post(): void {
  port.postMessage(answers satisfies FromHistoryMessage);
  answers = [];
}

async function answer({ id, name, asked }: HistoryQuestion): Promise<HistoryAnswer> {
  try {
    return { kind: 'answer', id, rows: await (historyQueries[name] as Query)(database, asked) };
  } catch (error) {
    return { kind: 'failed', id, message: (error as Error).message };
  }
}

async function receive(message: ToHistoryMessage): Promise<void> {
  if (message.kind === 'ask') {
    await Promise.all(message.questions.map(async (question) => give(await answer(question))));
    return;
  }
  await database.destroy();
  port.close();
}

port.on('message', (message: ToHistoryMessage) => {
  receive(message).catch((error: Error) => {
    throw error;
  });
});
