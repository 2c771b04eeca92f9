// Builds the trading page: bundles its sources in memory, and gives every file the name of its
// content. It runs in the thread of pages, once after each start.

import { basename, dirname, join } from 'node:path';
import { build, type Metafile, type OutputFile, stop } from 'esbuild';
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
  const { outputFiles, outputs } = await bundle();
  const first = filesAtOnce(outputs);
  const needed = outputFiles.filter(
    ({ path }) => !path.endsWith('.css') || path.endsWith(first.style),
  );
  const files = await Promise.all(
    needed.map(async ({ path, contents }) => {
      const name = basename(path);
      const contentType = must(
        contentTypes.get(name.slice(name.lastIndexOf('.') + 1)),
        `the bundle has a file of an unknown kind: ${name}`,
      );
      return [name, await preparePageFile(contents, contentType)] as const;
    }),
  );
  const html = pageHtml(facts, {
    script: publicPath + first.script,
    style: publicPath + first.style,
    imported: first.imported.map((name) => publicPath + name),
  });
  return { shell: await preparePageShell(html), files: new Map(files) };
}

type Outputs = Metafile['outputs'];

/** The names of the files that the page needs at once. */
type FilesAtOnce = {
  readonly script: string;
  readonly style: string;
  /** What the script imports, and what that imports. */
  readonly imported: readonly string[];
};

/** Throws when a part that is loaded later has styles that the page does not have. */
function filesAtOnce(outputs: Outputs): FilesAtOnce {
  const [path, { cssBundle }] = must(
    Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('page/app.tsx')),
    'the bundle has an entry',
  );
  const style = must(cssBundle, 'the page has styles');
  const own = outputs[style]!.inputs;
  for (const [other, { inputs }] of Object.entries(outputs)) {
    // Only the styles of the entry are served: a browser loads none for parts of a program.
    const missing = other.endsWith('.css') && Object.keys(inputs).find((input) => !(input in own));
    if (missing) throw new Error(`${missing} must be imported by a part that is there at once`);
  }
  const reached = new Set([path]);
  for (const each of reached) {
    for (const { path: imported, kind } of outputs[each]!.imports) {
      if (kind === 'import-statement') reached.add(imported);
    }
  }
  const [script, ...imported] = Array.from(reached, (each) => basename(each));
  return { script: script!, style: basename(style), imported };
}

type Bundle = { readonly outputFiles: readonly OutputFile[]; readonly outputs: Outputs };

async function bundle(): Promise<Bundle> {
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: [entry],
      // A part that is loaded later finds the page loaded. Said here, all that the page needs at
      // once is one file: many files, one for each set of parts that share it, compress worse.
      inject: [entry],
      bundle: true,
      splitting: true,
      write: false,
      metafile: true,
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
    return { outputFiles, outputs: metafile.outputs };
  } finally {
    // Ends the process of the bundler.
    await stop();
  }
}
