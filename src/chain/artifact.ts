// The committed artifact of a contract: what it can do, and the code that deploys or runs it.
// test/contracts/compile.test.ts compares it with the source.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Abi, Hex } from 'viem';

export type Artifact = { readonly abi: Abi; readonly bytecode: Hex };

export type ArtifactName = 'EvermarkVault' | 'TestUsdt' | 'HostileToken' | 'WithdrawalReader';

const committed = join(import.meta.dirname, '../../contracts/artifacts');

export function readArtifact(name: ArtifactName, folder = committed): Artifact {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Artifact;
}
