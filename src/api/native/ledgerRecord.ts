// A row of a ledger as the native surface shows it (BAL-3): of an account or of the insurance fund.

import type { Static } from 'typebox';
import { type LedgerRow, ledgerKinds } from '../../history/rows.ts';
import { formatUuid } from '../../units/uuid.ts';
import {
  countNumber,
  decimalText,
  exactObject,
  idText,
  namedAnswerSchema,
  orNull,
  symbolText,
  timeNumber,
  wordsText,
} from '../answerSchema.ts';
import type { Deployment } from '../deployment.ts';
import { moneyText } from '../grid.ts';
import { marketOf } from '../orderAnswer.ts';

export const ledgerSchema = namedAnswerSchema(
  'LedgerRow',
  exactObject({
    id: idText('Of the row; a list can begin at it.'),
    kind: wordsText(ledgerKinds),
    symbol: orNull(symbolText()),
    amount: decimalText('What was added; negative: taken.'),
    balance: decimalText('Afterwards: the sum of all rows so far.'),
    tran_id: orNull(idText()),
    trade_id: orNull(countNumber()),
    time: timeNumber(),
  }),
);

export function ledgerRecord(deployment: Deployment, row: LedgerRow): Static<typeof ledgerSchema> {
  return {
    id: formatUuid(row.time, row.id),
    kind: row.kind,
    symbol: row.market < 0 ? null : marketOf(deployment, row).symbol,
    amount: moneyText(row.amount),
    balance: moneyText(row.balance),
    tran_id: row.event === 0 ? null : formatUuid(row.time, row.event),
    trade_id: row.tradeId === 0 ? null : row.tradeId,
    time: row.time,
  };
}
