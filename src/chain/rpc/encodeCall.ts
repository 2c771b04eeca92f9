// A call of the vault as the bytes of a transaction.

import { encodeFunctionData, type Hex } from 'viem';
import type { VaultCall } from '../vaultNode.ts';
import { vaultAbi as abi } from './vaultAbi.ts';

export function encodeCall(call: VaultCall): Hex {
  if (call.kind === 'report') {
    const { sequence, from, to, digest } = call.report;
    return encodeFunctionData({ abi, functionName: 'report', args: [sequence, from, to, digest] });
  }
  if (call.kind === 'anchor') {
    const { anchor, signatures } = call;
    return encodeFunctionData({ abi, functionName: 'anchor', args: [anchor, signatures] });
  }
  if (call.kind !== 'pay') {
    return encodeFunctionData({ abi, functionName: call.kind, args: [call.ids] });
  }
  const { payments, signatures } = call;
  return encodeFunctionData({ abi, functionName: 'pay', args: [payments, signatures] });
}
