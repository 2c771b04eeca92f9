// The committed artifact of a contract. A campaign that tries mutants of the contracts names
// another folder in EVERMARK_ARTIFACTS.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Abi, Hex } from 'viem';

type Compiled = { readonly abi: Abi; readonly bytecode: Hex };

export function readArtifact(name: 'EvermarkVault' | 'TestUsdt' | 'HostileToken'): Compiled {
  const folder = process.env.EVERMARK_ARTIFACTS ?? join(import.meta.dirname, 'artifacts');
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Compiled;
}
