// A node of a chain with Multicall3, aggregators and a contract of prices, behind the HTTP port: it
// takes JSON-RPC apart, answers by the contracts' own encoding, and fails as a test wants.

import { decodeFunctionData, encodeFunctionResult } from 'viem/utils';
import { aggregatorAbi } from '../../../src/feeds/sources/chainlink.ts';
import type { Hex } from '../../../src/feeds/sources/contractOracle.ts';
import { pythAbi } from '../../../src/feeds/sources/pyth.ts';
import { multicallAbi, multicallAddress } from '../../../src/feeds/sources/readContracts.ts';

export type Round = {
  roundId: bigint;
  answer: bigint;
  updatedAt: number;
  answeredInRound: bigint;
  decimals: number;
};

export type Published = { price: bigint; conf: bigint; expo: number; publishTime: number };

export type FakeChain = {
  /** Seconds. */
  blockTime: () => number;
  /** By address in small letters. */
  readonly aggregators: Map<string, Round>;
  readonly pythAddress: string;
  /** By feed id. */
  readonly published: Map<string, Published>;
  /** What a contract of another kind returns to every call, by address in small letters. */
  readonly strangers: Map<string, Hex>;
  /** The answer to a request's body. */
  readonly answer: (body: string) => unknown;
};

export function createFakeChain(
  pythAddress = '0x4305fb66699c3b2702d4d05cf36551390a4c69c6',
): FakeChain {
  const chain: FakeChain = {
    blockTime: () => 0,
    aggregators: new Map(),
    pythAddress,
    published: new Map(),
    strangers: new Map(),
    answer: (body) => {
      const { id, method, params } = JSON.parse(body);
      if (method !== 'eth_call' || params[0].to !== multicallAddress || params[1] !== 'latest') {
        return { jsonrpc: '2.0', id, error: { code: -32601, message: 'not asked for' } };
      }
      return { jsonrpc: '2.0', id, result: aggregate(chain, params[0].data) };
    },
  };
  return chain;
}

type Result = { readonly success: boolean; readonly returnData: Hex };

function aggregate(chain: FakeChain, data: Hex): Hex {
  const call = decodeFunctionData({ abi: multicallAbi, data });
  if (call.functionName !== 'aggregate3') throw new Error('only aggregate3 is asked for');
  const result = call.args[0].map(({ target, callData, allowFailure }): Result => {
    if (!allowFailure) throw new Error('one refusal must not undo the others');
    return answerOne(chain, target.toLowerCase(), callData);
  });
  return encodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', result });
}

const refused: Result = { success: false, returnData: '0x14aebe68' };
/** The result of a call of an address without code. */
const empty: Result = { success: true, returnData: '0x' };
const success = (returnData: Hex): Result => ({ success: true, returnData });

function answerOne(chain: FakeChain, target: string, data: Hex): Result {
  if (target === multicallAddress.toLowerCase()) {
    const functionName = 'getCurrentBlockTimestamp';
    const result = BigInt(chain.blockTime());
    return success(encodeFunctionResult({ abi: multicallAbi, functionName, result }));
  }
  const strange = chain.strangers.get(target);
  if (strange !== undefined) return success(strange);
  if (target === chain.pythAddress.toLowerCase()) {
    const { functionName, args } = decodeFunctionData({ abi: pythAbi, data });
    const found = chain.published.get(args[0]);
    if (found === undefined) return refused;
    const result = { ...found, publishTime: BigInt(found.publishTime) };
    return success(encodeFunctionResult({ abi: pythAbi, functionName, result }));
  }
  const round = chain.aggregators.get(target);
  if (round === undefined) return empty;
  const { functionName } = decodeFunctionData({ abi: aggregatorAbi, data });
  if (functionName === 'decimals') {
    return success(
      encodeFunctionResult({ abi: aggregatorAbi, functionName, result: round.decimals }),
    );
  }
  const { roundId, answer, updatedAt, answeredInRound } = round;
  const at = BigInt(updatedAt);
  const result = [roundId, answer, at, at, answeredInRound] as const;
  return success(encodeFunctionResult({ abi: aggregatorAbi, functionName, result }));
}
