// Which connections may begin the handshake of a link. Until it is done the peer is a stranger, and
// each handshake costs processor time. It decides and does nothing.
//
// A stranger cannot keep members out by holding connections open: when too many wait, the oldest
// goes, and a member's handshake takes a few milliseconds. An address whose handshakes fail again
// and again is refused before the next one begins.

/** Handshakes at the same time. */
export const handshakesMax = 32;
/** Failed handshakes of one address in the time of `failureWindowMs`. */
export const failuresMax = 8;
export const failureWindowMs = 10_000;
/** Addresses whose failures are counted; the oldest is forgotten first. */
const addressesMax = 1000;

type Failures = { count: number; readonly since: number };

export type Strangers = {
  /** The address of each connection, oldest first. */
  readonly waiting: Map<number, string>;
  readonly failures: Map<string, Failures>;
};

export const createStrangers = (): Strangers => ({ waiting: new Map(), failures: new Map() });

export type Admission =
  /** It may begin; the connection `drop` must go for it. */
  { readonly kind: 'begin'; readonly drop: number | undefined } | { readonly kind: 'refuse' };

export function admitStranger(
  strangers: Strangers,
  { connection, address }: { readonly connection: number; readonly address: string },
  nowMs: number,
): Admission {
  const { waiting, failures } = strangers;
  const failed = failures.get(address);
  if (failed !== undefined && nowMs - failed.since < failureWindowMs) {
    if (failed.count >= failuresMax) return { kind: 'refuse' };
  } else failures.delete(address);
  const drop = waiting.size < handshakesMax ? undefined : waiting.keys().next().value;
  waiting.set(connection, address);
  return { kind: 'begin', drop };
}

/** The connection is a member's now, or it has ended before. */
export function endHandshake(
  { waiting, failures }: Strangers,
  { connection, isMember }: { readonly connection: number; readonly isMember: boolean },
  nowMs: number,
): void {
  const address = waiting.get(connection);
  if (address === undefined) return;
  waiting.delete(connection);
  if (isMember) {
    failures.delete(address);
    return;
  }
  const failed = failures.get(address);
  if (failed !== undefined && nowMs - failed.since < failureWindowMs) {
    failed.count += 1;
    return;
  }
  failures.delete(address);
  failures.set(address, { count: 1, since: nowMs });
  if (failures.size <= addressesMax) return;
  for (const oldest of failures.keys()) {
    failures.delete(oldest);
    return;
  }
}
