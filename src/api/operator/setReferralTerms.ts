// PATCH /operator/referral (NAT-4): changes the terms of referral; they hold at once and for every
// binding. The engine checks their bounds, and that every market's rebate is still paid.

import { Type } from 'typebox';
import { referralTermsOf } from '../../engine/views/referral.ts';
import type { Rate } from '../../units/units.ts';
import { exactObject } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, defineCommand } from '../operation.ts';
import { decimalParameter, flagParameter, optional } from '../parameterSchema.ts';
import { readExactRate } from '../readExactMoney.ts';
import { referralTermsRecord, referralTermsSchema } from '../referralTermsRecord.ts';
import type { Refusal } from '../refusal.ts';

export const setReferralTerms = defineCommand({
  name: 'setReferralTerms',
  surface: 'operator',
  method: 'PATCH',
  path: '/operator/referral',
  auth: 'operator',
  weight: 1,
  summary: 'Changes the terms of referral.',
  parameters: Type.Object({
    enabled: optional(flagParameter()),
    discount: optional(decimalParameter({ description: '0 to 0.5; 0.04 is 4 %.' })),
    share: optional(decimalParameter({ description: '0 to 0.5; 0.1 is 10 %.' })),
  }),
  failures: commandRejections.setReferralTerms,
  response: exactObject({ terms: referralTermsSchema }),
  command: ({ deployment: { exchange } }, sent) => {
    const present = referralTermsOf(exchange);
    const read = (name: 'discount' | 'share'): Rate | Refusal => {
      const text = sent[name];
      return text === undefined ? present[name] : readExactRate(text, name);
    };
    const discount = read('discount');
    if (typeof discount !== 'number') return discount;
    const share = read('share');
    if (typeof share !== 'number') return share;
    const enabled = sent.enabled ?? present.enabled;
    return {
      command: { kind: 'setReferralTerms', terms: { enabled, discount, share } },
      lane: 'reserve',
      answer: (outcome) =>
        outcome.kind === 'rejected'
          ? outcome.rejection
          : answerJson({ terms: referralTermsRecord(referralTermsOf(exchange)) }),
    };
  },
});
