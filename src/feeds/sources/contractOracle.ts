// A price contract as the reading feed sees it: the calls that read a price, and the meaning of
// their answers. The two kinds are in files beside this one; readContracts.ts calls the chain.

import { formatQuotient } from '../../units/decimal.ts';

export type Hex = `0x${string}`;

export type ContractCall = { readonly target: Hex; readonly data: Hex };

/** A price in a contract, or why it does not count; `problem` ends a sentence. */
export type ContractPrice =
  | {
      readonly kind: 'price';
      /** Plain decimal text above 0, exactly what the contract holds. */
      readonly price: string;
      /** When the contract received the price, seconds since the Unix epoch. */
      readonly updatedAt: number;
    }
  | { readonly kind: 'refused'; readonly problem: string };

export type ContractOracle = {
  /** The calls that read the price of one symbol. */
  readonly calls: readonly ContractCall[];
  /** Their results, in the same order. Throws when these are not the answer of such a contract. */
  readonly read: (returned: readonly Hex[]) => ContractPrice;
};

/** How far the times of a chain may be ahead of this machine's clock, seconds. */
export const aheadSecondsMax = 60;
/** A price with more digits than this is an error. */
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
  // The publisher's reader has a bound too (units/decimal.ts).
  return text.length <= 64 ? text : undefined;
}

export const refusedPrice = (problem: string): ContractPrice => ({ kind: 'refused', problem });

/**
 * Why a price of `updatedAt` does not count at `now`, both in seconds; undefined when it counts.
 */
export function ageProblem(
  updatedAt: number,
  now: number,
  heartbeatSeconds: number,
): string | undefined {
  if (updatedAt > now + aheadSecondsMax) return 'it states a time to come';
  if (now - updatedAt > heartbeatSeconds) return 'the contract has not been updated in its time';
  return undefined;
}
