// POST /api/v1/referral/code (NAT-4a): the caller gets the code by which others are bound to it,
// once.

import { Type } from 'typebox';
import { isReferralCode } from '../../engine/views/referral.ts';
import { exactObject, plainText } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, callerOf, defineCommand } from '../operation.ts';
import * as routes from './nativeRoutes.ts';
import { referralCodeParameter } from './referralCodeParameter.ts';

export const setReferralCode = defineCommand({
  ...routes.setReferralCode,
  name: 'setReferralCode',
  surface: 'native',
  weight: 1,
  summary: "Sets the account's referral code, once.",
  parameters: Type.Object({ code: referralCodeParameter() }),
  failures: commandRejections.setReferralCode,
  response: exactObject({ code: plainText('By which others are bound to this account.') }),
  command: (context, { code }) => {
    if (!isReferralCode(code)) return { reason: 'referralCodeInvalid' };
    return {
      command: { kind: 'setReferralCode', account: callerOf(context).id, code },
      lane: 'order',
      answer: (outcome) => (outcome.kind === 'rejected' ? outcome.rejection : answerJson({ code })),
    };
  },
});
