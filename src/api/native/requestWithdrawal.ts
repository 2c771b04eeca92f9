// POST /api/v1/withdraw/request (NAT-3): asks for a transfer of money to the caller's own wallet.
// The money leaves the balance at once. It is pending until the chain side or the operator ends it.

import { Type } from 'typebox';
import { withdrawalById } from '../../engine/views/exchange.ts';
import type { WithdrawalRow } from '../../market-data/withdrawals.ts';
import { must } from '../../std/assert.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { hasFailed } from '../historyPort.ts';
import { answerJson, callerOf, defineCommand } from '../operation.ts';
import { decimalParameter } from '../parameterSchema.ts';
import { readExactMoney } from '../readExactMoney.ts';
import {
  findEndedWithdrawal,
  pendingRow,
  withdrawalRecord,
  withdrawalSchema,
} from '../withdrawalRecord.ts';
import * as routes from './nativeRoutes.ts';

export const requestWithdrawal = defineCommand({
  ...routes.requestWithdrawal,
  name: 'requestWithdrawal',
  surface: 'native',
  weight: 1,
  idempotent: true,
  summary: "Requests a withdrawal to the account's own wallet.",
  parameters: Type.Object({
    amount: decimalParameter({ description: 'USDT above 0, at most six decimals.' }),
  }),
  failures: [
    ...commandRejections.requestWithdrawal,
    'quantityInvalid',
    'conflict',
    'databaseFailed',
  ],
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
        const show = (row: WithdrawalRow) =>
          answerJson(withdrawalRecord(context.deployment, row, address));
        if (outcome.withdrawal !== undefined) return show(pendingRow(outcome.withdrawal));
        // The withdrawal that the request repeats, as it is now (ID-3).
        const made = must(outcome.repeated, 'an accepted request names its withdrawal');
        const pending = withdrawalById(context.deployment.exchange, made.id);
        if (pending !== undefined) return show(pendingRow(pending));
        return findEndedWithdrawal(context.deployment, callerOf(context), made).then((row) =>
          hasFailed(row) ? row : show(row),
        );
      },
    };
  },
});
