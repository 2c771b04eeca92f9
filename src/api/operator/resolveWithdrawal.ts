// POST /operator/withdrawals/{id} (OPS-1, NAT-3): ends a pending withdrawal when no chain side does
// so: it was paid out, or the money goes back. A deployment has no deposit contract yet, so the
// operator decides on every chain.

import { Type } from 'typebox';
import type { OrderReference } from '../../engine/command.ts';
import { type Exchange, withdrawalById } from '../../engine/views/exchange.ts';
import { must } from '../../std/assert.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, defineCommand } from '../operation.ts';
import { choiceParameter, orderIdParameter } from '../parameterSchema.ts';
import { withdrawalRecord, withdrawalSchema } from '../withdrawalRecord.ts';

export const resolveWithdrawal = defineCommand({
  name: 'resolveWithdrawal',
  surface: 'operator',
  method: 'POST',
  path: '/operator/withdrawals/:id',
  auth: 'operator',
  weight: 1,
  summary: 'Completes a pending withdrawal, or releases it back to its account.',
  parameters: Type.Object({
    id: orderIdParameter(),
    action: choiceParameter(['complete', 'release']),
  }),
  failures: [...commandRejections.resolveWithdrawal, 'resourceUnknown'],
  response: withdrawalSchema,
  command: ({ deployment }, { id: reference, action }) => {
    const { exchange } = deployment;
    if (!isPending(exchange, reference)) {
      return { reason: 'resourceUnknown', what: 'Withdrawal' };
    }
    return {
      command: { kind: 'resolveWithdrawal', id: reference.id, action },
      lane: 'reserve',
      answer: (outcome) => {
        if (outcome.kind === 'rejected') return outcome.rejection;
        const withdrawal = must(outcome.withdrawal, 'the withdrawal is in the outcome');
        const { address } = must(outcome.account, 'its account is in the outcome');
        const status = action === 'complete' ? 'completed' : 'released';
        const row = { ...withdrawal, status, resolvedAt: exchange.time } as const;
        return answerJson(withdrawalRecord(deployment, row, address));
      },
    };
  },
});

/** The UUID contains number and time; both must belong to a pending withdrawal. */
function isPending(
  exchange: Exchange,
  { id, createdAt }: Extract<OrderReference, { readonly id: unknown }>,
): boolean {
  return withdrawalById(exchange, id)?.createdAt === createdAt;
}
