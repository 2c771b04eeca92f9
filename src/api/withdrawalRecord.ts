// A withdrawal as the native and the operator's surface show it (NAT-3). A pending one comes from
// the state, an ended one from its row.

import { type Static, Type } from 'typebox';
import type { Account } from '../engine/views/account.ts';
import { type Withdrawal, withdrawalById } from '../engine/views/exchange.ts';
import { payableUntil, vaultOf } from '../engine/views/vault.ts';
import type { WithdrawalRow } from '../market-data/withdrawals.ts';
import { must } from '../std/assert.ts';
import type { OrderId, Time } from '../units/units.ts';
import { formatUuid } from '../units/uuid.ts';
import {
  countNumber,
  decimalText,
  exactObject,
  idText,
  namedAnswerSchema,
  orNull,
  secondsNumber,
  timeNumber,
  walletText,
  wordsText,
} from './answerSchema.ts';
import type { Deployment, WithdrawalPlace } from './deployment.ts';
import { enumerations } from './enumerations.ts';
import { moneyText } from './grid.ts';
import { type HistoryFailure, hasFailed } from './historyPort.ts';
import { type ChainView, placeMembers, placeOf } from './placeMembers.ts';

/** How far a withdrawal has come with a vault (VLT-4). */
const chainStatuses = ['requested', 'sent', 'queued', 'completed', 'released'] as const;

export const withdrawalSchema = namedAnswerSchema(
  'Withdrawal',
  exactObject({
    id: idText(),
    amount: decimalText('USDT.'),
    status: enumerations.withdrawalStatus,
    address: walletText("The account's own wallet."),
    time: timeNumber(),
    update_time: timeNumber('When it ended; while it is pending, `time`.'),
    chain: orNull(
      exactObject({
        status: wordsText(
          chainStatuses,
          'sent: signers are asked. queued: the vault pays it after a delay (VLT-4).',
        ),
        vault_id: Type.String({
          pattern: '^0x[0-9a-f]{32}$',
          description: 'By which the vault knows it.',
        }),
        pay_until: countNumber('When the vault may take it up at the latest, seconds.'),
        ready_at: orNull(
          secondsNumber(),
          'When the vault may pay it; null: not queued, or not known.',
        ),
        ...placeMembers,
        final: Type.Boolean({ description: 'Whether a final block has ended it.' }),
      }),
      'null: without a vault.',
    ),
  }),
);

export type WithdrawalRecord = Static<typeof withdrawalSchema>;

export function withdrawalRecord(
  view: ChainView,
  row: WithdrawalRow,
  address: string,
): WithdrawalRecord {
  const id = formatUuid(row.createdAt, row.id);
  return {
    id,
    amount: moneyText(row.amount),
    status: row.status,
    address,
    time: row.createdAt,
    update_time: row.status === 'pending' ? row.createdAt : row.resolvedAt,
    chain: vaultOf(view.exchange) === undefined ? null : chainMember(view, row, id),
  };
}

function chainMember(
  { exchange, chain }: ChainView,
  { id, status: ended, createdAt }: WithdrawalRow,
  uuid: string,
): WithdrawalRecord['chain'] {
  // The same as chain/withdrawalId.ts.
  const vaultId = `0x${uuid.replaceAll('-', '')}`;
  const isPending = ended === 'pending';
  const status = isPending ? (withdrawalById(exchange, id)?.state ?? 'requested') : ended;
  const found = chain()?.withdrawalAt(vaultId);
  // Only what fits the log is shown: an event of another state may be late, early or false.
  const place = found !== undefined && statusOf[found.event] === status ? found : undefined;
  return {
    ...{ status, vault_id: vaultId, pay_until: payableUntil(createdAt) },
    ready_at: place?.readyAt ?? null,
    ...placeOf(place),
    final: !isPending,
  };
}

const statusOf = {
  paid: 'completed',
  failed: 'released',
  cancelled: 'released',
  queued: 'queued',
} as const satisfies Record<WithdrawalPlace['event'], (typeof chainStatuses)[number]>;

/** The row of a withdrawal that waits for the chain. */
export function pendingRow({ id, account, amount, createdAt }: Withdrawal): WithdrawalRow {
  return { id, account, amount, createdAt, status: 'pending', resolvedAt: 0 as Time };
}

/** An ended withdrawal of this account. */
export async function findEndedWithdrawal(
  { withdrawalsOf }: Deployment,
  account: Account,
  { id, createdAt }: { readonly id: OrderId; readonly createdAt: Time },
): Promise<WithdrawalRow | HistoryFailure> {
  const rows = await withdrawalsOf(account.id, { from: { id, createdAt }, limit: 1 });
  return hasFailed(rows)
    ? rows
    : must(rows[0], 'a withdrawal that was requested is known for ever');
}
