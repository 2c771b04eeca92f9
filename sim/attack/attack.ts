// `npm run sim -- attack`: attackers with several accounts search for profit out of the rules. It
// prints for each family the best that was found, who paid it, and its scenario; the last line is
// JSON. It fails when the rules paid more than the rule book admits, or when an account held more
// than it may. docs/reliability.md defines the accounting.

import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopwatchMs } from '../../src/std/clock.ts';
import { createProgress } from '../../src/std/progress.ts';
import { type AttackOptions, readAttackOptions } from './attackOptions.ts';
import { describeReplay, describeResult, scenarioText } from './attackReport.ts';
import { type AttackResult, type FamilyResult, mergeClimbs, resultLine } from './attackResult.ts';
import { type Climb, type ClimbOptions, climb } from './climb.ts';
import { drawnGaps, type Gaps, readGaps } from './gaps.ts';
import { judge } from './judge.ts';
import { replayText } from './replay.ts';

/** Scenarios of one climb: enough to get better, and few enough to begin anew. */
const climbScenarios = 500;

export type ClimbTask = Omit<ClimbOptions, 'gaps'>;

/** `npm run sim -- attack`: gives whether no attack paid and no account held too much. */
export async function runAttack(args: readonly string[]): Promise<boolean> {
  const options = readAttackOptions(args);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  if (options.replay !== undefined) {
    const stage = replayText(readFileSync(options.replay, 'utf8'));
    const judgement = judge(stage);
    for (const line of describeReplay(judgement)) say(line);
    return judgement.outOfRules <= judgement.bound;
  }
  say(JSON.stringify(options));
  if (options.recording === undefined) {
    process.stderr.write(
      'NO RECORDING: the gaps are drawn; --recording FILE takes those of a day\n',
    );
  }
  const result = await searchAttacks(options);
  for (const line of describeResult(result)) say(line);
  if (options.save !== undefined) saveScenarios(options.save, result.families);
  say(resultLine(result));
  return result.ok;
}

export async function searchAttacks(options: AttackOptions): Promise<AttackResult> {
  const begun = stopwatchMs();
  const tasks = tasksOf(options);
  const total = tasks.reduce((sum, { scenarios }) => sum + scenarios, 0);
  const progress = createProgress({ what: 'attacks', total });
  let done = 0;
  const climbs: Climb[] = [];
  const queue = tasks.entries();
  const takeEach = async (run: (task: ClimbTask) => Promise<Climb>): Promise<void> => {
    for (const [at, task] of queue) {
      climbs[at] = await run(task);
      done += task.scenarios;
      progress.reached(done);
    }
  };
  if (options.workers === 1) {
    const gaps = await gapsOf(options.recording);
    await takeEach(async (task) => climb({ ...task, gaps }));
  } else {
    await Promise.all(Array.from({ length: options.workers }, () => inProcess(options, takeEach)));
  }
  progress.end();
  const seconds = (stopwatchMs() - begun) / 1000;
  return mergeClimbs(climbs, { seed: options.seed, scenarios: total, seconds });
}

/** Equally many scenarios for each family; the order and the number of processes change nothing. */
function tasksOf({ seed, count, families, bracketed }: AttackOptions): ClimbTask[] {
  const each = Math.ceil(count / families.length);
  const tasks: ClimbTask[] = [];
  for (let from = 0; from < each; from += climbScenarios) {
    const scenarios = Math.min(climbScenarios, each - from);
    const climbSeed = (seed * 100_003 + from / climbScenarios) % 2 ** 31;
    for (const family of families) {
      tasks.push({ family, seed: climbSeed, scenarios, bracketed });
    }
  }
  return tasks;
}

/** Without a recording the gaps are drawn, and the run says so. */
export async function gapsOf(recording: string | undefined): Promise<Gaps> {
  if (recording !== undefined) return readGaps(recording, () => {});
  return drawnGaps();
}

/** Runs tasks in a process of its own, one after the other. */
async function inProcess(
  { recording }: AttackOptions,
  takeEach: (run: (task: ClimbTask) => Promise<Climb>) => Promise<void>,
): Promise<void> {
  const program = join(import.meta.dirname, 'attackWorker.ts');
  const child = fork(program, recording === undefined ? [] : [recording]);
  try {
    await takeEach((task) => runIn(child, task));
  } finally {
    child.disconnect();
  }
}

function runIn(child: ChildProcess, task: ClimbTask): Promise<Climb> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => {
      reject(new Error(`the process of ${task.family} ${task.seed} ended with ${code}`));
    };
    child.once('exit', onExit);
    child.once('message', (result) => {
      child.off('exit', onExit);
      resolve(result as Climb);
    });
    child.send(task);
  });
}

function saveScenarios(folder: string, families: readonly FamilyResult[]): void {
  mkdirSync(folder, { recursive: true });
  for (const family of families) {
    const text = scenarioText(family.best);
    writeFileSync(join(folder, `${family.family}.txt`), `${text}\n`);
  }
}
