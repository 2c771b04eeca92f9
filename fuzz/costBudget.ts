// What a request may cost the thread that trades: one row for each class of requests.
// docs/fuzzing.md contains the figures too.

export type CostClass =
  | 'stranger'
  | 'refused'
  | 'served'
  | 'frame'
  | 'subscription'
  | 'frameServed'
  | 'operator';

type Budget = {
  /** The plain request of the same run for comparison, and how many of them it may cost. */
  readonly reference: 'ping' | 'limited';
  readonly times: number;
  /** For each line of the head, beside its bytes. */
  readonly nsPerHeadLine: number;
  /** Which bytes count: those of request and answer, or those of the request's head alone. */
  readonly bytes: 'all' | 'head';
  /** Microseconds for each unit of weight beyond `unitsFree`. */
  readonly usPerUnit: number;
  readonly unitsFree: number;
  /**
   * The most microseconds for each new connection, beside what it adds to a ping, when it adds as
   * much to a plain command.
   */
  readonly usAloneMax: number;
};

const perUnit = 50;
const perByte = 20;
/**
 * The platform's own server, without any program, needs 210 to 300 for each line of a head of 75
 * short lines, its bytes included. A budget of several pings has room for that, a budget of one
 * has not.
 */
const perHeadLine = 200;
/**
 * The platform accepts one connection in a turn of the event loop. So a command over a connection
 * of its own is a batch of its own: it wakes the thread that writes the log, which wakes this one,
 * for one command. Requests over connections that are open share that. How long it takes depends
 * on the system, so it is measured with a plain command, up to this bound.
 */
const aloneMax = 120;

export const budgets: Readonly<Record<CostClass, Budget>> = {
  // No credential, or a refused one.
  stranger: {
    ...{ reference: 'ping', times: 3, nsPerHeadLine: 0, bytes: 'all' },
    ...{ usPerUnit: perUnit, unitsFree: 1, usAloneMax: 0 },
  },
  // Over its limit. The platform reads heads before the program sees them, so they may cost by
  // byte; so may the first read of a body.
  refused: {
    ...{ reference: 'limited', times: 2, nsPerHeadLine: 0, bytes: 'head' },
    ...{ usPerUnit: 0, unitsFree: 0, usAloneMax: 0 },
  },
  // A valid key or token, within its limits. Reading and answering costs a ping.
  served: {
    ...{ reference: 'ping', times: 1, nsPerHeadLine: perHeadLine, bytes: 'all' },
    ...{ usPerUnit: perUnit, unitsFree: 0, usAloneMax: aloneMax },
  },
  // A frame of a socket without a credential.
  frame: {
    ...{ reference: 'ping', times: 3, nsPerHeadLine: 0, bytes: 'all' },
    ...{ usPerUnit: 0, unitsFree: 0, usAloneMax: 0 },
  },
  // A frame that subscribes to existing streams; each of them is a unit.
  subscription: {
    ...{ reference: 'ping', times: 3, nsPerHeadLine: 0, bytes: 'all' },
    ...{ usPerUnit: perUnit, unitsFree: 0, usAloneMax: 0 },
  },
  frameServed: {
    ...{ reference: 'ping', times: 1, nsPerHeadLine: perHeadLine, bytes: 'all' },
    ...{ usPerUnit: perUnit, unitsFree: 0, usAloneMax: 0 },
  },
  // The operator's own work has no limit. The check that the caller is the operator has one.
  operator: {
    ...{ reference: 'ping', times: 3, nsPerHeadLine: 0, bytes: 'all' },
    ...{ usPerUnit: perUnit, unitsFree: 0, usAloneMax: aloneMax },
  },
};

/** Microseconds of the trading thread for plain requests, measured in the same minute. */
export type References = {
  readonly ping: number;
  /** The extra cost of a new connection. */
  readonly connection: number;
  /** What a new connection adds to a plain command, beside what it adds to a ping. */
  readonly alone: number;
  readonly limited: number;
  /** How many times slower this machine is now than the one on which the budgets were made. */
  readonly slowness: number;
};

/** The average cost of one request of a burst. */
export type Spent = {
  readonly us: number;
  readonly bytes: number;
  readonly headBytes: number;
  readonly headLines: number;
  readonly connections: number;
  readonly pieces: number;
  readonly units: number;
};

/** The time in which the platform reads one chunk of a body. A server need not read more chunks. */
const pieceUs = 2.5;
const piecesMax = 256;

/**
 * The bytes that the platform reads at once, before the program sees any of them, and the time for
 * one byte.
 */
const firstReadBytes = 64 * 1024;
const nsPerFirstByte = 1;
/**
 * Of the bytes behind them no program reads any, but the system takes them and throws them away. A
 * server without any program, which answers and closes, needs 0.1 to 0.17 for each.
 */
const nsPerUnreadByte = 0.1;

/** Microseconds that such a request may cost. */
export function budgetOf(kind: CostClass, spent: Spent, at: References): number {
  const { reference, times, nsPerHeadLine, bytes, ...per } = budgets[kind];
  const nanoseconds =
    bytes === 'all'
      ? perByte * spent.bytes + nsPerHeadLine * spent.headLines
      : perByte * spent.headBytes +
        nsPerFirstByte * Math.min(spent.bytes, firstReadBytes) +
        nsPerUnreadByte * Math.max(0, spent.bytes - firstReadBytes);
  const unitsUs = per.usPerUnit * Math.max(0, spent.units - per.unitsFree);
  const plain = times * (at[reference] + at.connection * spent.connections);
  const pieces = pieceUs * Math.min(spent.pieces, piecesMax);
  const alone = Math.min(at.alone, at.slowness * per.usAloneMax) * spent.connections;
  return plain + alone + at.slowness * (nanoseconds / 1000 + pieces + unitsUs);
}
