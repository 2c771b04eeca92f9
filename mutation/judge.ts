// The process that judges: it loads the instrumented sources and all tests once, learns which test
// reaches which mutant, and then turns on one mutant after another. mutate.ts starts it, and
// replaces it when a mutant does not return.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Findings, findMutants } from './findMutants.ts';
import { instrument, placesOf, type Switchboard } from './instrument.ts';
import type { CollectedTest } from './testDoor.ts';

/** The request of mutate.ts: the sources, in the order in which their mutants are numbered. */
export type Job = {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  /** This many scenarios of the naive oracle, each a test of its own. */
  readonly seeds: number;
  /** A mutant is given up when its tests take this long together. */
  readonly budgetMs: number;
  /** A test that takes longer is left out. */
  readonly slowMs: number;
  /** Where a process stores what it has learned about the tests, for the next process. */
  readonly learnedAt: string;
};

type Learned = {
  readonly name: string;
  readonly ms: number;
  readonly turns: number;
  /** The places that it reaches; none when it is left out. */
  readonly places: readonly number[];
};

export type Verdict = {
  readonly number: number;
  readonly fate: 'killed' | 'timeout' | 'survived' | 'noCoverage';
  readonly by: string | undefined;
  readonly tests: number;
  readonly ms: number;
};

export type Message =
  | { readonly kind: 'ready'; readonly tests: number }
  | { readonly kind: 'left out'; readonly name: string; readonly why: string }
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  /**
   * A test that failed with a mutant fails without it too: this process cannot be used any more.
   */
  | { readonly kind: 'spoilt'; readonly by: string }
  | { readonly kind: 'done' };

class TooManyTurns extends Error {}

const root = resolve(import.meta.dirname, '..');
const tell = (message: Message): void => {
  process.send!(message);
};

const loopTurnsMin = 300_000;
const turnsMax = Number.MAX_SAFE_INTEGER;
let turnsLeft = turnsMax;
/** The loop iterations left after the last test. */
let turnsKept = turnsMax;
let isEndless = false;
/** While tests are learned: the time after which a test has taken too long. */
let until = Number.POSITIVE_INFINITY;
const switchboard: Switchboard = {
  active: 0,
  hits: new Uint8Array(0),
  constants: [],
  swap: {},
  turn() {
    turnsLeft -= 1;
    const isLate = turnsLeft % 4096 === 0 && processorMs() > until;
    if (turnsLeft > 0 && !isLate) return;
    isEndless = true;
    throw new TooManyTurns('a loop does not end');
  },
};
Object.assign(globalThis, { __mutation: switchboard });

type Source = { readonly text: string; readonly findings: Findings; readonly first: number };

/** Numbers from 1 on, in the order of the sources. */
function findAll(paths: readonly string[]): Map<string, Source> {
  const sources = new Map<string, Source>();
  let first = 1;
  for (const path of paths) {
    const text = readFileSync(join(root, path), 'utf8');
    const findings = findMutants(text, path);
    sources.set(path, { text, findings, first });
    first += findings.mutants.length;
  }
  switchboard.hits = new Uint8Array(first);
  return sources;
}

/** Loops are counted in the whole engine; mutants are only in the sources of the job. */
function hookModules(sources: ReadonlyMap<string, Source>): void {
  const door = pathToFileURL(join(import.meta.dirname, 'testDoor.ts')).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vitest' ? { url: door, shortCircuit: true } : next(specifier, context),
    load: (url, context, next) => {
      const path = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : '';
      if (!/^src\/(engine|std|units)\//.test(path)) return next(url, context);
      const text = readFileSync(join(root, path), 'utf8');
      const source = sources.get(path);
      const bare = { ...findMutants(text, path), mutants: [], constants: [] };
      const source_ = instrument(text, source?.findings ?? bare, source?.first ?? 1);
      return { format: 'module', source: stripTypeScriptTypes(source_), shortCircuit: true };
    },
  });
}

async function collectTests(job: Job): Promise<CollectedTest[]> {
  const { collected, collecting } = await import('./testDoor.ts');
  const load = (path: string): Promise<unknown> => import(pathToFileURL(join(root, path)).href);
  for (const path of job.tests) await collecting(path, () => load(path));
  const swap = await Promise.all(['mulDiv', 'notional'].map((n) => load(`src/units/${n}.ts`)));
  switchboard.swap = Object.assign({}, ...swap);
  const { runScenario } = (await load('test/oracle/fuzz.ts')) as {
    runScenario: (seed: number) => { readonly difference: string | undefined };
  };
  const oracle = Array.from({ length: job.seeds }, (_, index) => ({
    name: `test/oracle > seed ${index + 1}`,
    run: (): void => {
      const { difference } = runScenario(index + 1);
      if (difference !== undefined) throw new Error(difference);
    },
  }));
  return [...collected, ...oracle];
}

let lastError: unknown;

/** Whether a test passes; the reason of a failure is in lastError. */
async function passes(test: CollectedTest, turns: number): Promise<boolean> {
  turnsLeft = turns;
  isEndless = false;
  try {
    const result = test.run();
    if (result instanceof Promise) await result;
    return !isEndless;
  } catch (error) {
    lastError = error;
    return false;
  } finally {
    turnsKept = turnsLeft;
    turnsLeft = turnsMax;
  }
}

/** The processor time of this process so far: other programs on the machine do not count. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs every test once, to learn what it reaches and how long it takes. */
async function learn(tests: readonly CollectedTest[], slowMs: number): Promise<Learned[]> {
  const learned: Learned[] = [];
  for (const test of tests) {
    const { name } = test;
    switchboard.hits.fill(0);
    const began = processorMs();
    until = began + slowMs;
    const isRight = await passes(test, turnsMax);
    const turns = turnsMax - turnsKept;
    const ms = processorMs() - began;
    until = Number.POSITIVE_INFINITY;
    if (isRight && ms <= slowMs) {
      const places = [...switchboard.hits.keys()].filter((at) => switchboard.hits[at] === 1);
      learned.push({ name, ms, turns, places });
      continue;
    }
    learned.push({ name, ms: 0, turns: 0, places: [] });
    const isSlow = isRight || isEndless;
    const why = isSlow ? `${Math.round(ms)} ms or more` : `fails without a mutant: ${lastError}`;
    tell({ kind: 'left out', name, why });
    await new Promise((resolve_) => setImmediate(resolve_));
  }
  return learned;
}

/** What was learned before about the same sources and tests, or what is learned now. */
async function recall(job: Job, learnNow: () => Promise<Learned[]>): Promise<Learned[]> {
  const hash = createHash('sha256').update(`${job.seeds} ${job.slowMs}`);
  for (const path of [...job.sources, ...job.tests]) hash.update(readFileSync(join(root, path)));
  const key = hash.digest('hex');
  if (existsSync(job.learnedAt)) {
    const kept = JSON.parse(readFileSync(job.learnedAt, 'utf8')) as {
      key: string;
      learned: Learned[];
    };
    if (kept.key === key) return kept.learned;
  }
  const learned = await learnNow();
  writeFileSync(job.learnedAt, JSON.stringify({ key, learned }));
  return learned;
}

type Bench = {
  readonly budgetMs: number;
  readonly tests: readonly CollectedTest[];
  readonly learned: readonly Learned[];
  readonly kills: number[];
  /** The tests that reach each place. */
  readonly reaching: readonly (readonly number[])[];
};

function benchOf(job: Job, tests: readonly CollectedTest[], learned: readonly Learned[]): Bench {
  const reaching: number[][] = Array.from(switchboard.hits, () => []);
  for (const [index, { places }] of learned.entries()) {
    for (const place of places) reaching[place]!.push(index);
  }
  return { budgetMs: job.budgetMs, tests, learned, reaching, kills: tests.map(() => 0) };
}

function turnOn(number: number, isConstant: boolean): void {
  switchboard.active = number;
  if (isConstant) for (const assign of switchboard.constants) assign();
}

async function judge(bench: Bench, number: number, reaching: Set<number>, isConstant: boolean) {
  const { tests, learned, kills, budgetMs } = bench;
  const began = processorMs();
  const order = [...reaching].sort(
    (a, b) => learned[a]!.ms / (1 + kills[a]!) - learned[b]!.ms / (1 + kills[b]!),
  );
  const verdict = (fate: Verdict['fate'], ran: number, by?: string): void =>
    tell({
      kind: 'verdict',
      verdict: { number, fate, by, tests: ran, ms: Math.round(processorMs() - began) },
    });
  if (order.length === 0) return verdict('noCoverage', 0);
  turnOn(number, isConstant);
  let ran = 0;
  for (const index of order) {
    if (processorMs() - began > budgetMs) break;
    ran += 1;
    const turns = loopTurnsMin + 10 * learned[index]!.turns;
    if (await passes(tests[index]!, turns)) continue;
    const fate = isEndless ? 'timeout' : 'killed';
    turnOn(0, isConstant);
    if (!(await passes(tests[index]!, turns)))
      return tell({ kind: 'spoilt', by: tests[index]!.name });
    kills[index]! += 1;
    return verdict(fate, ran, tests[index]!.name);
  }
  turnOn(0, isConstant);
  verdict('survived', ran);
}

/** The places whose tests see a constant: those in every statement that names it. */
function placesNaming(sources: ReadonlyMap<string, Source>, path: string, name: string): number[] {
  const named = new RegExp(`\\b${name}\\b`);
  const places: number[] = [];
  for (const [other, { text, findings, first }] of sources) {
    if (!named.test(text)) continue;
    for (const { start, end } of findings.statements) {
      const isOwn = other === path && text.slice(start, end).includes(`const ${name} `);
      if (isOwn || !named.test(text.slice(start, end))) continue;
      for (const [index, mutant] of findings.mutants.entries()) {
        const isWithin = mutant.start >= start && mutant.end <= end;
        if (isWithin && mutant.constant === undefined) places.push(first + index);
      }
    }
  }
  if (places.length > 0) return places;
  const { findings, first } = sources.get(path)!;
  return findings.mutants.map((_, index) => first + index);
}

async function run(job: Job, wanted: readonly number[]): Promise<void> {
  const sources = findAll(job.sources);
  hookModules(sources);
  const tests = await collectTests(job);
  const learned = await recall(job, () => learn(tests, job.slowMs));
  tell({ kind: 'ready', tests: learned.filter(({ places }) => places.length > 0).length });
  const bench = benchOf(job, tests, learned);
  const isWanted = new Set(wanted);
  for (const [path, { findings, first }] of sources) {
    const places = placesOf(findings, first);
    for (const [index, { constant }] of findings.mutants.entries()) {
      const number = first + index;
      if (!isWanted.has(number)) continue;
      const seen =
        constant === undefined ? [places[index]!] : placesNaming(sources, path, constant);
      const reaching = new Set(seen.flatMap((place) => bench.reaching[place]!));
      await judge(bench, number, reaching, constant !== undefined);
      // Messages leave between two turns of the event loop.
      await new Promise((resolve_) => setImmediate(resolve_));
    }
  }
  tell({ kind: 'done' });
}

process.on('message', ({ job, wanted }: { job: Job; wanted: number[] }) => {
  run(job, wanted).then(
    () => process.disconnect(),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    },
  );
});
