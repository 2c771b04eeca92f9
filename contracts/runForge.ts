// Runs forge over the vault and its invariants (contracts/forge), offline, with npm's solc and the
// settings of the committed artifacts, in a project of its own that ends with the run.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { settings } from './compile.ts';

const root = resolve(import.meta.dirname, '..');
const timeoutMs = 1_800_000;

/** Where the binary is; undefined on platforms that have none. */
export function findForge(): string | undefined {
  try {
    const name = '@foundry-rs/forge-linux-amd64/package.json';
    return join(dirname(createRequire(import.meta.url).resolve(name)), 'bin', 'forge');
  } catch {
    return undefined;
  }
}

export type Campaign = {
  /** Sequences of calls for each invariant. */
  readonly runs: number;
  /** Calls in each of them. */
  readonly depth: number;
  readonly seed: number;
  /** Sources by their path from the root of the repository, in place of those there. */
  readonly changed?: Readonly<Record<string, string>>;
};

export type CampaignResult = {
  /** The invariants that held, and those that did not, with the broken promise. */
  readonly held: readonly string[];
  readonly broken: readonly { readonly name: string; readonly reason: string }[];
  /** What forge has printed beside its result. */
  readonly log: string;
};

type Suite = {
  readonly test_results: Readonly<
    Record<string, { readonly status: string; readonly reason: string | null }>
  >;
};

/** Throws when the sources do not compile or forge does not run to its end. */
export function runForge({ runs, depth, seed, changed = {} }: Campaign): CampaignResult {
  const forge = findForge();
  if (forge === undefined) throw new Error('npm has no forge for this platform');
  const project = mkdtempSync(join(tmpdir(), 'evermark-forge-'));
  try {
    for (const folder of ['vault', 'tokens', 'forge']) {
      cpSync(join(root, 'contracts', folder), join(project, 'contracts', folder), {
        recursive: true,
      });
    }
    for (const [path, text] of Object.entries(changed)) writeFileSync(join(project, path), text);
    mkdirSync(join(project, 'lib'));
    const packages = join(root, 'node_modules/@openzeppelin');
    symlinkSync(packages, join(project, 'lib/@openzeppelin'));
    writeFileSync(join(project, 'foundry.toml'), configuration({ runs, depth, seed }));
    const { stdout, stderr, status } = spawnSync(forge, ['test', '--json', '--allow-failure'], {
      ...{ cwd: project, encoding: 'utf8', timeout: timeoutMs, maxBuffer: 2 ** 28 },
      env: { PATH: process.env.PATH, HOME: project, FOUNDRY_DISABLE_NIGHTLY_WARNING: '1' },
    });
    const line = stdout.split('\n').find((each) => each.startsWith('{'));
    if (line === undefined) throw new Error(`forge ended with ${status}: ${stdout}${stderr}`);
    const results = Object.values(JSON.parse(line) as Record<string, Suite>).flatMap((suite) =>
      Object.entries(suite.test_results),
    );
    const isHeld = ([, { status: each }]: (typeof results)[number]): boolean => each === 'Success';
    return {
      held: results.filter(isHeld).map(([name]) => name),
      broken: results
        .filter((each) => !isHeld(each))
        .map(([name, { reason }]) => ({ name, reason: reason ?? '' })),
      log: stderr,
    };
  } finally {
    rmSync(project, { recursive: true });
  }
}

/** forge's settings. A call of the handler that reverts is a broken promise. */
function configuration({ runs, depth, seed }: Omit<Campaign, 'changed'>): string {
  const { evmVersion, optimizer, metadata } = settings;
  return `[profile.default]
src = "contracts"
test = "contracts/forge"
libs = []
remappings = ["@openzeppelin/=lib/@openzeppelin/"]
auto_detect_remappings = false
solc = "${join(root, 'contracts/solcForForge.mjs')}"
offline = true
evm_version = "${evmVersion}"
optimizer = ${optimizer.enabled}
optimizer_runs = ${optimizer.runs}
bytecode_hash = "${metadata.bytecodeHash}"
cbor_metadata = ${metadata.appendCBOR}
allow_paths = ["${root}"]

[profile.default.fuzz]
seed = "0x${seed.toString(16)}"

[profile.default.invariant]
runs = ${runs}
depth = ${depth}
fail_on_revert = true
shrink_run_limit = 0
`;
}
