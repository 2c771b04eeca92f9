// What the vault knows of many withdrawals, in one call of a node: it runs WithdrawalReader.sol,
// which is deployed nowhere.

import { encodeDeployData, type Hex } from 'viem';
import { readArtifact } from '../artifact.ts';
import { type PaymentRecord, paymentStates } from '../vaultNode.ts';
import { BadAnswer, type Rpc } from './createRpc.ts';
import { atBlock, type VaultReader } from './createVaultReader.ts';

type ReadRecords = (
  block: Hex | 'latest',
  ids: readonly Hex[],
) => Promise<readonly PaymentRecord[]>;

/**
 * A node that knows no calls without a recipient is asked for each id, which takes it many times
 * as long. A node that is away is asked once.
 */
export function createWithdrawalReads(rpc: Rpc, vault: Hex, reader: VaultReader): ReadRecords {
  const artifact = readArtifact('WithdrawalReader');
  return async (block, ids) => {
    const data = encodeDeployData({ ...artifact, args: [vault, ids] });
    try {
      const [words] = await rpc([{ method: 'eth_call', params: [{ data }, atBlock(block)] }]);
      return recordsOf(words, ids.length);
    } catch (error) {
      if (!(error instanceof BadAnswer)) throw error;
    }
    const calls = ids.map((id) => ({ functionName: 'withdrawalOf', args: [id] }));
    return (await reader.ask(block, calls)).map(recordOfWords);
  };
}

const packed = /0{6}([0-9a-f]{2})([0-9a-f]{16})([0-9a-f]{40})/gi;
const words = /^0x0{24}([0-9a-f]{40})([0-9a-f]{64})([0-9a-f]{64})$/i;

/** A word for each record: state, units and address. viem would make a checksum of each address. */
function recordsOf(data: unknown, count: number): PaymentRecord[] {
  const found = [...String(data).slice(2).matchAll(packed)];
  // They cover the whole answer, so none begins elsewhere.
  if (found.length !== count || String(data).length !== 2 + 64 * count) throw notOne(data);
  return found.map(([, state, units, to]) => recordOf({ state, units, to }, data));
}

/** Address, units and state, a word each. */
function recordOfWords(data: unknown): PaymentRecord {
  const [, to, units, state] = words.exec(String(data)) ?? [];
  return recordOf({ state, units, to }, data);
}

type Digits = { readonly [part in 'state' | 'units' | 'to']: string | undefined };

function recordOf({ state, units, to }: Digits, data: unknown): PaymentRecord {
  const name = paymentStates[Number(`0x${state}`)];
  if (name === undefined) throw notOne(data);
  return { to: `0x${to!.toLowerCase()}`, units: BigInt(`0x${units}`), state: name };
}

const notOne = (data: unknown): Error => new BadAnswer(`${data} is no record of a withdrawal`);
