// Has the trading page and the documentation built, and gives the port by which rows answer with
// them. What cannot be built is reported; everything else is served as usual.

import type { Worker } from 'node:worker_threads';
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

/**
 * The first seconds of a start are for trading, whose clients come back: the build begins after
 * them, or when the first browser asks.
 */
const laterMs = 5000;

export type StartPageBuild = {
  readonly facts: PageFacts;
  /** Whether the build begins without a request, some seconds after the start. */
  readonly early: boolean;
  /** Receives the reason when the page or the documentation cannot be built. */
  readonly report: (message: string) => void;
};

export function startPageBuild({ facts, early, report }: StartPageBuild): PageBuild {
  let thread: Worker | undefined;
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
  const begin = (): void => {
    if (thread !== undefined || open.size === 0) return;
    thread = startThread('pages', facts);
    thread.on('message', (answer: PageThreadAnswer) => {
      if (answer.built === undefined) return fail(answer.kind, answer.message);
      open.delete(answer.kind);
      if (answer.kind === 'page') page.resolve(answer.built);
      else documents.resolve(answer.built);
    });
    thread.once('error', (error) => failAll(error.message));
    thread.once('exit', () => failAll('its thread has ended'));
  };
  const beginning = early ? setTimeout(begin, laterMs) : undefined;
  return {
    port: onAsked(createPagePort({ page: page.promise, documents: documents.promise }), begin),
    close: async () => {
      clearTimeout(beginning);
      // Nothing waits any more, so nothing is reported.
      page.resolve(undefined);
      documents.resolve(undefined);
      open.clear();
      await thread?.terminate();
    },
  };
}

/** Calls `begin` before each request. */
const onAsked = ({ shell, file, document }: PagePort, begin: () => void): PagePort => ({
  shell: () => {
    begin();
    return shell();
  },
  file: (name) => {
    begin();
    return file(name);
  },
  document: (path) => {
    begin();
    return document(path);
  },
});
