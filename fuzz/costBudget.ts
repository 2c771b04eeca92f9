// What a request may cost the thread that trades: one row for each class of requests. The figures
// stand in docs/fuzzing.md, too.

export type CostClass =
  | 'stranger'
  | 'refused'
  | 'served'
  | 'frame'
  | 'subscription'
  | 'frameServed'
  | 'operator';

type Budget = {
  /** The plain request of the same run that it is compared with, and how many of them it may cost. */
  readonly reference: 'ping' | 'limited';
  readonly times: number;
  readonly nsPerByte: number;
  /** Whose bytes: of request and answer, or of the head of the request alone. */
  readonly bytes: 'all' | 'head';
  /** Microseconds for each unit of weight beyond `unitsFree`. */
  readonly usPerUnit: number;
  readonly unitsFree: number;
};

const perUnit = 50;
const perByte = 20;

export const budgets: Readonly<Record<CostClass, Budget>> = {
  // No credential, or one that is refused.
  stranger: {
    ...{ reference: 'ping', times: 3, nsPerByte: perByte, bytes: 'all' },
    ...{ usPerUnit: perUnit, unitsFree: 1 },
  },
  // Over its limit. The platform reads heads before the program sees them: they may cost by byte,
  // and so may the first read of a body.
  refused: {
    ...{ reference: 'limited', times: 2, nsPerByte: perByte, bytes: 'head' },
    ...{ usPerUnit: 0, unitsFree: 0 },
  },
  // A good key or token, within its limits. Reading and answering costs a ping.
  served: {
    ...{ reference: 'ping', times: 1, nsPerByte: perByte, bytes: 'all' },
    ...{ usPerUnit: perUnit, unitsFree: 0 },
  },
  // A frame of a socket that showed no credential.
  frame: {
    ...{ reference: 'ping', times: 3, nsPerByte: perByte, bytes: 'all' },
    ...{ usPerUnit: 0, unitsFree: 0 },
  },
  // A frame that asks for streams that are there; each of them is a unit.
  subscription: {
    ...{ reference: 'ping', times: 3, nsPerByte: perByte, bytes: 'all' },
    ...{ usPerUnit: perUnit, unitsFree: 0 },
  },
  frameServed: {
    ...{ reference: 'ping', times: 1, nsPerByte: perByte, bytes: 'all' },
    ...{ usPerUnit: perUnit, unitsFree: 0 },
  },
  // The operator's own work has no limit; what it costs to find that it is the operator has one.
  operator: {
    ...{ reference: 'ping', times: 3, nsPerByte: perByte, bytes: 'all' },
    ...{ usPerUnit: perUnit, unitsFree: 0 },
  },
};

/** Microseconds of the trading thread for plain requests, measured in the same minute. */
export type References = {
  readonly ping: number;
  /** What the connection costs in addition, when it is a new one. */
  readonly connection: number;
  readonly limited: number;
  /** How many times slower this machine is now than the one that the budgets were made on. */
  readonly slowness: number;
};

/** What one request of a burst came to, on the average. */
export type Spent = {
  readonly us: number;
  readonly bytes: number;
  readonly headBytes: number;
  readonly connections: number;
  readonly pieces: number;
  readonly units: number;
};

/** What the platform takes to read one chunk of a body; a server need not read more of them. */
const pieceUs = 2.5;
const piecesMax = 256;

/** What the platform reads at once, before the program sees any of it, and what a byte of that takes. */
const firstReadBytes = 64 * 1024;
const nsPerFirstByte = 1;

/** Microseconds that such a request may cost. */
export function budgetOf(kind: CostClass, spent: Spent, at: References): number {
  const { reference, times, nsPerByte, bytes, usPerUnit, unitsFree } = budgets[kind];
  const nanoseconds =
    bytes === 'all'
      ? nsPerByte * spent.bytes
      : nsPerByte * spent.headBytes + nsPerFirstByte * Math.min(spent.bytes, firstReadBytes);
  const units = Math.max(0, spent.units - unitsFree);
  const plain = times * (at[reference] + at.connection * spent.connections);
  const pieces = pieceUs * Math.min(spent.pieces, piecesMax);
  return plain + at.slowness * (nanoseconds / 1000 + pieces + usPerUnit * units);
}
