// The thread that builds the trading page and the documentation: bundling, rendering and
// compressing take more than a second, which the trading thread does not have. It ends
// when both are built.

import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../../std/assert.ts';
import { giveWay } from '../../std/giveWay.ts';
import { type BuiltDocuments, buildDocuments } from '../documents/buildDocuments.ts';
import { type BuiltPage, buildPage } from './buildPage.ts';
import type { PageFacts } from './pageHtml.ts';

/** One for the page and one for the documents; `message` says why a thing could not be built. */
export type PageThreadAnswer =
  | { readonly kind: 'page'; readonly built?: BuiltPage; readonly message: string }
  | { readonly kind: 'documents'; readonly built?: BuiltDocuments; readonly message: string };

async function main(): Promise<void> {
  const port = must(parentPort, 'the page is built by a thread');
  // The bundler's own process has the same priority.
  giveWay();
  const send = (answer: PageThreadAnswer): void => port.postMessage(answer);
  await buildPage(workerData as PageFacts).then(
    (built) => send({ kind: 'page', built, message: '' }),
    (error: Error) => send({ kind: 'page', message: error.message }),
  );
  await buildDocuments().then(
    (built) => send({ kind: 'documents', built, message: '' }),
    (error: Error) => send({ kind: 'documents', message: error.message }),
  );
}

// This file is the thread's program: the process starts it and never imports its values.
await main();
