// What a source reports to its operator: each problem once while it lasts, and its end once. A
// report repeats no text from outside, and no address, which may contain a key.

import type { Clock } from '../../std/clock.ts';
import type { Report } from '../indexFeed.ts';

/** A problem that comes and goes is reported at most once in this time, milliseconds. */
const repeatMs = 60_000;

export type Complaints = {
  /** `subject` is a symbol, or the source as a whole; there are few of them. */
  readonly raise: (subject: string, problem: string) => void;
  /** The subject has no problem. */
  readonly settle: (subject: string) => void;
};

/** The subject of complaints about the source as a whole. */
export const wholeSource = 'all its prices';

/**
 * A fault of the exchange as a problem: the first line of the exception, which contains no address.
 */
export function faultOf(error: unknown): string {
  const text = error instanceof Error ? error.message : 'unknown';
  return `a fault of this program: ${text.split('\n')[0]!.slice(0, 200)}`;
}

type Standing = {
  /** The problem that was reported last, unless its end was reported. */
  reported: string | undefined;
  reportedAt: number;
};

export function createComplaints(source: string, report: Report, clock: Clock): Complaints {
  const standings = new Map<string, Standing>();
  return {
    raise: (subject, problem) => {
      const now = clock.now();
      const standing = standings.get(subject);
      if (standing?.reported === problem) return;
      // A clock that was set back must not suppress reports.
      if (standing !== undefined && Math.abs(now - standing.reportedAt) < repeatMs) return;
      standings.set(subject, { reported: problem, reportedAt: now });
      report(`index source ${source}: ${subject}: ${problem}`);
    },
    settle: (subject) => {
      const standing = standings.get(subject);
      if (standing?.reported === undefined) return;
      standing.reported = undefined;
      report(`index source ${source}: ${subject}: works again`);
    },
  };
}
