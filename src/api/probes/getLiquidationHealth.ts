// GET /health/liquidation-<chain> (OPS-3): what the chain side's liquidation reporter has done.

import { Type } from 'typebox';
import { countNumber, exactObject, orNull, plainText, walletText } from '../answerSchema.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { textParameter } from '../parameterSchema.ts';
import { chainNames } from './chainNames.ts';

const chainLengthMax = 64;
const count = () => Type.Integer({ minimum: 0 });

export const getLiquidationHealth = defineQuery({
  name: 'getLiquidationHealth',
  surface: 'probe',
  method: 'GET',
  path: '/health/liquidation-:chain',
  auth: 'none',
  weight: 1,
  summary: "The on-chain liquidation reporter of this deployment's chain.",
  parameters: Type.Object({
    chain: textParameter({ lengthMax: chainLengthMax, description: 'Chain id or short name.' }),
  }),
  failures: ['resourceUnknown'],
  response: exactObject({
    enabled: Type.Boolean(),
    chain_id: countNumber(),
    chain: plainText('The short name, or else the id.'),
    keeper_address: orNull(walletText()),
    last_block: orNull(countNumber()),
    submissions: exactObject({
      pending: count(),
      submitted: count(),
      confirmed: count(),
      failed: count(),
    }),
  }),
  query: ({ deployment }, { chain: asked }) => {
    const { chainId } = deployment;
    const chain = chainNames[chainId] ?? String(chainId);
    if (asked !== String(chainId) && asked.toLowerCase() !== chain) {
      return { reason: 'resourceUnknown', what: 'Chain' };
    }
    const { enabled, keeperAddress, lastBlock, submissions } = deployment.liquidation();
    return answerJson({
      enabled,
      chain_id: chainId,
      chain,
      keeper_address: keeperAddress,
      last_block: lastBlock,
      submissions,
    });
  },
});
