// Times for people, local or UTC.

export type ClockKind = 'local' | 'utc';

const two = (value: number): string => String(value).padStart(2, '0');

/** hh:mm:ss of milliseconds. */
export function timeText(time: number, kind: ClockKind): string {
  const date = new Date(time);
  return kind === 'utc'
    ? `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
    : `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** yyyy-mm-dd hh:mm:ss of milliseconds. */
export function dateText(time: number, kind: ClockKind): string {
  const date = new Date(time);
  const day =
    kind === 'utc'
      ? [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
      : [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const [year = 0, month = 0, dayOfMonth = 0] = day;
  return `${year}-${two(month)}-${two(dayOfMonth)} ${timeText(time, kind)}`;
}

/** Seconds by which the shown clock is ahead of UTC at this time: axes of charts are in UTC. */
export function shownOffsetSeconds(time: number, kind: ClockKind): number {
  return kind === 'utc' ? 0 : -new Date(time).getTimezoneOffset() * 60;
}

/** Seconds as hours with at most one decimal. */
export const hoursText = (seconds: number): string => String(Math.round(seconds / 360) / 10);
