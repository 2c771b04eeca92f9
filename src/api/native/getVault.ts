// GET /api/v1/vault (VLT-1): where deposits go, what of a wallet's deposits waits for room, and
// what a withdrawal costs.

import { Type } from 'typebox';
import { parkedFor } from '../../engine/views/vault.ts';
import { decimalText, exactObject, orNull } from '../answerSchema.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { optional, textParameter } from '../parameterSchema.ts';
import { totalText, vaultRecord, vaultSchema } from '../vaultRecord.ts';
import * as routes from './nativeRoutes.ts';

export const getVault = defineQuery({
  ...routes.getVault,
  name: 'getVault',
  surface: 'native',
  weight: 1,
  summary: 'The contract that holds the money of the deployment, and the terms of withdrawals.',
  parameters: Type.Object({
    address: optional(textParameter({ lengthMax: 42 })),
  }),
  response: exactObject({
    vault: vaultSchema,
    parked: orNull(
      decimalText("What of this wallet's deposits waits for room, USDT (VLT-3)."),
      'null: no address was asked for.',
    ),
  }),
  query: ({ deployment: { exchange, login } }, { address: text }) => {
    const address = text === undefined ? undefined : login.parseAddress(text);
    if (text !== undefined && address === undefined) {
      return { reason: 'parameterMalformed', name: 'address' };
    }
    const parked = address === undefined ? null : totalText(parkedFor(exchange, address));
    return answerJson({ vault: vaultRecord(exchange), parked });
  },
});
