// The terms of referral as the native and the operator's surface show them (NAT-4).

import type { Static } from 'typebox';
import { Type } from 'typebox';
import type { ReferralTerms } from '../engine/views/referral.ts';
import { decimalText, exactObject, namedAnswerSchema } from './answerSchema.ts';
import { rateText } from './grid.ts';

export const referralTermsSchema = namedAnswerSchema(
  'ReferralTerms',
  exactObject({
    enabled: Type.Boolean(),
    discount: decimalText('The part of its fees that a referee does not pay, 0 to 0.5.'),
    share: decimalText("The part of a referee's net fees that its referrer earns, 0 to 0.5."),
  }),
);

export function referralTermsRecord(terms: ReferralTerms): Static<typeof referralTermsSchema> {
  const { enabled, discount, share } = terms;
  return { enabled, discount: rateText(discount), share: rateText(share) };
}
