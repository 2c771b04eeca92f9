// What every target of the fuzzer provides: from a seed it tries a number of cases and reports
// those that broke a promise. This file contains no target.

export type Violation = {
  /** The violation, as a sentence. */
  readonly what: string;
  /** The words after `npm run fuzz --` that reproduce it. */
  readonly again: string;
};

export type TargetRun = {
  readonly seed: number;
  /** Cases to try. */
  readonly count: number;
  /** Gets the line that repeats a case before the case is tried, to report it after a crash. */
  readonly trying: (again: string) => void;
  /** Whether to end early, with the results so far. */
  readonly stopped: () => boolean;
};

export type TargetReport = {
  /** Cases that were tried. */
  readonly cases: number;
  /** The number of cases with each kind of result. */
  readonly tally: Readonly<Record<string, number>>;
  /** The first violations; the run ends after a fixed number. */
  readonly violations: readonly Violation[];
  /** Further figures for the last line. */
  readonly figures?: Readonly<Record<string, unknown>>;
};

export type Target = (run: TargetRun) => Promise<TargetReport>;

/** A run ends after this many violations. */
const violationsMax = 5;
const casesPerTurn = 1000;

/** Tries one case by its own seed; gives the kind of result, throws the violation. */
export type TryCase = (seed: number) => string | Promise<string>;

/**
 * Tries cases that need nothing of one another: case `i` of seed `s` is the first case of seed
 * `s + i`.
 */
export async function tryAlone(
  name: string,
  run: TargetRun,
  tryCase: TryCase,
): Promise<TargetReport> {
  const { seed, count, trying, stopped } = run;
  const tally = createTally();
  const violations: Violation[] = [];
  let cases = 0;
  while (cases < count && violations.length < violationsMax && !stopped()) {
    const own = seed + cases;
    const again = `${name} --seed ${own} --count 1`;
    trying(again);
    cases += 1;
    try {
      const result = tryCase(own);
      tally.add(typeof result === 'string' ? result : await result);
      // Cases that never wait would delay signals.
      if (cases % casesPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    } catch (error) {
      violations.push({ what: sentenceOf(error), again });
    }
  }
  return { cases, tally: tally.figures(), violations };
}

/**
 * Tries cases that build on one another, in rounds that begin again: round `r` of seed `s` is the
 * first round of seed `s + r`. `tryRound` tries up to `count` cases, fewer when one failed, and
 * gives the sentence about that one.
 */
export async function tryRounds(
  name: string,
  run: TargetRun & { readonly roundSize: number },
  tryRound: (round: Round) => Promise<Violated>,
): Promise<TargetReport> {
  const { seed, count, roundSize, trying, stopped } = run;
  const tally = createTally();
  const violations: Violation[] = [];
  let cases = 0;
  const goesOn = (): boolean => cases < count && violations.length < violationsMax && !stopped();
  for (let round = 0; goesOn(); round += 1) {
    const own = seed + round;
    const size = Math.min(roundSize, count - cases);
    let tried = 0;
    const again = (): string => `${name} --seed ${own} --count ${tried}`;
    const begin = (): void => {
      tried += 1;
      trying(again());
    };
    try {
      const what = await tryRound({ seed: own, count: size, begin, add: tally.add });
      if (what !== undefined) violations.push({ what, again: again() });
    } catch (error) {
      violations.push({ what: sentenceOf(error), again: again() });
    }
    cases += tried;
  }
  return { cases, tally: tally.figures(), violations };
}

type Violated = string | undefined;

export type Round = {
  readonly seed: number;
  readonly count: number;
  /** Called before each case. */
  readonly begin: () => void;
  /** Counts the result of a case. */
  readonly add: (result: string) => void;
};

function createTally() {
  const counts = new Map<string, number>();
  return {
    add: (result: string): void => {
      counts.set(result, (counts.get(result) ?? 0) + 1);
    },
    figures: (): Readonly<Record<string, number>> => Object.fromEntries([...counts].sort()),
  };
}

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Throws the sentence, which may be expensive to make, unless the condition holds. */
export function demand(holds: boolean, sentence: () => string): void {
  if (!holds) throw new Error(sentence());
}
