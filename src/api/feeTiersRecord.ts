// The table of fee tiers as the native and the operator's surface show it (MAR-6).

import type { Static } from 'typebox';
import type { FeeTier } from '../engine/feeTier.ts';
import { decimalText, exactObject, namedAnswerSchema } from './answerSchema.ts';
import { moneyText, rateText } from './grid.ts';

export const feeTierSchema = namedAnswerSchema(
  'FeeTier',
  exactObject({
    min_volume: decimalText('Of fourteen UTC days, maker and taker, USDT.'),
    maker_discount: decimalText('The part of a maker fee that is waived, 0 to 1.'),
    taker_discount: decimalText('The part of a taker fee that is waived, 0 to 1.'),
  }),
);

/** By rising volume. The number of a tier is its place in the table. */
export function feeTiersRecord(tiers: readonly FeeTier[]): Static<typeof feeTierSchema>[] {
  return tiers.map(({ minVolume, makerDiscount, takerDiscount }) => ({
    min_volume: moneyText(minVolume),
    maker_discount: rateText(makerDiscount),
    taker_discount: rateText(takerDiscount),
  }));
}
