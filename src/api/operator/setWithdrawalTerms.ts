// PATCH /operator/withdrawal-terms (VLT-5): the least withdrawal and its fee, from the next request
// on. The engine checks their bounds.

import { Type } from 'typebox';
import { withdrawalTermsOf } from '../../engine/views/vault.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, defineCommand } from '../operation.ts';
import { decimalParameter, optional } from '../parameterSchema.ts';
import { readTypedMoney } from '../readExactMoney.ts';
import { vaultRecord, vaultSchema } from '../vaultRecord.ts';

export const setWithdrawalTerms = defineCommand({
  name: 'setWithdrawalTerms',
  surface: 'operator',
  method: 'PATCH',
  path: '/operator/withdrawal-terms',
  auth: 'operator',
  weight: 1,
  summary: 'Changes the least withdrawal and its fee.',
  parameters: Type.Object({
    min: optional(decimalParameter({ description: 'Above 0, at most 100 USDT.' })),
    fee: optional(decimalParameter({ description: 'At least 0, below the minimum.' })),
  }),
  failures: commandRejections.setWithdrawalTerms,
  response: vaultSchema,
  command: ({ deployment: { exchange } }, sent) => {
    const present = withdrawalTermsOf(exchange);
    const min = sent.min === undefined ? present.min : readTypedMoney(sent.min, 'min');
    if (typeof min !== 'number') return min;
    const fee = sent.fee === undefined ? present.fee : readTypedMoney(sent.fee, 'fee');
    if (typeof fee !== 'number') return fee;
    return {
      command: { kind: 'setWithdrawalTerms', min, fee },
      lane: 'reserve',
      answer: (outcome) =>
        outcome.kind === 'rejected' ? outcome.rejection : answerJson(vaultRecord(exchange)),
    };
  },
});
