// Starts the thread of the chain service and answers what it asks of the engine. A thread that dies
// is started again: it has no memory that could be lost.

import type { Worker } from 'node:worker_threads';
import type { Scheduler } from '../../std/scheduler.ts';
import { startThread } from '../../threads.ts';
import type { AnchorSource, AnchorStanding } from '../anchor/chooseAnchor.ts';
import type { ChainEngine } from '../chainEngine.ts';
import type { KeeperStanding, ReportSource } from '../report/report.ts';
import type { SignerReplica } from '../signers/createCheck.ts';
import type { Observation } from '../vaultNode.ts';
import { type Alarm, type NodeFigures, titleOf } from './alarm.ts';
import type { ChainMessage, ChainSettings, EngineQuestion, ToChainThread } from './chainMessage.ts';
import { createPlaces, type Places } from './createPlaces.ts';

/** What the vault held at a final block, and what the exchange owed then; units of 1e-6. */
export type Holdings = {
  readonly block: number;
  /** Seconds. */
  readonly time: number;
  readonly held: bigint;
  readonly owed: bigint;
};

/** What the service has done since its start. */
export type ChainFigures = {
  /** Of the last round after which the engine knew all of its block; null once the exit is open. */
  readonly holdings: Holdings | null;
  readonly block: number | null;
  readonly rounds: number;
  readonly facts: number;
  readonly transactions: number;
  /** The last that was known of the keeper's reports; null: it reports nothing. */
  readonly keeper: KeeperStanding | null;
  /** The vault's last anchor, as far as it was read; null: none was. */
  readonly anchor: AnchorStanding | null;
  /** In the order of the configuration; empty before the first round. */
  readonly nodes: readonly NodeFigures[];
  /** Each with its detail. */
  readonly alarms: readonly string[];
};

export type ChainThread = {
  readonly figures: () => ChainFigures;
  readonly places: Omit<Places, 'take'>;
  readonly stop: () => Promise<void>;
};

/** All that the thread asks of the log. */
export type LogSide = ChainEngine & SignerReplica & ReportSource & AnchorSource;

export type ChainThreadOptions = {
  readonly settings: ChainSettings;
  readonly engine: LogSide;
  readonly scheduler: Scheduler;
  /** What the exchange owes now (BAL-2): deposits of the vault less completed withdrawals. */
  readonly owed: () => bigint;
  /** An alarm that the round before did not have; or that the thread has died. */
  readonly report: (message: string) => void;
};

/** How long it waits before it starts a thread anew. */
const againMs = 5000;

export function startChainThread(options: ChainThreadOptions): ChainThread {
  const { settings, engine, scheduler, report, owed } = options;
  const places = createPlaces();
  let figures: ChainFigures = noFigures;
  /** The titles of the alarms of the last round. */
  let known: ReadonlySet<string> = new Set();
  let worker: Worker | undefined;
  let isStopped = false;
  let cancel = (): void => {};
  const onRound = (round: Extract<ChainMessage, { readonly kind: 'round' }>): void => {
    const { block } = round;
    const { alarms } = round;
    for (const alarm of alarms) if (!known.has(titleOf(alarm))) report(textOf(alarm));
    known = new Set(alarms.map(titleOf));
    figures = {
      holdings: block !== undefined && round.isWhole ? holdingsAt(block, owed()) : figures.holdings,
      block: block === undefined ? figures.block : Number(block.number),
      rounds: figures.rounds + 1,
      facts: figures.facts + round.facts,
      transactions: figures.transactions + Number(round.hasSent),
      keeper: round.keeper ?? figures.keeper,
      anchor: round.anchor ?? figures.anchor,
      nodes: round.nodes,
      alarms: alarms.map(textOf),
    };
  };
  const start = (): void => {
    const started = startThread('chain', settings);
    worker = started;
    const send = (message: ToChainThread): void => started.postMessage(message);
    started.on('message', (message: ChainMessage) => {
      if (message.kind === 'round') return onRound(message);
      if (message.kind === 'lookedUp') return places.take(message);
      const { id, question } = message;
      answer(engine, question).then(
        (found) => send({ kind: 'answer', id, answer: found }),
        (error: Error) => send({ kind: 'refused', id, message: error.message }),
      );
    });
    const ended = (why: string): void => {
      if (worker !== started) return;
      worker = undefined;
      if (isStopped) return;
      report(`the chain service ended: ${why}`);
      cancel = scheduler.after(againMs, start);
    };
    started.on('error', (error) => ended((error as Error).message));
    started.on('exit', () => ended('its thread stopped'));
  };
  start();
  return {
    figures: () => figures,
    places,
    stop: async () => {
      isStopped = true;
      cancel();
      if (worker !== undefined) await stopThread(worker, scheduler);
    },
  };
}

export const noFigures: ChainFigures = {
  ...{ holdings: null, block: null, keeper: null, anchor: null },
  ...{ rounds: 0, facts: 0, transactions: 0, nodes: [], alarms: [] },
};

/** Claims of an exit are paid by the contract alone, so the log does not know what is left. */
function holdingsAt(block: Observation, owed: bigint): Holdings | null {
  const { number, time, held, isExitOpen } = block;
  return isExitOpen ? null : { block: Number(number), time: Number(time), held, owed };
}

/** A round that waits for a node is left behind: the next start does its work again. */
const stopMs = 1000;

async function stopThread(worker: Worker, scheduler: Scheduler): Promise<void> {
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  worker.postMessage({ kind: 'stop' } satisfies ToChainThread);
  const ending = scheduler.after(stopMs, () => void worker.terminate());
  await exited;
  ending();
}

const textOf = (alarm: Alarm): string => `${titleOf(alarm)}: ${alarm.detail}`;

function answer(engine: LogSide, question: EngineQuestion): Promise<unknown> {
  switch (question.kind) {
    case 'view':
      return engine.view(question.part);
    case 'submit':
      return engine.submit(question.facts);
    case 'openByIds':
      return engine.openByIds(question.ids);
    case 'isConserved':
      return engine.isConserved();
    case 'judgeReport':
      return engine.judgeReport(question.report);
    case 'isPublished':
      return engine.isPublished(question.report);
    case 'nextReport':
      return engine.nextReport(question.after, question.sequence);
    case 'newestTree':
      return engine.newestTree();
    case 'judgeTree':
      return engine.judgeTree(question.claim);
    case 'judgeAnchor':
      return engine.judgeAnchor(question.claim);
  }
}
