// What a transaction of the gas account offers for its gas, and when it may replace another one.

import type { GasState } from '../vaultNode.ts';

/** In the chain's smallest unit, for each unit of gas. */
export type Fees = { readonly maxFee: bigint; readonly tip: bigint };

/** Rounded up; a node refuses a replacement that offers less than a tenth more. */
const raiseUp = (value: bigint): bigint => (value * 5n + 3n) / 4n;
const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/**
 *   max(2 × base fee + tip, 1.25 × what the replaced transaction offers), at most the limit
 * Twice the base fee, so that six full blocks in a row do not outbid it. Undefined when the limit
 * does not even pay for the next block.
 */
export function planFees(
  { baseFee, tip }: Pick<GasState, 'baseFee' | 'tip'>,
  before: Fees | undefined,
  maxFeeLimit: bigint,
): Fees | undefined {
  if (baseFee + tip > maxFeeLimit) return undefined;
  const raised = before && { maxFee: raiseUp(before.maxFee), tip: raiseUp(before.tip) };
  const maxFee = smaller(larger(2n * baseFee + tip, raised?.maxFee ?? 0n), maxFeeLimit);
  return { maxFee, tip: smaller(larger(tip, raised?.tip ?? 0n), maxFee) };
}
