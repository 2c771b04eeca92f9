// When the archivist takes a snapshot by itself. A start replays what came since the newest one, so
// the rule bounds the time of that replay, as far as this replica has measured it, and the share of
// the time that snapshots take. Both are measured in time of the processor, so that other work on
// the machine delays no snapshot. A snapshot is no part of what replicas agree on, so the rule may
// look at a stopwatch (docs/decisions/0025-restart.md).

export type SnapshotBounds = {
  /** A snapshot is due when a replay of what came since would take so long, milliseconds. */
  readonly replayMsMax: number;
  /** Snapshots for that reason take at most this share of the time. */
  readonly shareMax: number;
  /** With fewer commands since, the time of a replay is no reason. */
  readonly commandsMin: number;
};

export const snapshotBounds: SnapshotBounds = {
  replayMsMax: 150,
  shareMax: 0.05,
  commandsMin: 25_000,
};

/** One batch of so many is measured, because looking at the time is a call of the system. */
export const measuredEvery = 16;

export type SnapshotRuleOptions = {
  /** After so many commands a snapshot is due, whatever it costs. */
  readonly commandsMax: number;
  /** The commands in the newest snapshot. */
  readonly commands: number;
  /** Milliseconds, only for durations. */
  readonly stopwatch: () => number;
  /** Milliseconds of the processor that this thread has used. */
  readonly processorMs: () => number;
  readonly bounds?: SnapshotBounds | undefined;
};

export type SnapshotRule = {
  /** Runs the step, which applies a batch of so many commands. */
  readonly replaying: (commands: number, step: () => void) => void;
  /** Whether to take one now, after so many commands since the log's first. */
  readonly isDue: (commands: number) => boolean;
  /** Runs the step, which takes a snapshot after so many commands, and measures it. */
  readonly taking: <Result>(commands: number, step: () => Result) => Result;
  /** None was taken, and it is due until one is. */
  readonly failed: () => void;
};

type RuleState = Omit<SnapshotRuleOptions, 'commands'> & {
  readonly bounds: SnapshotBounds;
  /** The commands in the newest snapshot. */
  commands: number;
  batches: number;
  /** What was measured since the start or the last snapshot. */
  measured: number;
  measuredMs: number;
  /** When the last snapshot was finished, and its cost; before the first: the start, 0. */
  takenAt: number;
  costMs: number;
  isOverdue: boolean;
};

export function createSnapshotRule(options: SnapshotRuleOptions): SnapshotRule {
  const { bounds = snapshotBounds } = options;
  const takenAt = options.stopwatch();
  const nothing = { batches: 0, measured: 0, measuredMs: 0, costMs: 0, isOverdue: false };
  const rule: RuleState = { ...options, ...nothing, bounds, takenAt };
  return {
    replaying: (commands, step) => replaying(rule, commands, step),
    isDue: (commands) => isDue(rule, commands),
    taking: (commands, step) => taking(rule, commands, step),
    failed: () => {
      rule.isOverdue = true;
    },
  };
}

function replaying(rule: RuleState, commands: number, step: () => void): void {
  rule.batches += 1;
  if (commands === 0 || rule.batches % measuredEvery !== 0) return step();
  const began = rule.processorMs();
  step();
  rule.measuredMs += rule.processorMs() - began;
  rule.measured += commands;
}

function isDue(rule: RuleState, commands: number): boolean {
  if (rule.isOverdue) return true;
  const { replayMsMax, commandsMin } = rule.bounds;
  const since = commands - rule.commands;
  if (since >= rule.commandsMax) return true;
  if (since < commandsMin || rule.measured === 0) return false;
  const replayMs = (since * rule.measuredMs) / rule.measured;
  return replayMs >= replayMsMax && isAffordable(rule);
}

/** As if the next one costs as much as the last one. */
function isAffordable({ bounds, stopwatch, takenAt, costMs }: RuleState): boolean {
  return costMs <= (stopwatch() - takenAt) * bounds.shareMax;
}

function taking<Result>(rule: RuleState, commands: number, step: () => Result): Result {
  const began = rule.processorMs();
  // What fails is due again after as many commands, so that a full disk is not tried all the time.
  rule.commands = commands;
  rule.isOverdue = false;
  try {
    return step();
  } finally {
    rule.takenAt = rule.stopwatch();
    rule.costMs = rule.processorMs() - began;
    rule.measured = 0;
    rule.measuredMs = 0;
  }
}
