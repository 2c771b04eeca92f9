// The state as the chain service and signers read it: what the vault is compared with, and
// withdrawals that have not ended.

import type { Hex } from 'viem';
import {
  accountById,
  type Exchange,
  type Withdrawal,
  withdrawalById,
  withdrawalsOf,
} from '../engine/views/exchange.ts';
import { payableUntil, vaultFigures } from '../engine/views/vault.ts';
import { must } from '../std/assert.ts';
import type { EngineView, OpenPart, OpenWithdrawal } from './chainEngine.ts';
import { recordOfId, withdrawalId } from './withdrawalId.ts';

/** Cost: the open withdrawals up to the end of the part, and an id for each of the part. */
export function viewOf(exchange: Exchange, { from, count }: OpenPart): EngineView {
  const { depositCount, depositsHash, depositTotal } = vaultFigures(exchange);
  const open: OpenWithdrawal[] = [];
  let openCount = 0;
  for (const withdrawal of withdrawalsOf(exchange)) {
    if (openCount >= from && open.length < count) open.push(openOf(exchange, withdrawal));
    openCount += 1;
  }
  return {
    depositCount: BigInt(depositCount),
    depositsHash: depositsHash as Hex,
    depositTotal,
    completedTotal: exchange.funds.withdrawals,
    openCount,
    open,
  };
}

/** In the order of the ids; undefined for one that is not open. */
export function openByIds(
  exchange: Exchange,
  ids: readonly Hex[],
): readonly (OpenWithdrawal | undefined)[] {
  return ids.map((id) => {
    const record = recordOfId(id);
    const withdrawal = record && withdrawalById(exchange, record.id);
    const isSame = withdrawal !== undefined && withdrawal.createdAt === record?.createdAt;
    return isSame ? openOf(exchange, withdrawal) : undefined;
  });
}

/** units = amount − fee (VLT-5) */
function openOf(exchange: Exchange, withdrawal: Withdrawal): OpenWithdrawal {
  const { id, account, amount, fee, createdAt, state } = withdrawal;
  const { address } = must(accountById(exchange, account), 'a withdrawal has an account');
  return {
    id: withdrawalId(createdAt, id),
    to: address as Hex,
    units: BigInt(amount - fee),
    deadline: BigInt(payableUntil(createdAt)),
    state,
  };
}
