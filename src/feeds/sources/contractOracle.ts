// What a price contract is to the reading feed: which calls read a price, and what their answers
// come to. The two kinds stand beside this file; how the chain is asked stands in readContracts.ts.

import { formatQuotient } from '../../units/decimal.ts';

export type Hex = `0x${string}`;

export type ContractCall = { readonly target: Hex; readonly data: Hex };

/** A price as a contract holds it, or why it counts for nothing; `problem` ends a sentence. */
export type ContractPrice =
  | {
      readonly kind: 'price';
      /** Plain decimal text above 0, exactly what the contract holds. */
      readonly price: string;
      /** When the contract was given the price, seconds since the Unix epoch. */
      readonly updatedAt: number;
    }
  | { readonly kind: 'refused'; readonly problem: string };

export type ContractOracle = {
  /** The calls that read the price of one symbol. */
  readonly calls: readonly ContractCall[];
  /** What they returned, in the same order. Throws when that is no answer of such a contract. */
  readonly read: (returned: readonly Hex[]) => ContractPrice;
};

/** How far the times of a chain may be ahead of this machine's clock, seconds. */
export const aheadSecondsMax = 60;
/** More digits than any price has are a mistake of somebody's. */
const digitsMax = 40;
const decimalsMax = 36;

/** `decimals` may be negative; undefined when the two are beyond what a price can be. */
export function fixedPointText(digits: bigint, decimals: number): string | undefined {
  if (digits <= 0n || Math.abs(decimals) > decimalsMax) return undefined;
  if (digits.toString().length > digitsMax) return undefined;
  const text =
    decimals >= 0
      ? formatQuotient(digits, 10n ** BigInt(decimals), decimals)
      : (digits * 10n ** BigInt(-decimals)).toString();
  // What a keeper reads back has a bound too (units/decimal.ts).
  return text.length <= 64 ? text : undefined;
}

export const refusedPrice = (problem: string): ContractPrice => ({ kind: 'refused', problem });

/** Why a price of `updatedAt` does not count at `now`, both in seconds; undefined when it does. */
export function ageProblem(
  updatedAt: number,
  now: number,
  heartbeatSeconds: number,
): string | undefined {
  if (updatedAt > now + aheadSecondsMax) return 'it states a time to come';
  if (now - updatedAt > heartbeatSeconds) return 'the contract has not been updated in its time';
  return undefined;
}
