// Starts the building of the trading page and of the documentation, and gives the port by which
// rows answer with them. What cannot be built is reported; everything else is served as usual.

import type { PagePort } from '../../api/deployment.ts';
import { startThread } from '../../threads.ts';
import type { BuiltDocuments } from '../documents/buildDocuments.ts';
import type { BuiltPage } from './buildPage.ts';
import { createPagePort } from './createPagePort.ts';
import type { PageFacts } from './pageHtml.ts';
import type { PageThreadAnswer } from './pageThread.ts';

export type PageBuild = {
  readonly port: PagePort;
  /** Ends a build that is still under way. */
  readonly close: () => Promise<void>;
};

/** `report` receives the reason when the page or the documentation cannot be built. */
export function startPageBuild(facts: PageFacts, report: (message: string) => void): PageBuild {
  const thread = startThread('pages', facts);
  const page = Promise.withResolvers<BuiltPage | undefined>();
  const documents = Promise.withResolvers<BuiltDocuments | undefined>();
  const open = new Map([
    ['page', { what: 'the trading page', give: page.resolve as (built: undefined) => void }],
    ['documents', { what: 'the documentation', give: documents.resolve }],
  ]);
  const fail = (kind: string, why: string): void => {
    const waiting = open.get(kind);
    if (waiting === undefined) return;
    open.delete(kind);
    report(`${waiting.what} could not be built: ${why}`);
    waiting.give(undefined);
  };
  const failAll = (why: string): void => {
    for (const kind of open.keys()) fail(kind, why);
  };
  thread.on('message', (answer: PageThreadAnswer) => {
    if (answer.built === undefined) return fail(answer.kind, answer.message);
    open.delete(answer.kind);
    if (answer.kind === 'page') page.resolve(answer.built);
    else documents.resolve(answer.built);
  });
  thread.once('error', (error) => failAll(error.message));
  thread.once('exit', () => failAll('its thread has ended'));
  return {
    port: createPagePort({ page: page.promise, documents: documents.promise }),
    close: async () => {
      // Nothing waits any more, so nothing is reported.
      page.resolve(undefined);
      documents.resolve(undefined);
      open.clear();
      await thread.terminate();
    },
  };
}
