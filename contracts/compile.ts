// Compiles the contracts by npm's solc, with settings that give the same bytes everywhere: no hash
// of sources or paths is in them. It knows neither the committed artifacts nor a chain.

import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** The contracts whose artifacts are committed, by the file that holds each of them. */
export const compiled: Readonly<Record<string, string>> = {
  EvermarkVault: 'contracts/vault/EvermarkVault.sol',
  TestUsdt: 'contracts/tokens/TestUsdt.sol',
  HostileToken: 'contracts/tokens/HostileToken.sol',
  WithdrawalReader: 'contracts/vault/WithdrawalReader.sol',
};

export const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
} as const;

/** A compiled contract as it is committed. */
export type Artifact = {
  readonly contract: string;
  readonly compiler: string;
  readonly settings: typeof settings;
  /** Bytes of code that the contract has on a chain; at most 24,576 are allowed there. */
  readonly size: number;
  readonly abi: readonly unknown[];
  readonly bytecode: `0x${string}`;
};

type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly abi: readonly unknown[];
            readonly evm: {
              readonly bytecode: { readonly object: string };
              readonly deployedBytecode: { readonly object: string };
            };
          }
        >
      >
    >
  >;
};

type Solc = {
  readonly version: () => string;
  readonly compile: (input: string, callbacks: { import: (path: string) => unknown }) => string;
};

/** The sources of the repository by path from its root; a test replaces some of them. */
export function readSources(): Record<string, string> {
  const paths = globSync('contracts/{vault,tokens}/*.sol', { cwd: root });
  return Object.fromEntries(
    paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
}

/**
 * Compiles `names`, of the contracts above. Throws on warnings, too, unless they are
 * allowed. Cost: seconds, because the
 * compiler is WebAssembly and is loaded anew.
 */
export function compile(
  sources: Record<string, string>,
  names: readonly string[],
  allowWarnings = false,
): Artifact[] {
  const solc = createRequire(import.meta.url)('solc') as Solc;
  const wanted = names.map((name) => [compiled[name]!, name] as const);
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(wanted.map(([path]) => [path, { content: sources[path] }])),
    settings: {
      ...settings,
      outputSelection: Object.fromEntries(
        wanted.map(([path, name]) => [
          path,
          { [name]: ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
        ]),
      ),
    },
  };
  const find = (path: string): unknown => {
    const own = sources[path];
    if (own !== undefined) return { contents: own };
    if (!path.startsWith('@openzeppelin/')) return { error: `${path} is not a source` };
    return { contents: readFileSync(join(root, 'node_modules', path), 'utf8') };
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: find })) as Output;
  const problems = (output.errors ?? []).filter(
    ({ severity }) => severity === 'error' || (severity === 'warning' && !allowWarnings),
  );
  if (problems.length > 0) {
    throw new Error(problems.map(({ formattedMessage }) => formattedMessage).join('\n'));
  }
  return wanted.map(([path, name]) => {
    const { abi, evm } = output.contracts![path]![name]!;
    const bytecode = `0x${evm.bytecode.object}` as const;
    const size = evm.deployedBytecode.object.length / 2;
    return { contract: name, compiler: solc.version(), settings, size, abi, bytecode };
  });
}

/** The committed text of an artifact. */
export function artifactText(artifact: Artifact): string {
  const { abi, ...rest } = artifact;
  const entries = abi.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n');
  const head = JSON.stringify(rest, null, 2).slice(0, -2);
  return `${head},\n  "abi": [\n${entries}\n  ]\n}\n`;
}

/** Where the artifact of a contract is committed. */
export const artifactPath = (name: string): string =>
  join(root, 'contracts', 'artifacts', `${name}.json`);
