// GET /api/v1/referral (NAT-4): the caller's code, the code to which it is bound, the terms, and
// what it has earned: in total, and by UTC day.

import { Type } from 'typebox';
import { referralOf, referralTermsOf } from '../../engine/views/referral.ts';
import {
  countNumber,
  decimalText,
  exactObject,
  orNull,
  plainText,
  timeNumber,
} from '../answerSchema.ts';
import { moneyText } from '../grid.ts';
import { hasFailed } from '../historyPort.ts';
import { answerJson, callerOf, defineProcedure } from '../operation.ts';
import { referralTermsRecord, referralTermsSchema } from '../referralTermsRecord.ts';
import * as routes from './nativeRoutes.ts';
import { nativeWindow, nativeWindowParameters } from './nativeWindow.ts';

const { start_time, end_time, limit } = nativeWindowParameters;

export const getReferral = defineProcedure({
  ...routes.getReferral,
  name: 'getReferral',
  surface: 'native',
  weight: 3,
  summary: 'The referral code, the binding, the terms, and what was earned; the latest days.',
  parameters: Type.Object({ start_time, end_time, limit }),
  failures: ['databaseFailed'],
  response: exactObject({
    code: orNull(plainText('By which others are bound to this account.')),
    bound_code: orNull(plainText('The code to which this account is bound.')),
    terms: referralTermsSchema,
    referees: countNumber('Accounts that are bound to the code.'),
    accrued: decimalText('What can be claimed now, USDT.'),
    claimed: decimalText('Everything that was claimed so far, USDT.'),
    total: decimalText('Both together, USDT.'),
    days: Type.Array(
      exactObject({
        time: timeNumber('The beginning of the UTC day.'),
        amount: decimalText('What accrued on it, USDT.'),
      }),
    ),
  }),
  procedure: async (context, sent) => {
    const { deployment } = context;
    const account = callerOf(context);
    // Read before history answers: the account may be gone then.
    const terms = referralTermsRecord(referralTermsOf(deployment.exchange));
    const figures = referralOf(deployment.exchange, account);
    const { code, boundCode, referees, accrued, claimed } = figures;
    const { startTime, endTime, limit: most } = nativeWindow(sent);
    const window = { startTime, endTime, limit: most };
    const days = await deployment.history.referralDays({ ...window, account: account.id });
    if (hasFailed(days)) return days;
    return answerJson({
      code: code === '' ? null : code,
      bound_code: boundCode === '' ? null : boundCode,
      terms,
      referees,
      accrued: moneyText(accrued),
      claimed: moneyText(claimed),
      total: moneyText(BigInt(accrued) + BigInt(claimed)),
      days: days.map(({ day, amount }) => ({ time: day, amount: moneyText(amount) })),
    });
  },
});
