// What is said of an address that is no vault of this version: a node of the test's own answers for
// a contract without some functions.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeFunctionResult, type Hex, toFunctionSelector, zeroHash } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { readVault } from '../../src/chain/rpc/readVault.ts';
import { vaultAbi as abi } from '../../src/chain/rpc/vaultAbi.ts';

const address: Hex = `0x${'ab'.repeat(20)}`;
const anchor = {
  ...{ epoch: 0n, root: zeroHash, sum: 0n, deficit: 0n, leaves: 0n, depositCount: 0n },
  ...{ withdrawn: 0n, logPosition: 0n, logHash: zeroHash, treeHash: zeroHash },
};
const results: Readonly<Record<string, unknown>> = {
  ...{ token: address, scale: 1000n, depositCount: 0n, depositsHash: zeroHash, paidTotal: 0n },
  ...{ paused: false, exitOpenedAt: 0n, signers: [address], threshold: 1n, queueGeneration: 0n },
  ...{ lastAnchor: anchor, exitSilence: 5n, epoch: 0n },
};

/** Answers for the functions whose names are not there, as a contract without them does. */
async function serve(absent: readonly string[], isEmpty = false): Promise<string> {
  const selectors = new Map(
    abi.flatMap((item) =>
      item.type === 'function' ? [[toFunctionSelector(item), item.name]] : [],
    ) as [string, string][],
  );
  const answer = (method: string, params: readonly { data: string }[]): object => {
    if (method === 'eth_chainId') return { result: '0xa869' };
    if (method === 'eth_getCode') return { result: isEmpty ? '0x' : '0x6001' };
    const functionName = selectors.get(params[0]!.data.slice(0, 10))!;
    if (absent.includes(functionName)) return { error: { code: 3, message: 'reverted' } };
    const result = results[functionName];
    return { result: encodeFunctionResult({ abi, functionName, result } as never) };
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const calls = JSON.parse(body) as { id: number; method: string; params: never }[];
    response.end(
      JSON.stringify(calls.map(({ id, method, params }) => ({ id, ...answer(method, params) }))),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('VLT-1 an address that is no vault says what was found there', async () => {
  const read = async (absent: readonly string[], isEmpty = false) =>
    readVault([await serve(absent, isEmpty)], address);
  expect(await read([])).toMatchObject({ chainId: 43113, token: address, tokenDecimals: 9 });
  await expect(read([], true)).rejects.toThrow('no code was found there');
  await expect(read(['token', 'scale', 'paused'])).rejects.toThrow(
    'the code of another contract was found there, 2 bytes with the hash 0x',
  );
  await expect(read(['lastAnchor', 'epoch'])).rejects.toThrow(
    /the code of another version was found there, .*, which does not answer lastAnchor, epoch$/,
  );
});
