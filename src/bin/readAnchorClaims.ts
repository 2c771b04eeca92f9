// The trees and anchors with which `evermark verify --anchors` compares the log: the published
// files of the data directory, and all anchors of the vault where nodes of its chain are named.

import type { Hex } from 'viem';
import { type Config, ConfigError } from '../config.ts';
import { listTrees } from '../solvency/writeTree.ts';
import { fileDisk } from '../std/disk.ts';
import type { AnchorClaims, ChainAnchors } from './createAnchorCheck.ts';
import type { DataDirectory } from './dataDirectory.ts';

/** Takes `--anchors` out of the arguments. */
export function takeAnchorsOption(args: readonly string[]): {
  readonly rest: readonly string[];
  readonly isAsked: boolean;
} {
  return { rest: args.filter((each) => each !== '--anchors'), isAsked: args.includes('--anchors') };
}

/** Throws `ConfigError`; rejects when nodes do not answer, or differ. */
export async function readAnchorClaims(
  config: Pick<Config, 'vault' | 'rpc'>,
  { chainId, trees }: Pick<DataDirectory, 'chainId' | 'trees'>,
): Promise<AnchorClaims> {
  const files = { disk: fileDisk, directory: trees };
  const chain = await readChain(config);
  return { chainId, files, filed: listTrees(files), chain };
}

async function readChain({
  vault,
  rpc,
}: Pick<Config, 'vault' | 'rpc'>): Promise<ChainAnchors | undefined> {
  if (vault === '' && rpc === '') return undefined;
  if (vault === '' || rpc === '') {
    throw new ConfigError(
      '--anchors needs both of --vault and --rpc, or none for the files alone.',
    );
  }
  const { readAnchorLog } = await import('../chain/rpc/readAnchorLog.ts');
  const address = vault.toLowerCase() as Hex;
  return { vault: address, anchors: await readAnchorLog(rpc.split(','), address) };
}
