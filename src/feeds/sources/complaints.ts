// What a source reports to its operator: each trouble once while it lasts, and once its end.
// Nothing that a stranger has sent is repeated, and no address that may hold a key.

import type { Clock } from '../../std/clock.ts';
import type { Report } from '../indexFeed.ts';

/** A trouble that comes and goes is reported at most once in this time, milliseconds. */
const repeatMs = 60_000;

export type Complaints = {
  /** `subject` is a symbol, or the source as a whole; there are few of them. */
  readonly raise: (subject: string, problem: string) => void;
  /** The subject is well. */
  readonly settle: (subject: string) => void;
};

/** The subject of complaints about the source as a whole. */
export const wholeSource = 'all its prices';

/** A fault of ours as a problem: the first line of the exception, which holds no address. */
export function faultOf(error: unknown): string {
  const text = error instanceof Error ? error.message : 'unknown';
  return `a fault of this program: ${text.split('\n')[0]!.slice(0, 200)}`;
}

type Standing = {
  /** The trouble that was reported last, unless its end was reported. */
  told: string | undefined;
  toldAt: number;
};

export function createComplaints(source: string, report: Report, clock: Clock): Complaints {
  const standings = new Map<string, Standing>();
  return {
    raise: (subject, problem) => {
      const now = clock.now();
      const standing = standings.get(subject);
      if (standing?.told === problem) return;
      // A clock that was set back must not silence anybody.
      if (standing !== undefined && Math.abs(now - standing.toldAt) < repeatMs) return;
      standings.set(subject, { told: problem, toldAt: now });
      report(`index source ${source}: ${subject}: ${problem}`);
    },
    settle: (subject) => {
      const standing = standings.get(subject);
      if (standing?.told === undefined) return;
      standing.told = undefined;
      report(`index source ${source}: ${subject}: works again`);
    },
  };
}
