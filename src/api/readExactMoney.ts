// Decimals that are exact or refused, never floored: everything that an operator sends, and the
// amounts of transfers and withdrawals. A client that writes a seventh decimal wants something that
// the exchange cannot do.

import { parseScaled } from '../units/decimal.ts';
import { type Money, moneyDecimals, type Rate, rateDecimals } from '../units/units.ts';
import type { Refusal } from './refusal.ts';

function readExact(text: string, decimals: number, name: string): number | Refusal {
  const scaled = parseScaled(text, decimals);
  if (scaled.kind === 'malformed') return { reason: 'parameterIllegal', name };
  if (scaled.kind !== 'exact') return { reason: 'quantityInvalid', name };
  return scaled.value;
}

/**
 * USDT, a whole number of 1e-6, of either sign. INVALID_AMOUNT when it is finer or out of range.
 */
export function readExactMoney(text: string, name: string): Money | Refusal {
  return readExact(text, moneyDecimals, name) as Money | Refusal;
}

/** A rate, a whole number of 1e-8, of either sign. INVALID_AMOUNT as above. */
export function readExactRate(text: string, name: string): Rate | Refusal {
  return readExact(text, rateDecimals, name) as Rate | Refusal;
}

/**
 * Whether a number is written as 1e3. Programs write this on purpose (UNIT-4), people by mistake.
 */
export const hasExponent = (text: string): boolean => /e/i.test(text);

/** The same for an amount that an operator types: only plain digits. */
export function readTypedMoney(text: string, name: string): Money | Refusal {
  const amount = readExactMoney(text, name);
  return typeof amount === 'number' && hasExponent(text)
    ? { reason: 'quantityInvalid', name }
    : amount;
}
