// What a contract gave back when it reverted, which stands in the error of a node.

import { type Abi, decodeErrorResult, type Hex } from 'viem';

export type Revert = { readonly name: string; readonly shown: string };

/** Undefined when the error is another one. */
export function revertOf(error: Error, abi: Abi): Revert | undefined {
  const data = /"(0x[0-9a-f]{8,})"/.exec(error.message)?.[1];
  if (data === undefined) return undefined;
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi, data: data as Hex });
    return { name: errorName, shown: `${errorName}(${args.join(', ')})` };
  } catch {
    return undefined;
  }
}
