// What the signers of a vault sign, as EIP-712 types: batches of payments, and anchors. The vault's
// contract computes the same hashes (contracts/vault), and tests compare both.

import { type Hex, hashTypedData, type TypedDataDefinition } from 'viem';

/** A vault: one contract on one chain. */
export type VaultPlace = { readonly chainId: number; readonly vault: Hex };

/** One withdrawal of a batch; units of 1e-6, the deadline in seconds. */
export type Payment = {
  readonly id: Hex;
  readonly to: Hex;
  readonly units: bigint;
  readonly deadline: bigint;
};

/** What the exchange owed at a place of its log; the contract describes each member. */
export type Anchor = {
  readonly epoch: bigint;
  readonly root: Hex;
  readonly sum: bigint;
  readonly deficit: bigint;
  readonly leaves: bigint;
  readonly depositCount: bigint;
  readonly withdrawn: bigint;
  readonly logPosition: bigint;
  readonly logHash: Hex;
  readonly treeHash: Hex;
};

export const vaultTypes = {
  Pay: [{ name: 'payments', type: 'Payment[]' }],
  Payment: [
    { name: 'id', type: 'bytes16' },
    { name: 'to', type: 'address' },
    { name: 'units', type: 'uint64' },
    { name: 'deadline', type: 'uint64' },
  ],
  Anchor: [
    { name: 'epoch', type: 'uint64' },
    { name: 'root', type: 'bytes32' },
    { name: 'sum', type: 'uint64' },
    { name: 'deficit', type: 'uint64' },
    { name: 'leaves', type: 'uint64' },
    { name: 'depositCount', type: 'uint64' },
    { name: 'withdrawn', type: 'uint96' },
    { name: 'logPosition', type: 'uint64' },
    { name: 'logHash', type: 'bytes32' },
    { name: 'treeHash', type: 'bytes32' },
  ],
} as const;

const domainOf = ({ chainId, vault }: VaultPlace) => ({
  name: 'Evermark Vault',
  version: '1',
  chainId,
  verifyingContract: vault,
});

/** What a signer is asked to sign. */
export type ToSign =
  | { readonly action: 'pay'; readonly payments: readonly Payment[] }
  | { readonly action: 'anchor'; readonly anchor: Anchor };

export type VaultTypedData =
  | TypedDataDefinition<typeof vaultTypes, 'Pay'>
  | TypedDataDefinition<typeof vaultTypes, 'Anchor'>;

/** It as EIP-712 data. */
export function typedDataOf(place: VaultPlace, asked: ToSign): VaultTypedData {
  const common = { domain: domainOf(place), types: vaultTypes } as const;
  if (asked.action === 'anchor') {
    return { ...common, primaryType: 'Anchor', message: asked.anchor };
  }
  return { ...common, primaryType: 'Pay', message: { payments: asked.payments } };
}

/** What each signer of it signs. */
export const digestOf = (place: VaultPlace, asked: ToSign): Hex =>
  hashTypedData(typedDataOf(place, asked) as TypedDataDefinition);
