// POST /api/v1/referral/claim (NAT-4d): what has accrued for the caller becomes available money.

import { Type } from 'typebox';
import { balanceOf } from '../../engine/views/account.ts';
import { must } from '../../std/assert.ts';
import { decimalText, exactObject } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { moneyText } from '../grid.ts';
import { answerJson, callerOf, defineCommand } from '../operation.ts';
import * as routes from './nativeRoutes.ts';

export const claimReferral = defineCommand({
  ...routes.claimReferral,
  name: 'claimReferral',
  surface: 'native',
  weight: 1,
  summary: 'Claims everything that has accrued by referral.',
  parameters: Type.Object({}),
  failures: commandRejections.claimReferral,
  response: exactObject({
    amount: decimalText('What was claimed, USDT.'),
    balance: decimalText('The balance afterwards, USDT.'),
  }),
  command: (context) => ({
    command: { kind: 'claimReferral', account: callerOf(context).id },
    lane: 'order',
    answer: (outcome) => {
      if (outcome.kind === 'rejected') return outcome.rejection;
      const amount = must(outcome.amount, 'a claim has an amount');
      const account = must(outcome.account, 'the account is in the outcome');
      return answerJson({ amount: moneyText(amount), balance: moneyText(balanceOf(account)) });
    },
  }),
});
