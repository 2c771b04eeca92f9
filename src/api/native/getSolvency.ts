// GET /api/v1/solvency (VLT-7): what the exchange owes in all, and what its vault holds.

import { Type } from 'typebox';
import { vaultFigures, vaultOf } from '../../engine/views/vault.ts';
import { anchorRecord, anchorSchema } from '../anchorRecord.ts';
import { countNumber, decimalText, exactObject, orNull, walletText } from '../answerSchema.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { owedTotal } from '../owedTotal.ts';
import { totalText } from '../vaultRecord.ts';
import * as routes from './nativeRoutes.ts';

export const getSolvency = defineQuery({
  ...routes.getSolvency,
  name: 'getSolvency',
  surface: 'native',
  weight: 1,
  summary: 'What the exchange owes in all, and what its vault held at a final block.',
  parameters: Type.Object({}),
  response: exactObject({
    vault: orNull(walletText('The contract.'), 'null: the operator credits accounts.'),
    deposits: decimalText('Of the vault, or credited by the operator; USDT.'),
    withdrawals: decimalText('Completed ones, USDT.'),
    owed: decimalText('Deposits less withdrawals: all that accounts and funds can claim (BAL-2).'),
    chain: orNull(
      exactObject({
        block: countNumber('A final block.'),
        time: countNumber('Of the block, seconds.'),
        held: decimalText('What the vault held there, USDT.'),
        owed: decimalText('What the exchange owed when it knew all of that block, USDT.'),
        surplus: decimalText('Held less owed; below zero the exchange owes more than there is.'),
      }),
      'null: without a vault, once its exit is open, and where no chain service has compared yet.',
    ),
    anchor: orNull(anchorSchema, 'null: without an anchor, and where this process knows of none.'),
  }),
  query: ({ deployment: { exchange, chain } }) => {
    const owed = owedTotal(exchange);
    const { parked } = vaultFigures(exchange);
    const { withdrawals, deposits } = exchange.funds;
    const standing = chain();
    const holdings = standing?.holdings ?? null;
    return answerJson({
      vault: vaultOf(exchange)?.address ?? null,
      deposits: totalText(deposits + parked),
      withdrawals: totalText(withdrawals),
      owed: totalText(owed),
      chain: holdings && {
        block: holdings.block,
        time: holdings.time,
        held: totalText(holdings.held),
        owed: totalText(holdings.owed),
        surplus: totalText(holdings.held - holdings.owed),
      },
      anchor: anchorRecord(standing),
    });
  },
});
