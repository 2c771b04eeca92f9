// How the tests run: they start real servers and share two cores, so a test may take its time;
// speed is the benchmarks' business.

import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';
import { longTests, pageTests } from './scripts/longTests.ts';

// Programs and threads that tests start, and the next run, find the modules compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node');

/**
 * What the fuzzer once found is tried before anything else; then the files that take longest, so
 * that no worker is left alone with one of them at the end: here those of `npm test`, and
 * scripts/longTests.ts has the others in that order. In a fresh clone the runner knows sizes alone.
 */
const firstFiles = [
  'fuzz/corpus',
  'gateway/streamSockets',
  'api/badInput',
  'engine/snapshot',
  'oracle/oracle',
  'history/projector',
  'engine/storm',
  'engine/stateHash',
  'engine/tentativeExecution',
  'gateway/connections',
  'gateway/connectionClients',
  'sim/life',
  'clients/stockClients',
  'clients/operationCalls',
  'market-data/marketData',
].map((name) => `test/${name}.test.ts`);
const inOrder = [...firstFiles, ...longTests, ...pageTests];

/** The runner asks for a class. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = inOrder.findIndex((name) => moduleId.endsWith(`/${name}`));
      return rank < 0 ? inOrder.length : rank;
    };
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

/**
 * Writes the name of each file whose tests have passed into this file (scripts/test.ts), and
 * `error NAME` for one that left an error behind: its tests may pass, and the run fails.
 */
const passedTests = process.env.EVERMARK_PASSED_TESTS;
const keepPassed = (path: string): Reporter => ({
  onTestModuleEnd: (file) => {
    if (file.ok()) appendFileSync(path, `${file.relativeModuleId}\n`);
  },
  onTestRunEnd: (_, errors) => {
    for (const { VITEST_TEST_PATH: file } of errors) {
      const name = typeof file === 'string' ? relative(import.meta.dirname, file) : 'unknown';
      appendFileSync(path, `error ${name}\n`);
    }
  },
});

export default defineConfig({
  test: {
    ...(passedTests !== undefined && { reporters: ['default', keepPassed(passedTests)] }),
    include: ['test/**/*.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 600_000, interval: 20 } },
    // More than the cores of a small machine: many tests wait for a lease, a timer or a disk.
    maxWorkers: 4,
    // Importing a module does nothing (STYLE.md), so files may share what they import: loading it
    // anew for each of them took a sixth of the whole run.
    isolate: false,
    // Node runs the sources as they stand (STYLE.md), so the tests run the code that is served. The
    // runner's own loader makes every use of an import a call: with it the engine's tests took 1.4
    // times as much processor time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: 'test/fixtures/failUndocumented.ts',
    globalSetup: 'test/fixtures/serveDatabases.ts',
    sequence: { sequencer: LongestFirst },
  },
});
