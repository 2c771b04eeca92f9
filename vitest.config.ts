// How the tests run: they start real servers and share two cores, so a test may take its time;
// speed is the benchmarks' business.

import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Programs and threads that tests start, and the next run, find the modules compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node');

const isCorpus = ({ moduleId }: TestSpecification): boolean =>
  moduleId.endsWith('/test/fuzz/corpus.test.ts');

/** What the fuzzer once found is tried before anything else. The runner asks for a class. */
class CorpusFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isCorpus), ...sorted.filter((file) => !isCorpus(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 600_000 } },
    maxWorkers: 2,
    // Importing a module does nothing (STYLE.md), so files may share what they import: loading it
    // anew for each of them took a sixth of the whole run.
    isolate: false,
    // Node runs the sources as they stand (STYLE.md), so the tests run the code that is served. The
    // runner's own loader makes every use of an import a call: with it the engine's tests took 1.4
    // times as much processor time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: 'test/fixtures/failUndocumented.ts',
    globalSetup: 'test/fixtures/serveDatabases.ts',
    sequence: { sequencer: CorpusFirst },
  },
});
