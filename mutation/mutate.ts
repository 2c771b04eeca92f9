// `npm run mutate -- [--files src/engine/clearing/fees.ts,…] [--since REF] [--again REPORT]
// [--seeds N] [--slow MS] [--report FILE]`: how many mutants of the money code the tests notice.
// Prints the survivors, the entries of equivalent.json that no longer name a mutant, and one line
// of JSON. docs/mutation.md describes how it works and what it has found.

import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findMutants, type Mutant } from './findMutants.ts';
import { type Equivalent, isEquivalent, type Named, staleEntries } from './isEquivalent.ts';
import type { Job, Message, Verdict } from './judge.ts';
import { judgedTests } from './judgedTests.ts';

const root = resolve(import.meta.dirname, '..');

/** The files that handle money: judged by default. */
const moneyFiles = [
  'src/engine/clearing/*.ts',
  'src/engine/operations/{runLiquidations,closeByBook,settleFunding,settleDueMarkets,tendFund}.ts',
  'src/engine/operations/{meet,enterOrder,transferCollateral,credit,creditInsurance}.ts',
  'src/engine/operations/{requestWithdrawal,resolveWithdrawal,setMarginMode,setLeverage}.ts',
  'src/engine/operations/{bindVault,creditDeposit,creditFromVault,reportWithdrawal}.ts',
  'src/engine/operations/{setWithdrawalTerms,correctCredit,shareFees,claimReferral}.ts',
  'src/engine/{vaultLedger,depositHash,views/withdrawable,invariants/checkVault}.ts',
  'src/engine/pricing/*.ts',
  'src/units/*.ts',
];

/**
 * A mutant may keep the judge busy this long, whatever the loops count. By the wall clock, which a
 * busy machine lets run far ahead of the judge's budget of processor time.
 */
const silenceMsMax = 600_000;

type Placed = Mutant & {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly original: string;
  /** The line of the source, which identifies a mutant that is known to be equivalent. */
  readonly source: string;
};

function placedMutants(path: string): Placed[] {
  const text = readFileSync(join(root, path), 'utf8');
  return findMutants(text, path).mutants.map((mutant) => {
    const before = text.slice(0, mutant.start).split('\n');
    const source = text.slice(text.lastIndexOf('\n', mutant.start - 1) + 1).split('\n', 1)[0]!;
    return {
      ...mutant,
      path,
      line: before.length,
      column: before.at(-1)!.length + 1,
      original: text.slice(mutant.start, mutant.end),
      source: source.trim(),
    };
  });
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** What a mutant changes, short enough for one line. */
function changeOf({ form, original, text }: Placed): { from: string; to: string } {
  if (form === 'entry') return { from: 'the body', to: 'nothing' };
  if (form === 'loop') return { from: 'the loop', to: 'nothing' };
  return { from: oneLine(original), to: text === '' ? 'nothing' : oneLine(text) };
}

function named(mutant: Placed): Named {
  const { from, to } = changeOf(mutant);
  return { path: mutant.path, source: mutant.source, change: `${from} → ${to}` };
}

/** The lines that differ from a commit, by file. */
function changedLines(since: string): Map<string, Set<number>> {
  const difference = execFileSync('git', ['diff', '-U0', since, '--', 'src'], {
    cwd: root,
    encoding: 'utf8',
  });
  const changed = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const line of difference.split('\n')) {
    const file = /^\+\+\+ b\/(.+)$/.exec(line)?.[1];
    if (file !== undefined) {
      lines = new Set();
      changed.set(file, lines);
    }
    const hunk = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk === null) continue;
    const first = Number(hunk[1]);
    const count = Number(hunk[2] ?? 1);
    for (let at = first; at < first + count; at += 1) lines.add(at);
  }
  return changed;
}

/** Judges the wanted mutants; starts a new process when one has not returned. */
async function judgeAll(
  job: Job,
  wanted: readonly number[],
  heard: (verdict: Verdict) => void,
): Promise<void> {
  const open = [...wanted];
  let isReady = false;
  while (open.length > 0) {
    const child = fork(join(import.meta.dirname, 'judge.ts'), {
      stdio: 'inherit',
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    child.send({ job, wanted: open });
    const ended = await followJudge(child, (message) => {
      if (message.kind === 'ready') {
        isReady = true;
        say(`${message.tests} tests reach the sources`);
      }
      if (message.kind === 'left out') say(`left out: ${message.name}: ${message.why}`);
      if (message.kind === 'spoilt') say(`begun anew after: ${message.by}`);
      if (message.kind !== 'verdict') return;
      open.shift();
      heard(message.verdict);
    });
    if (!isReady) throw new Error('the tests could not be loaded or run');
    if (ended !== 'silent' || open.length === 0) continue;
    heard({ number: open.shift()!, fate: 'timeout', by: undefined, tests: 0, ms: silenceMsMax });
  }
}

/** Until it has ended, by itself or because it was silent for too long. */
function followJudge(
  child: ChildProcess,
  heard: (message: Message) => void,
): Promise<'ended' | 'silent'> {
  return new Promise((resolve_) => {
    let ended: 'ended' | 'silent' = 'ended';
    const end = (): void => {
      ended = 'silent';
      child.kill('SIGKILL');
    };
    let isLearning = true;
    let watch = setTimeout(end, 10 * silenceMsMax);
    child.on('message', (message: Message) => {
      if (message.kind === 'ready') isLearning = false;
      clearTimeout(watch);
      watch = setTimeout(end, isLearning ? 10 * silenceMsMax : silenceMsMax);
      if (message.kind === 'spoilt') child.kill('SIGKILL');
      heard(message);
    });
    child.on('exit', (code) => {
      clearTimeout(watch);
      resolve_(code === null || code === 0 ? ended : 'silent');
    });
  });
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Splits at the commas outside braces. */
const splitPatterns = (text: string | undefined): string[] | undefined =>
  text?.split(/,(?![^{]*\})/);

/**
 * For a folder its own files. A pattern without a match must fail, because otherwise it would look
 * like a run without survivors.
 */
function sourcesOf(pattern: string): string[] {
  const isFolder = statSync(join(root, pattern), { throwIfNoEntry: false })?.isDirectory() === true;
  const found = globSync(isFolder ? join(pattern, '*.ts') : pattern, { cwd: root });
  if (found.length > 0) return found.sort();
  process.stderr.write(`there is no source ${pattern}\n`);
  process.exit(2);
}

type Report = Record<Verdict['fate'] | 'equivalent', number>;

function scoreOf(mutants: readonly Placed[], fates: ReadonlyMap<Placed, string>): Report {
  const report: Report = { killed: 0, timeout: 0, survived: 0, noCoverage: 0, equivalent: 0 };
  for (const mutant of mutants) report[fates.get(mutant) as keyof Report] += 1;
  return report;
}

/** The share of mutants that a test noticed, in per cent; equivalent ones do not count. */
function tell(report: Report): object {
  const { killed, timeout, survived, noCoverage, equivalent } = report;
  const mutants = killed + timeout + survived + noCoverage;
  const score = mutants === 0 ? 100 : Math.floor(((killed + timeout) * 1000) / mutants) / 10;
  return { mutants, killed, timeout, survived, noCoverage, equivalent, score };
}

const placeOf = ({ path, line, column }: Placed): string => `${path}:${line}:${column}`;

function keyOf(mutant: Placed): string {
  const { path, source, change } = named(mutant);
  return `${path} ${source} ${mutant.column} ${change}`;
}

/** The folder of a report's line: `src/units`, `src/engine/clearing`. */
const folderOf = ({ path }: Placed): string => path.slice(0, path.lastIndexOf('/'));

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      files: { type: 'string' },
      since: { type: 'string' },
      again: { type: 'string' },
      report: { type: 'string' },
      seeds: { type: 'string', default: '60' },
      slow: { type: 'string', default: '400' },
      tests: { type: 'string' },
      learned: { type: 'string' },
      budget: { type: 'string', default: '10000' },
    },
  });
  const began = performance.now();
  const patterns = splitPatterns(values.files) ?? moneyFiles;
  const sources = patterns.flatMap(sourcesOf);
  const known: Equivalent[] = JSON.parse(
    readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8'),
  );
  const all = sources.flatMap(placedMutants);
  const changed = values.since === undefined ? undefined : changedLines(values.since);
  const again =
    values.again === undefined
      ? undefined
      : new Set<string>(JSON.parse(readFileSync(values.again, 'utf8')));
  const asked = all.filter(
    (mutant) =>
      (changed === undefined || changed.get(mutant.path)?.has(mutant.line) === true) &&
      (again === undefined || again.has(keyOf(mutant))),
  );
  const fates = new Map<Placed, string>();
  for (const mutant of asked) {
    if (isEquivalent(known, named(mutant))) fates.set(mutant, 'equivalent');
  }
  for (const { path, source, change } of staleEntries(known, sources, all.map(named))) {
    say(`stale in equivalent.json: ${path}: ${source}: ${change}`);
  }
  const wanted = all.flatMap((mutant, index) =>
    asked.includes(mutant) && !fates.has(mutant) ? [index + 1] : [],
  );
  const tests = globSync(splitPatterns(values.tests) ?? judgedTests, { cwd: root }).sort();
  const job = {
    sources,
    tests,
    seeds: Number(values.seeds),
    slowMs: Number(values.slow),
    budgetMs: Number(values.budget),
    learnedAt: values.learned ?? join(tmpdir(), 'evermark-mutation-tests.json'),
  };
  const survivors: string[] = [];
  await judgeAll(job, wanted, ({ number, fate, tests: ran, ms }) => {
    const mutant = all[number - 1]!;
    fates.set(mutant, fate);
    if (fates.size % 100 === 0) say(`${fates.size} of ${asked.length}, at ${mutant.path}`);
    if (fate !== 'survived' && fate !== 'noCoverage') return;
    const { change } = named(mutant);
    say(`${fate} ${placeOf(mutant)} ${mutant.kind}: ${change} (${ran} tests, ${ms} ms)`);
    survivors.push(keyOf(mutant));
    if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(survivors));
  });
  for (const folder of new Set(asked.map(folderOf))) {
    const within = asked.filter((mutant) => folderOf(mutant) === folder);
    say(`${folder} ${JSON.stringify(tell(scoreOf(within, fates)))}`);
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  say(JSON.stringify({ ...tell(scoreOf(asked, fates)), seconds }));
}

await main();
