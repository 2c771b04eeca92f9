// The thread that builds the trading page: bundling and compressing take a few hundred
// milliseconds, which the trading thread does not have. It ends when the page is built.

import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../../std/assert.ts';
import { giveWay } from '../../std/giveWay.ts';
import { type BuiltPage, buildPage } from './buildPage.ts';
import type { PageFacts } from './pageHtml.ts';

export type PageThreadAnswer =
  | { readonly kind: 'built'; readonly page: BuiltPage }
  | { readonly kind: 'failed'; readonly message: string };

async function main(): Promise<void> {
  const port = must(parentPort, 'the page is built by a thread');
  // The bundler's own process has the same priority.
  giveWay();
  const answer = await buildPage(workerData as PageFacts).then(
    (page): PageThreadAnswer => ({ kind: 'built', page }),
    (error: Error): PageThreadAnswer => ({ kind: 'failed', message: error.message }),
  );
  port.postMessage(answer);
}

// This file is the thread's program: the process starts it and never imports its values.
await main();
