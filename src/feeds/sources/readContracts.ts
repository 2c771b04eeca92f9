// Reads contracts of a chain: all calls of a round as one `eth_call` of the contract Multicall3. So
// they all see the same block, and the block's time comes with them. The description of a failure
// never contains the node's address, which may contain a key.

import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils';
import type { ContractCall, Hex } from './contractOracle.ts';
import type { FetchText } from './fetchText.ts';
import { jsonMember, parseJsonText } from './jsonMember.ts';

/**
 * Multicall3 has this address on every chain that has the contract, also on the chains of this
 * exchange.
 */
export const multicallAddress: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';
export const multicallAbi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Result[] results)',
  'function getCurrentBlockTimestamp() view returns (uint256 timestamp)',
]);

export type ContractsRead =
  | {
      readonly kind: 'read';
      /** The time of the block, seconds since the Unix epoch. */
      readonly blockTime: number;
      /** The result of each call; undefined when the contract refused it. */
      readonly returned: readonly (Hex | undefined)[];
    }
  /** `problem` ends a sentence. */
  | { readonly kind: 'failed'; readonly problem: string; readonly retryAfterMs: number };

export type ReadContracts = {
  readonly rpcUrl: string;
  readonly calls: readonly ContractCall[];
  readonly fetchText: FetchText;
  readonly signal: AbortSignal;
};

const abi = multicallAbi;

/** Never rejects. */
export async function readContracts(options: ReadContracts): Promise<ContractsRead> {
  const { rpcUrl: url, fetchText, signal } = options;
  const answer = await fetchText({ url, body: requestBody(options.calls), signal });
  if (answer.kind === 'failed') return failed(answer.problem);
  const { status, retryAfterMs } = answer;
  if (status !== 200) return failed(`it answers with status ${status}`, retryAfterMs);
  const message = parseJsonText(answer.text);
  const code = jsonMember(jsonMember(message, 'error'), 'code');
  if (Number.isSafeInteger(code)) return failed(`it answers with the error ${code}`);
  const data = jsonMember(message, 'result');
  if (data === '0x') return failed('the chain has no Multicall3');
  try {
    return readResults(data as Hex, options.calls.length);
  } catch {
    return failed('its answer is malformed');
  }
}

function requestBody(calls: readonly ContractCall[]): string {
  const timestamp = encodeFunctionData({ abi, functionName: 'getCurrentBlockTimestamp' });
  const data = encodeFunctionData({
    abi,
    functionName: 'aggregate3',
    args: [
      [{ target: multicallAddress, data: timestamp }, ...calls].map((call) => ({
        target: call.target,
        allowFailure: true,
        callData: call.data,
      })),
    ],
  });
  const params = [{ to: multicallAddress, data }, 'latest'];
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params });
}

/** Throws when `data` is not an answer of Multicall3 to that many calls. */
function readResults(data: Hex, count: number): ContractsRead {
  const [first, ...others] = decodeFunctionResult({ abi, functionName: 'aggregate3', data });
  if (first?.success !== true || others.length !== count) return failed('its answer is malformed');
  const functionName = 'getCurrentBlockTimestamp';
  const timestamp = decodeFunctionResult({ abi, functionName, data: first.returnData });
  // A call of an address without code succeeds and returns nothing.
  const returned = others.map(({ success, returnData }) =>
    success && returnData !== '0x' ? returnData : undefined,
  );
  return { kind: 'read', blockTime: Number(timestamp), returned };
}

const failed = (problem: string, retryAfterMs = 0): ContractsRead => ({
  kind: 'failed',
  problem,
  retryAfterMs,
});
