// GET /operator/withdrawals (NAT-3): the withdrawals that wait to be paid out or released, the
// oldest first.

import { Type } from 'typebox';
import { accountById, withdrawalsOf } from '../../engine/views/exchange.ts';
import { must } from '../../std/assert.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { integerParameter, optional } from '../parameterSchema.ts';
import {
  pendingRow,
  type WithdrawalRecord,
  withdrawalRecord,
  withdrawalSchema,
} from '../withdrawalRecord.ts';

const limitNormal = 100;
const limitMax = 1000;

export const listPendingWithdrawals = defineQuery({
  name: 'listPendingWithdrawals',
  surface: 'operator',
  method: 'GET',
  path: '/operator/withdrawals',
  auth: 'operator',
  weight: 1,
  summary: 'Pending withdrawals of all accounts, the oldest first.',
  parameters: Type.Object({
    limit: optional(
      integerParameter({
        min: 1,
        max: limitMax,
        description: `${limitNormal} when absent, at most ${limitMax}.`,
      }),
    ),
  }),
  response: Type.Array(withdrawalSchema),
  query: ({ deployment }, { limit = limitNormal }) => {
    const { exchange } = deployment;
    const records: WithdrawalRecord[] = [];
    for (const withdrawal of withdrawalsOf(exchange)) {
      if (records.length === limit) break;
      const account = must(
        accountById(exchange, withdrawal.account),
        'a withdrawal has an account',
      );
      records.push(withdrawalRecord(deployment, pendingRow(withdrawal), account.address));
    }
    return answerJson(records);
  },
});
