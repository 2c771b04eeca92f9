// The middle of a best bid and a best ask as exact decimal text, and the cases in which the two
// give no price. The files of the exchanges know which members of an answer they are.

import { formatQuotient } from '../../units/decimal.ts';

export type Middle =
  | { readonly kind: 'price'; readonly price: string }
  /** `problem` ends the sentence "BTCUSDT is dropped: …". */
  | { readonly kind: 'refused'; readonly problem: string };

/** No sign, no exponent, and no more digits than any price needs. */
const plain = /^(\d{1,15})(?:\.(\d{1,18}))?$/;
const scaleMax = 18;

/**
 * The price between the two, or why there is none: one of them is not a plain decimal text above 0,
 * the bid is above the ask, or they are so far apart that their middle could be more than 1 %
 * wrong.
 *
 * price = (bid + ask) / 2
 */
export function middlePrice(bid: unknown, ask: unknown): Middle {
  const low = scaled(bid);
  const high = scaled(ask);
  if (low === undefined || high === undefined) return refused('it states no plain decimal');
  if (low === 0n || high === 0n) return refused('it states a price of zero');
  if (low > high) return refused('its bid lies above its ask');
  // (ask − bid) / 2 ≤ 1 % × (ask + bid) / 2
  if ((high - low) * 100n > high + low) return refused('its bid and ask are over 2 % apart');
  const price = formatQuotient(low + high, 2n * 10n ** BigInt(scaleMax), scaleMax + 1);
  return { kind: 'price', price };
}

/** The text in units of 10^-18; undefined when it is not a plain decimal. */
function scaled(text: unknown): bigint | undefined {
  const match = typeof text === 'string' ? plain.exec(text) : null;
  if (match === null) return undefined;
  return BigInt(match[1]! + (match[2] ?? '').padEnd(scaleMax, '0'));
}

const refused = (problem: string): Middle => ({ kind: 'refused', problem });
