// The published files of the keeper's reports (KPR-3): a line that says what the stretch is, and
// then its rows, each on a line. Their tree has the digest, so anybody can compute it again.

import { join } from 'node:path';
import type { Disk } from '../../std/disk.ts';
import { writeDurably } from '../../std/writeDurably.ts';
import type { Report } from './report.ts';

export type ReportPlace = { readonly disk: Disk; readonly directory: string };

const nameOf = (sequence: number): string => `${String(sequence).padStart(8, '0')}.jsonl`;

const headOf = ({ sequence, from, to, digest }: Report, rows: number): string =>
  JSON.stringify({ sequence, from, to, digest, rows });

/** Whether there is a file of exactly this report. */
export function hasReport({ disk, directory }: ReportPlace, report: Report): boolean {
  const line = firstLine(disk, join(directory, nameOf(report.sequence))) ?? '';
  const [start] = headOf(report, 0).split(',"rows"');
  return line.startsWith(`${start},"rows":`);
}

/** Writes the file durably unless it is there with the same head. Throws what the disk throws. */
export function writeReport(
  { disk, directory }: ReportPlace,
  report: Report,
  rows: readonly string[],
): void {
  const path = join(directory, nameOf(report.sequence));
  const head = headOf(report, rows.length);
  if (firstLine(disk, path) === head) return;
  disk.makeDirectory(directory);
  writeDurably(disk, path, Buffer.from(`${[head, ...rows].join('\n')}\n`));
  disk.syncDirectory(directory);
}

/** The newest ones may never have reached the chain. */
const newestCount = 3;

/**
 * Where the stretches of the newest files begin: what a start may be asked for first. Undefined
 * without files, or when they are damaged; then a start may have to read more of the log.
 */
export function newestFrom({ disk, directory }: ReportPlace): number | undefined {
  const names = disk.list(directory).filter((each) => /^\d{8,}\.jsonl$/.test(each));
  const found = names.slice(-newestCount).flatMap((name) => {
    try {
      const line = firstLine(disk, join(directory, name)) ?? '';
      const { from } = JSON.parse(line) as { readonly from?: unknown };
      return Number.isSafeInteger(from) ? [from as number] : [];
    } catch {
      return [];
    }
  });
  return found.length === 0 ? undefined : Math.min(...found);
}

const headBytesMax = 300;

function firstLine(disk: Disk, path: string): string | undefined {
  if (!disk.exists(path)) return undefined;
  const file = disk.openFile(path, 'read');
  try {
    const bytes = Buffer.alloc(headBytesMax);
    const length = disk.readAt(file, bytes, 0);
    const [line] = bytes.toString('utf8', 0, length).split('\n');
    return line;
  } finally {
    disk.closeFile(file);
  }
}
