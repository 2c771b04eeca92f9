// Trees made by a process of its own with the lowest priority, so that neither their hashes nor the
// garbage of it take time from trading. It writes an unfinished file; only its caller publishes. A
// process that dies, hangs or answers nonsense is ended and the tree made once more, that time with
// the caller's priority, because a machine without a pause never runs the lowest.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../std/clock.ts';
import { growAbove } from './sumTree.ts';
import type { TreeHead } from './tree.ts';
import { TreeDamaged } from './treeDamaged.ts';
import type { Growing, TreeGrower } from './treeGrower.ts';
import {
  answerBytesMax,
  createFrameReader,
  readAnswer,
  type TreeAnswer,
  TreeRefused,
  type TreeTask,
  writeTask,
} from './treeMessage.ts';
import type { FiledTree } from './writeTree.ts';

export type TreeProcessOptions = {
  readonly directory: string;
  readonly clock: Clock;
  /** How long each of two processes may take, milliseconds. */
  readonly patienceMs: number;
  /** Called when `step` has something to say. */
  readonly wake: () => void;
  /** Receives sentences that an operator should know. */
  readonly report: (message: string) => void;
  /** The program; by default the one that makes trees. */
  readonly program?: string;
};

type Child = ChildProcessByStdio<Socket, Socket, Socket>;

type Attempt = {
  /** undefined: it could not be started. */
  child: Child | undefined;
  readonly until: number;
  /** What has arrived, until it is checked. */
  checking: Generator<void, FiledTree> | undefined;
  /** The answer, or why there is none. */
  outcome: FiledTree | Error | undefined;
};

const attemptsMax = 2;
/** The index of as many leaves as a published file has at most is smaller. */
const readLeavesMax = 2 ** 27;
/** Of what a process says before it dies. */
const lastWordsMax = 500;
const ownProgram = fileURLToPath(new URL('./treeProgram.ts', import.meta.url));

/** Starts a process for each tree. */
export function createTreeProcess(options: TreeProcessOptions): TreeGrower {
  const { directory } = options;
  return {
    make: (at, owed) =>
      growApart(options, { kind: 'make', directory, at, owed }, owed.units.length),
    read: (position) => growApart(options, { kind: 'read', directory, position }, readLeavesMax),
  };
}

function growApart(options: TreeProcessOptions, task: TreeTask, leavesMax: number): Growing {
  const { clock, patienceMs, report } = options;
  const position = task.kind === 'make' ? task.at.position : task.position;
  let attempts = 0;
  const begin = (): Attempt => {
    attempts += 1;
    return startAttempt(options, { task, leavesMax, isFirst: attempts === 1 });
  };
  let attempt = begin();
  return {
    step: (until) => {
      if (!endChecking(attempt, clock, until)) return 'more';
      const isLate = clock.now() >= attempt.until;
      const outcome =
        attempt.outcome ?? (isLate ? new Error(`it took ${patienceMs} ms`) : undefined);
      if (outcome === undefined) return 'waiting';
      attempt.child?.kill('SIGKILL');
      if (!(outcome instanceof Error)) return outcome;
      if (outcome instanceof TreeRefused || attempts === attemptsMax) throw outcome;
      report(`the process for the tree of batch ${position} is started again: ${outcome.message}`);
      attempt = begin();
      return 'waiting';
    },
    stop: () => void attempt.child?.kill('SIGKILL'),
  };
}

/** False when time ran out before the end. */
function endChecking(attempt: Attempt, clock: Clock, until: number): boolean {
  const { checking } = attempt;
  if (attempt.outcome !== undefined || checking === undefined) return true;
  try {
    for (;;) {
      const { done, value } = checking.next();
      if (done) {
        attempt.outcome = value;
        return true;
      }
      if (clock.now() >= until) return false;
    }
  } catch (error) {
    attempt.outcome = error as Error;
    return true;
  }
}

type Start = {
  readonly task: TreeTask;
  readonly leavesMax: number;
  readonly isFirst: boolean;
};

function startAttempt(options: TreeProcessOptions, start: Start): Attempt {
  const until = options.clock.now() + options.patienceMs;
  const attempt: Attempt = { child: undefined, until, checking: undefined, outcome: undefined };
  const settle = (found: TreeAnswer | Error): void => {
    if (attempt.outcome !== undefined || attempt.checking !== undefined) return;
    if (found instanceof Error) attempt.outcome = found;
    else attempt.checking = checked(start.task, found);
    options.wake();
  };
  try {
    attempt.child = startChild(options.program ?? ownProgram, start.isFirst);
    converse(attempt.child, start.leavesMax, settle);
    for (const piece of writeTask(start.task)) attempt.child.stdin.write(piece);
  } catch (error) {
    settle(error as Error);
  }
  return attempt;
}

/** It uses one core. */
const flags = ['--single-threaded', '--disable-warning=ExperimentalWarning'];

/** It gets no secret of the exchange, and does not keep the caller's thread alive. */
function startChild(program: string, isLowest: boolean): Child {
  const child = spawn(process.execPath, [...flags, program, ...(isLowest ? ['--lowest'] : [])], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {},
    windowsHide: true,
  }) as Child;
  for (const each of [child, child.stdin, child.stdout, child.stderr]) each?.unref();
  return child;
}

function converse(
  child: Child,
  leavesMax: number,
  settle: (found: TreeAnswer | Error) => void,
): void {
  child.on('error', settle);
  const read = createFrameReader(answerBytesMax(leavesMax));
  child.stdout.on('data', (chunk: Buffer) => {
    try {
      const frame = read(chunk);
      if (frame !== undefined) settle(readAnswer(frame));
    } catch (error) {
      settle(error as Error);
    }
  });
  let lastWords = '';
  child.stderr.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString()).slice(-lastWordsMax);
  });
  child.on('close', (code, signal) => {
    settle(new Error(`it ended with ${signal ?? code} ${lastWords}`.trim()));
  });
  // When it is gone its end says so.
  child.stdin.on('error', () => {});
}

/** It is the tree that was asked for, and its blocks make its root. In short steps. */
function* checked(task: TreeTask, answer: TreeAnswer): Generator<void, FiledTree> {
  const { head, fileHash, starts, firsts, nodes } = answer;
  checkHead(task, head);
  const above = yield* growAbove(nodes);
  if (Buffer.from(above.root).toString('hex') !== head.root || above.sum !== head.sum) {
    throw new TreeDamaged('its blocks do not make its root');
  }
  return { head, fileHash, index: { starts, firsts, above } };
}

function checkHead(task: TreeTask, head: TreeHead): void {
  if (task.kind === 'read') {
    if (head.position === task.position) return;
    throw new TreeDamaged(`it is of batch ${head.position}`);
  }
  const { deficit, depositCount, depositTotal, withdrawnTotal, units } = task.owed;
  const wanted = {
    ...task.at,
    ...{ deficit, depositCount, deposits: depositTotal, withdrawn: withdrawnTotal },
    leaves: units.length,
  };
  for (const [name, value] of Object.entries(wanted)) {
    if (head[name as keyof typeof head] !== value) throw new TreeDamaged(`its ${name} differs`);
  }
}
