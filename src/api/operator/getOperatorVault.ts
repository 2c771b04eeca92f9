// GET /operator/vault (VLT-1): the vault of the deployment, and how its chain service stands.

import { Type } from 'typebox';
import { countNumber, exactObject, orNull, plainText } from '../answerSchema.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { vaultRecord, vaultSchema } from '../vaultRecord.ts';

export const getOperatorVault = defineQuery({
  name: 'getOperatorVault',
  surface: 'operator',
  method: 'GET',
  path: '/operator/vault',
  auth: 'operator',
  weight: 1,
  summary: 'The vault, and how the chain service of this process stands.',
  parameters: Type.Object({}),
  response: exactObject({
    vault: vaultSchema,
    service: orNull(
      exactObject({
        block: orNull(countNumber('The final block that it has read last.')),
        rounds: countNumber('Since its start.'),
        facts: countNumber('That it has brought to the log.'),
        transactions: countNumber('That it has sent to the vault.'),
        gas_account: orNull(plainText('Its address; null: it pays nothing out.')),
        alarms: Type.Array(plainText('Of the last round: what, and a detail.')),
      }),
      'null: this process runs none.',
    ),
  }),
  query: ({ deployment: { exchange, chain } }) => {
    const standing = chain();
    if (standing === undefined) return answerJson({ vault: vaultRecord(exchange), service: null });
    const { block, rounds, facts, transactions, gasAccount, alarms } = standing;
    const service = { block, rounds, facts, transactions, gas_account: gasAccount, alarms };
    return answerJson({ vault: vaultRecord(exchange), service });
  },
});
