// Shows the progress of long work to a person at a terminal: one line, which is overwritten, with
// the finished part and the remaining time. Without a terminal it writes nothing.

import { stopwatchMs } from './clock.ts';

export type Terminal = {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
};

export type Progress = {
  /** Reports how much of the total is done. */
  readonly reached: (done: number) => void;
  /** Removes the line; call it before other output and at the end. */
  readonly end: () => void;
};

export type ProgressOptions = {
  /** The name of the work, which begins the line. */
  readonly what: string;
  readonly total: number;
  /** Standard error unless given. */
  readonly terminal?: Terminal;
  /** Milliseconds since an arbitrary moment; the stopwatch unless given. */
  readonly elapsed?: () => number;
};

const everyMs = 250;
/** Before this time the pace is not known yet. */
const paceMs = 2000;
const eraseLine = '\r\x1b[2K';

const silent: Progress = { reached: () => {}, end: () => {} };

export function createProgress(options: ProgressOptions): Progress {
  const { what, total, terminal = process.stderr, elapsed = stopwatchMs } = options;
  if (terminal.isTTY !== true || total <= 0) return silent;
  const begun = elapsed();
  let shownAt = begun;
  let shown = false;
  return {
    reached: (done) => {
      const now = elapsed();
      if (now - shownAt < everyMs) return;
      shownAt = now;
      shown = true;
      const part = Math.min(1, done / total);
      const spent = now - begun;
      const left = part > 0 && spent >= paceMs ? (spent / part) * (1 - part) : undefined;
      const percent = `${Math.floor(part * 100)} %`.padStart(5);
      const rest = left === undefined ? '' : `, ${durationText(left)} left`;
      terminal.write(`${eraseLine}${what}: ${percent}${rest}`);
    },
    end: () => {
      if (shown) terminal.write(eraseLine);
      shown = false;
    },
  };
}

/** `48 s`, `3 min 20 s`, `2 h 5 min`. */
function durationText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
