// POST /api/v1/referral/bind (NAT-4a): binds the caller to the owner of a code, once and before its
// first trade.

import { Type } from 'typebox';
import { isReferralCode } from '../../engine/views/referral.ts';
import { exactObject, plainText } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, callerOf, defineCommand } from '../operation.ts';
import * as routes from './nativeRoutes.ts';
import { referralCodeParameter } from './referralCodeParameter.ts';

export const bindReferral = defineCommand({
  ...routes.bindReferral,
  name: 'bindReferral',
  surface: 'native',
  weight: 1,
  summary: 'Binds the account to a referral code, once and before its first trade.',
  parameters: Type.Object({ code: referralCodeParameter() }),
  failures: commandRejections.bindReferral,
  response: exactObject({ bound_code: plainText('The code to which this account is bound.') }),
  command: (context, { code }) => {
    if (!isReferralCode(code)) return { reason: 'referralCodeInvalid' };
    return {
      command: { kind: 'bindReferral', account: callerOf(context).id, code },
      lane: 'order',
      answer: (outcome) =>
        outcome.kind === 'rejected' ? outcome.rejection : answerJson({ bound_code: code }),
    };
  },
});
