// What the vault has paid, by its events: the judge of the benchmark, which trusts no other count.

import { type Hex, parseEventLogs } from 'viem';
import type { Receipt } from '../../contracts/openLocalChain.ts';
import type { Vault } from '../../contracts/openVault.ts';
import { readArtifact } from '../../contracts/readArtifact.ts';

export type Payments = {
  /** The block of each payment, by the vault's id. */
  readonly blocks: ReadonlyMap<Hex, number>;
  /** Payments of an id that was paid before. */
  readonly twice: number;
  readonly transactions: number;
  readonly gas: number;
};

type Log = Receipt['logs'][number] & { readonly transactionHash: Hex };

/** Of all blocks so far. */
export async function readPayments({ chain, vault }: Vault): Promise<Payments> {
  const { abi } = readArtifact('EvermarkVault');
  const filter = { address: vault.address, fromBlock: '0x0', toBlock: 'latest' };
  const logs = (await chain.ask('eth_getLogs', filter)) as readonly Log[];
  const paid = parseEventLogs({ abi, logs: logs as never, eventName: 'Paid', strict: true });
  const blocks = new Map<Hex, number>();
  for (const { args, blockNumber } of paid) {
    blocks.set((args as unknown as { readonly id: Hex }).id, Number(blockNumber));
  }
  const hashes = new Set(paid.map(({ transactionHash }) => transactionHash));
  let gas = 0;
  for (const hash of hashes) {
    const receipt = (await chain.ask('eth_getTransactionReceipt', hash)) as Receipt;
    gas += Number(receipt.gasUsed);
  }
  return { blocks, twice: paid.length - blocks.size, transactions: hashes.size, gas };
}
