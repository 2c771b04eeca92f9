// POST /api/v1/withdraw/request (NAT-3): asks for money to be sent to the caller's own wallet. It
// leaves the balance at once and is pending until the chain side or the operator ends it.

import { Type } from 'typebox';
import type { Accepted } from '../../engine/outcome.ts';
import { must } from '../../std/assert.ts';
import type { Context, WithdrawalRow } from '../deployment.ts';
import { answerJson, callerOf, defineCommand } from '../operation.ts';
import { decimalParameter } from '../parameterSchema.ts';
import { readExactMoney } from '../readExactMoney.ts';
import {
  findWithdrawal,
  pendingRow,
  withdrawalRecord,
  withdrawalSchema,
} from '../withdrawalRecord.ts';

export const requestWithdrawal = defineCommand({
  name: 'requestWithdrawal',
  surface: 'native',
  method: 'POST',
  path: '/api/v1/withdraw/request',
  auth: 'jwt',
  weight: 1,
  idempotent: true,
  summary: "Requests a withdrawal to the account's own wallet.",
  parameters: Type.Object({
    amount: decimalParameter({ description: 'USDT above 0, at most six decimals.' }),
  }),
  response: withdrawalSchema,
  command: (context, { amount: text }) => {
    const { id: account, address } = callerOf(context);
    const { idempotencyKey, idempotencyRequest } = context;
    const amount = readExactMoney(text, 'amount');
    if (typeof amount !== 'number') return amount;
    if (amount <= 0) return { reason: 'quantityInvalid', name: 'amount' };
    const idempotency = { idempotencyKey, idempotencyRequest };
    return {
      command: { kind: 'requestWithdrawal', account, amount, ...idempotency },
      lane: 'order',
      answer: (outcome) => {
        if (outcome.kind === 'rejected') return outcome.rejection;
        const row = requestedRow(context, outcome);
        if (row !== undefined) return answerJson(withdrawalRecord(row, address));
        return { reason: 'conflict', detail: 'The withdrawal of this Idempotency-Key has ended.' };
      },
    };
  },
});

/** The new withdrawal, or the one that the request repeats, as it stands now (ID-3). */
function requestedRow(context: Context, outcome: Accepted): WithdrawalRow | undefined {
  const { withdrawal, repeated } = outcome;
  if (withdrawal !== undefined) return pendingRow(withdrawal);
  const made = must(repeated, 'an accepted request names its withdrawal');
  return findWithdrawal(context.deployment, callerOf(context), made);
}
