// The vault of a deployment as readers see it (VLT-1): which one it is, how far its deposits are
// counted, and what a withdrawal costs.

import type { Money, Time } from '../../units/units.ts';
import {
  type VaultBinding as BindingState,
  payableUntil as payableState,
  type WithdrawalState as State,
} from '../vaultLedger.ts';
import type { Exchange } from './exchange.ts';
import { stateOf } from './stateOf.ts';

export type VaultBinding = Readonly<BindingState>;
export type WithdrawalState = State;

export type VaultFigures = {
  readonly depositCount: number;
  readonly depositsHash: string;
  readonly depositTotal: bigint;
  /** Of all wallets (VLT-3). */
  readonly parked: bigint;
  readonly parkedWallets: number;
};

export type WithdrawalTerms = { readonly min: Money; readonly fee: Money };

/** Undefined when the operator credits accounts. */
export function vaultOf(exchange: Exchange): VaultBinding | undefined {
  return stateOf.exchange(exchange).vault.binding ?? undefined;
}

export function vaultFigures(exchange: Exchange): VaultFigures {
  const { vault, funds } = stateOf.exchange(exchange);
  const { binding, depositCount, depositsHash, depositTotal, parked } = vault;
  const credited = binding === null ? 0n : funds.deposits;
  return {
    depositCount,
    depositsHash,
    depositTotal,
    parked: depositTotal - credited,
    parkedWallets: parked.size,
  };
}

/** What waits for room for this wallet (VLT-3). */
export function parkedFor(exchange: Exchange, address: string): bigint {
  return stateOf.exchange(exchange).vault.parked.get(address) ?? 0n;
}

/** Of the next request (VLT-5). */
export function withdrawalTermsOf(exchange: Exchange): WithdrawalTerms {
  const { withdrawalMin, withdrawalFee } = stateOf.exchange(exchange).vault;
  return { min: withdrawalMin, fee: withdrawalFee };
}

/** The last second in which the vault may begin to pay a withdrawal of this time (VLT-4). */
export function payableUntil(createdAt: Time): number {
  return payableState(createdAt);
}
