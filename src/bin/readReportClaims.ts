// The reports with which `evermark verify --reports` compares the log: those of the vault, from
// nodes of its chain, or a list in a file.

import { readFileSync } from 'node:fs';
import type { Hex } from 'viem';
import type { Report } from '../archivist/report/report.ts';
import { type Config, ConfigError } from '../config.ts';
import type { ReportClaims } from './createReportCheck.ts';

/** Takes `--reports [FILE]` out of the arguments; `source` is undefined without it. */
export function takeReportsOption(args: readonly string[]): {
  readonly rest: readonly string[];
  readonly source: { readonly file: string | undefined } | undefined;
} {
  const at = args.indexOf('--reports');
  if (at < 0) return { rest: args, source: undefined };
  const next = args[at + 1];
  const file = next === undefined || next.startsWith('-') ? undefined : next;
  const taken = file === undefined ? 1 : 2;
  return { rest: [...args.slice(0, at), ...args.slice(at + taken)], source: { file } };
}

/** Throws `ConfigError`; rejects when nodes do not answer, or differ. */
export async function readReportClaims(
  { vault, rpc }: Pick<Config, 'vault' | 'rpc'>,
  file: string | undefined,
): Promise<ReportClaims> {
  if (file !== undefined) return { reports: readList(file), vault: undefined };
  if (vault === '' || rpc === '') {
    throw new ConfigError('--reports needs --vault and --rpc, or a file with reports.');
  }
  const { readReportLog } = await import('../chain/rpc/readReportLog.ts');
  const address = vault.toLowerCase() as Hex;
  const found = await readReportLog(rpc.split(','), address);
  const reports = found.map(({ sequence, from, to, digest }) => ({
    ...{ sequence: Number(sequence), from: placeOf(from), to: placeOf(to), digest },
  }));
  return { reports, vault: address };
}

/** No log reaches so far, whatever a stolen key has reported. */
const placeOf = (batch: bigint): number => Math.min(Number(batch), Number.MAX_SAFE_INTEGER);

function readList(file: string): readonly Report[] {
  let list: unknown;
  try {
    list = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`The reports cannot be read: ${(error as Error).message}`);
  }
  if (!Array.isArray(list) || !list.every(isReport)) {
    throw new ConfigError(`${file} must hold a list of reports: sequence, from, to, digest.`);
  }
  return list.map(({ sequence, from, to, digest }) => ({
    ...{ sequence, from, to, digest: digest.toLowerCase() },
  }));
}

function isReport(value: unknown): value is Report {
  const { sequence, from, to, digest } = (value ?? {}) as Record<string, unknown>;
  const isPlace = (each: unknown): boolean => Number.isSafeInteger(each) && (each as number) >= 0;
  return (
    [sequence, from, to].every(isPlace) &&
    (from as number) <= (to as number) &&
    typeof digest === 'string' &&
    /^0x[0-9a-fA-F]{64}$/.test(digest)
  );
}
