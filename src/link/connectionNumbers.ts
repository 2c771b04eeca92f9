// The numbers that a process gives to connections (COD-1). They follow from the name of this start
// of the process, so every other process knows whose connection a number is.

import { createHash } from 'node:crypto';

/** As many connections as a process can arm before it gives a number again. */
const rangeSize = 2 ** 22;

export type ConnectionNumbers = { readonly first: number; readonly last: number };

/**
 * Below 2^31. Two processes have the same range once in 2^31 pairs; the holder of the lease refuses
 * the second one.
 */
export function rangeOfProcess(process: string): number {
  return createHash('sha256').update(`connections of ${process}`).digest().readUInt32BE() >>> 1;
}

export const rangeOfConnection = (connection: number): number => Math.floor(connection / rangeSize);

export function connectionNumbersOf(process: string): ConnectionNumbers {
  const before = rangeOfProcess(process) * rangeSize;
  return { first: before + 1, last: before + rangeSize - 1 };
}
