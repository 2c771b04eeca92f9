// GET /operator/referral (NAT-4): the terms in force, what waits to be claimed, and how many codes
// there are.

import { Type } from 'typebox';
import { referralCodesOf, referralTermsOf } from '../../engine/views/referral.ts';
import { countNumber, decimalText, exactObject } from '../answerSchema.ts';
import { moneyText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { referralTermsRecord, referralTermsSchema } from '../referralTermsRecord.ts';

export const getReferralTerms = defineQuery({
  name: 'getReferralTerms',
  surface: 'operator',
  method: 'GET',
  path: '/operator/referral',
  auth: 'operator',
  weight: 1,
  summary: 'The terms of referral, and what has accrued and is not claimed.',
  parameters: Type.Object({}),
  response: exactObject({
    terms: referralTermsSchema,
    codes: countNumber('Accounts with a code.'),
    payable: decimalText('What referrers may claim, USDT (BAL-2).'),
  }),
  query: ({ deployment: { exchange } }) =>
    answerJson({
      terms: referralTermsRecord(referralTermsOf(exchange)),
      codes: referralCodesOf(exchange),
      payable: moneyText(exchange.funds.referralPayable),
    }),
});
