// Builds the trading page: bundles its sources in memory, and gives every file the name of its
// content. It runs in the thread of pages, once at each start.

import { basename, dirname, join } from 'node:path';
import { build, type OutputFile, stop } from 'esbuild';
import { must } from '../../std/assert.ts';
import type { PreparedDocument } from '../preparedDocument.ts';
import { type PageFacts, pageHtml } from './pageHtml.ts';
import { preparePageFile, preparePageShell } from './preparePageFile.ts';

export type BuiltPage = {
  /** The page itself: `GET /`. */
  readonly shell: PreparedDocument;
  /** The files that it names, by their names: `GET /page/NAME`. */
  readonly files: ReadonlyMap<string, PreparedDocument>;
};

const entry = join(import.meta.dirname, '../../page/app.tsx');
/** Where browsers ask for the files. */
const publicPath = '/page/';

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['svg', 'image/svg+xml'],
]);

/** Rejects when the sources cannot be bundled; the error's message names the place. */
export async function buildPage(facts: PageFacts): Promise<BuiltPage> {
  const outputs = await bundle();
  const files = await Promise.all(
    outputs.map(async ({ path, contents }) => {
      const name = basename(path);
      const contentType = must(
        contentTypes.get(name.slice(name.lastIndexOf('.') + 1)),
        `the bundle has a file of an unknown kind: ${name}`,
      );
      return [name, await preparePageFile(contents, contentType)] as const;
    }),
  );
  const names = files.map(([name]) => name);
  const first = (ending: string): string =>
    publicPath +
    must(
      names.find((name) => name.startsWith('app-') && name.endsWith(ending)),
      name,
    );
  const name = 'the bundle has no entry';
  const html = pageHtml(facts, { script: first('.js'), style: first('.css') });
  return { shell: await preparePageShell(html), files: new Map(files) };
}

async function bundle(): Promise<readonly OutputFile[]> {
  try {
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      splitting: true,
      write: false,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      outdir: dirname(entry),
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      assetNames: '[name]-[hash]',
      publicPath,
      // The licences of the packages ask for their notices.
      legalComments: 'eof',
      charset: 'utf8',
      logLevel: 'silent',
      tsconfigRaw: '{}',
    });
    return outputFiles;
  } finally {
    // Ends the process of the bundler.
    await stop();
  }
}
