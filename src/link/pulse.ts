// When a link must say that it lives, and when its peer is gone. It decides and does nothing.

/** Without other messages a beat goes out so often. */
export const beatAfterMs = 500;
/** A peer that is silent for longer is gone, whatever its socket says. */
export const silentMaxMs = 2000;

/** Times by the stopwatch. */
export type Pulse = { sentAt: number; receivedAt: number };

export const createPulse = (nowMs: number): Pulse => ({ sentAt: nowMs, receivedAt: nowMs });

/** When something may be due, if nothing is sent or received before. */
export const nextLookMs = ({ sentAt, receivedAt }: Pulse, nowMs: number): number =>
  Math.max(1, Math.ceil(Math.min(sentAt + beatAfterMs, receivedAt + silentMaxMs) - nowMs));

export function pulseDue({ sentAt, receivedAt }: Pulse, nowMs: number): 'gone' | 'beat' | 'wait' {
  if (nowMs - receivedAt >= silentMaxMs) return 'gone';
  return nowMs - sentAt >= beatAfterMs ? 'beat' : 'wait';
}
