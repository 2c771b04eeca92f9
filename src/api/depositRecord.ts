// A deposit as answers and the channel `account` show it (NAT-3), with its place on the chain.

import { type Static, Type } from 'typebox';
import { vaultOf } from '../engine/views/vault.ts';
import type { DepositRow } from '../history/rows.ts';
import { formatUuid } from '../units/uuid.ts';
import {
  countNumber,
  decimalText,
  exactObject,
  idText,
  namedAnswerSchema,
  orNull,
  plainText,
  timeNumber,
} from './answerSchema.ts';
import { moneyText } from './grid.ts';
import { type ChainView, placeMembers, placeOf } from './placeMembers.ts';

export const depositSchema = namedAnswerSchema(
  'Deposit',
  exactObject({
    id: idText(),
    amount: decimalText('USDT; below 0 when a credit was corrected (OPS-1b).'),
    reference: plainText('Of the credit, or of its correction.'),
    time: timeNumber(),
    chain: orNull(
      exactObject({
        vault_index: orNull(
          countNumber('The index that the vault gave it (VLT-2).'),
          'null: money of one or more deposits that was parked (VLT-3).',
        ),
        ...placeMembers,
        final: Type.Literal(true, { description: 'Only deposits in final blocks are credited.' }),
      }),
      'null: without a vault.',
    ),
  }),
);

export type DepositRecord = Static<typeof depositSchema>;

export function depositRecord(
  view: ChainView,
  { id, amount, reference, time }: Omit<DepositRow, 'account'>,
): DepositRecord {
  const shown = { id: formatUuid(time, id), amount: moneyText(amount), reference, time };
  if (vaultOf(view.exchange) === undefined) return { ...shown, chain: null };
  const digits = /^vault:(\d+)$/.exec(reference)?.[1];
  const index = digits === undefined ? null : Number(digits);
  const place = index === null ? undefined : view.chain()?.depositAt(index);
  return { ...shown, chain: { vault_index: index, ...placeOf(place), final: true } };
}
