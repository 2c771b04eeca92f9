// What the actions of `evermark chain` get that need no exchange, and a key of this machine with
// nodes of the chain for those that send a transaction.

import type { Hex } from 'viem';
import { readNodeUrls } from '../chain/nodeUrls.ts';
import type { VerbIo } from './operatorVerb.ts';
import { readKeyFile } from './readSigner.ts';

/** Without the action itself. */
export type Given = {
  readonly words: readonly string[];
  readonly rpc: string | undefined;
  readonly key: string | undefined;
  /** All that have a value. */
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly io: VerbIo;
};

/** Gives what is printed; undefined when the arguments do not match the usage. */
export type Action = (given: Given) => Promise<unknown> | undefined;

export type Hand = {
  readonly urls: readonly string[];
  readonly chainId: number;
  readonly key: Hex;
};

export function withKey(
  { rpc, key }: Pick<Given, 'rpc' | 'key'>,
  act: (hand: Hand) => Promise<unknown>,
): Promise<unknown> | undefined {
  if (rpc === undefined || key === undefined) return undefined;
  const urls = readNodeUrls(rpc);
  const read = readKeyFile(key);
  return import('../chain/rpc/sendByHand.ts')
    .then(({ readChainId }) => readChainId(urls))
    .then((chainId) => act({ urls, chainId, key: read }));
}
