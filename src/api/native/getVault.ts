// GET /api/v1/vault (VLT-1): where deposits go, what of a wallet's deposits waits for room, and
// what a withdrawal costs.

import { Type } from 'typebox';
import { parkedFor } from '../../engine/views/vault.ts';
import { countNumber, decimalText, exactObject, orNull } from '../answerSchema.ts';
import type { ChainStanding } from '../deployment.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { optional, textParameter } from '../parameterSchema.ts';
import { totalText, vaultRecord, vaultSchema } from '../vaultRecord.ts';
import * as routes from './nativeRoutes.ts';

export const getVault = defineQuery({
  ...routes.getVault,
  name: 'getVault',
  surface: 'native',
  weight: 1,
  summary: 'The contract that holds the money, and the terms of deposits and withdrawals.',
  parameters: Type.Object({
    address: optional(textParameter({ lengthMax: 42 })),
  }),
  response: exactObject({
    vault: vaultSchema,
    parked: orNull(
      decimalText("What of this wallet's deposits waits for room, USDT (VLT-3)."),
      'null: no address was asked for.',
    ),
    terms: orNull(
      exactObject({
        block: countNumber('The final block at which they were read.'),
        deposit_min: decimalText('The least deposit, USDT.'),
        instant_max: decimalText('What one withdrawal pays without the delay at most, USDT.'),
        bucket_capacity: decimalText('What all pay so within a day, and hold at most, USDT.'),
        bucket_level: decimalText('What of it could be paid at that block, USDT.'),
        queue_delay: countNumber('How long any other withdrawal waits in the vault, seconds.'),
        final_depth: orNull(
          countNumber('A block so deep is final, too, when the chain calls none so for long.'),
          'null: a block is final when the chain calls it `finalized`.',
        ),
      }),
      'What the contract itself says; null: without a vault, or not read yet by this process.',
    ),
  }),
  query: ({ deployment: { exchange, login, chain } }, { address: text }) => {
    const address = text === undefined ? undefined : login.parseAddress(text);
    if (text !== undefined && address === undefined) {
      return { reason: 'parameterMalformed', name: 'address' };
    }
    const parked = address === undefined ? null : totalText(parkedFor(exchange, address));
    return answerJson({ vault: vaultRecord(exchange), parked, terms: termsOf(chain()) });
  },
});

function termsOf(standing: ChainStanding | undefined) {
  const terms = standing?.terms;
  if (terms == null) return null;
  const depth = standing!.depthWhenStalled;
  return {
    block: terms.block,
    deposit_min: totalText(terms.minimumDeposit),
    instant_max: totalText(terms.instantMax),
    bucket_capacity: totalText(terms.bucketCapacity),
    bucket_level: totalText(terms.bucketLevel),
    queue_delay: terms.queueDelay,
    final_depth: depth === null ? null : Number(depth),
  };
}
