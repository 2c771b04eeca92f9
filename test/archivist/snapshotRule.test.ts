// The rule by which the archivist takes snapshots, with a stopwatch in the test's hand.

import { describe, expect, test } from 'vitest';
import {
  createSnapshotRule,
  measuredEvery,
  type SnapshotRule,
  snapshotBounds,
} from '../../src/archivist/snapshotRule.ts';

const never = 1_000_000_000;
const { replayMsMax, shareMax, commandsMin } = snapshotBounds;

type Run = {
  readonly rule: SnapshotRule;
  /** Time passes; the thread works for a part of it. */
  readonly pass: (milliseconds: number, workedMs?: number) => void;
};

function ruleWith(commandsMax = never, commands = 0): Run {
  let now = 5000;
  let worked = 70;
  const pass = (milliseconds: number, workedMs = milliseconds): void => {
    now += milliseconds;
    worked += workedMs;
  };
  const clocks = { stopwatch: () => now, processorMs: () => worked };
  return { rule: createSnapshotRule({ commandsMax, commands, ...clocks }), pass };
}

/** Replays batches of these commands in all, which take this time of the processor. */
function replay({ rule, pass }: Run, { commands, tookMs }: { commands: number; tookMs: number }) {
  for (let batch = 0; batch < measuredEvery; batch += 1) {
    rule.replaying(commands / measuredEvery, () => pass(tookMs / measuredEvery));
  }
}

describe('a snapshot is due', () => {
  test('when a replay of what came since takes too long, and not before', () => {
    const run = ruleWith();
    replay(run, { commands: 2 * commandsMin, tookMs: 2 * replayMsMax });
    expect(run.rule.isDue(commandsMin - 1)).toBe(false);
    expect(run.rule.isDue(commandsMin)).toBe(true);
    const faster = ruleWith();
    replay(faster, { commands: 4 * commandsMin, tookMs: replayMsMax });
    expect(faster.rule.isDue(4 * commandsMin - 1)).toBe(false);
    expect(faster.rule.isDue(4 * commandsMin)).toBe(true);
  });

  test('by the measured speed also for what this archivist has not replayed itself', () => {
    const run = ruleWith(never, 1_000_000);
    // A start: the newest snapshot lies behind 1,000,000 commands, and it began before that.
    replay(run, { commands: 400_000, tookMs: replayMsMax });
    expect(run.rule.isDue(1_399_000)).toBe(false);
    expect(run.rule.isDue(1_400_000)).toBe(true);
  });

  test('not for the time of a replay when only a few commands came', () => {
    const run = ruleWith();
    replay(run, { commands: 1600, tookMs: 100 * replayMsMax });
    expect(run.rule.isDue(commandsMin - 1)).toBe(false);
    expect(run.rule.isDue(commandsMin)).toBe(true);
  });

  test('only when the last one has become a small share of the time', () => {
    const run = ruleWith();
    const costMs = 1000;
    // It waits for the disk, too, which counts for nothing.
    run.rule.taking(0, () => run.pass(60_000, costMs));
    replay(run, { commands: 100_000, tookMs: 2 * replayMsMax });
    run.pass(costMs / shareMax - 2 * replayMsMax - 1, 0);
    expect(run.rule.isDue(100_000)).toBe(false);
    run.pass(1, 0);
    expect(run.rule.isDue(100_000)).toBe(true);
  });

  test('not because other work on the machine delays the replay', () => {
    const run = ruleWith();
    for (let batch = 0; batch < measuredEvery; batch += 1) {
      run.rule.replaying(commandsMin / measuredEvery, () => run.pass(1000, 1));
    }
    expect(run.rule.isDue(commandsMin)).toBe(false);
  });

  test('at the latest after the number of commands, whatever it costs', () => {
    const run = ruleWith(400);
    run.rule.taking(50, () => run.pass(1_000_000));
    expect(run.rule.isDue(449)).toBe(false);
    expect(run.rule.isDue(450)).toBe(true);
  });

  test('never without commands', () => {
    const run = ruleWith();
    replay(run, { commands: 0, tookMs: 10 * replayMsMax });
    run.pass(86_400_000);
    expect(run.rule.isDue(0)).toBe(false);
  });
});

test('a snapshot that fails is due again after as many commands, or at once when asked', () => {
  const { rule, pass } = ruleWith(400);
  const failing = (): never => {
    pass(10);
    throw new Error('no space');
  };
  expect(() => rule.taking(400, failing)).toThrow('no space');
  expect(rule.isDue(401)).toBe(false);
  expect(rule.isDue(800)).toBe(true);
  rule.failed();
  expect(rule.isDue(401)).toBe(true);
  rule.taking(401, () => pass(10));
  expect(rule.isDue(402)).toBe(false);
});

test('it measures each stretch anew', () => {
  const run = ruleWith();
  replay(run, { commands: commandsMin, tookMs: 10 * replayMsMax });
  run.rule.taking(commandsMin, () => {});
  replay(run, { commands: commandsMin, tookMs: replayMsMax / 2 });
  expect(run.rule.isDue(2 * commandsMin)).toBe(false);
  expect(run.rule.isDue(3 * commandsMin)).toBe(true);
});
