// All reports of a vault up to the final block of a node, read backwards from its events until the
// first one. The vault's storage counts them, so a node that leaves one out is found.

import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import type { Report } from '../report/report.ts';
import { readReports } from './createReportReads.ts';
import { createRpc, type Rpc } from './createRpc.ts';
import { vaultAbi as abi } from './vaultAbi.ts';

const limits = { timeoutMs: 30_000, bytesMax: 20_000_000 };
const windowBlocks = 2000n;

/** Ascending by number. Rejects when a node does not answer, or two of them differ. */
export async function readReportLog(
  urls: readonly string[],
  vault: Hex,
): Promise<readonly Report[]> {
  const nodes = urls.map((url) => createRpc({ url, ...limits }));
  const heads = await Promise.all(nodes.map(finalBlockOf));
  // The block that is final for all.
  const final = heads.reduce((least, head) => (head < least ? head : least));
  const found = await Promise.all(nodes.map((rpc) => readFrom(rpc, vault, final)));
  const [first] = found.map(textOf);
  if (found.some((each) => textOf(each) !== first)) {
    throw new Error('the nodes do not agree on the reports');
  }
  return found[0]!;
}

const textOf = (reports: readonly Report[]): string =>
  JSON.stringify(reports, (_, value) => (typeof value === 'bigint' ? `${value}` : value));

async function finalBlockOf(rpc: Rpc): Promise<bigint> {
  const [block] = await rpc([{ method: 'eth_getBlockByNumber', params: ['finalized', false] }]);
  return BigInt((block as { readonly number: Hex }).number);
}

async function readFrom(rpc: Rpc, vault: Hex, final: bigint): Promise<readonly Report[]> {
  const data = encodeFunctionData({ abi, functionName: 'reportCount' });
  const at = `0x${final.toString(16)}`;
  const [answer] = await rpc([{ method: 'eth_call', params: [{ to: vault, data }, at] }]);
  const count = decodeFunctionResult({ abi, functionName: 'reportCount', data: answer as Hex });
  const found: Report[] = [];
  for (let to = final; BigInt(found.length) < count && to >= 0n; to -= windowBlocks) {
    const from = to < windowBlocks ? 0n : to - windowBlocks + 1n;
    found.push(...(await readReports(rpc, vault, { from, to })).toReversed());
  }
  const reports = found.toReversed();
  const isDense = reports.every(({ sequence }, at) => sequence === BigInt(at + 1));
  if (BigInt(reports.length) !== count || !isDense) {
    throw new Error(`the vault has ${count} reports, and the node's events show others`);
  }
  return reports;
}
