// Starts the building of the trading page and gives the port by which rows answer with it. A page
// that cannot be built is reported; everything else is served as usual.

import type { PagePort } from '../../api/deployment.ts';
import { startThread } from '../../threads.ts';
import type { BuiltPage } from './buildPage.ts';
import { createPagePort } from './createPagePort.ts';
import type { PageFacts } from './pageHtml.ts';
import type { PageThreadAnswer } from './pageThread.ts';

export type PageBuild = {
  readonly port: PagePort;
  /** Ends a build that is still under way. */
  readonly close: () => Promise<void>;
};

/** `report` receives the reason when the page cannot be built. */
export function startPageBuild(facts: PageFacts, report: (message: string) => void): PageBuild {
  const thread = startThread('pages', facts);
  let isOver = false;
  const built = new Promise<BuiltPage | undefined>((resolve) => {
    const end = (page: BuiltPage | undefined, why: string): void => {
      if (page === undefined && !isOver) report(`the trading page could not be built: ${why}`);
      isOver = true;
      resolve(page);
    };
    thread.once('message', (answer: PageThreadAnswer) => {
      if (answer.kind === 'built') end(answer.page, '');
      else end(undefined, answer.message);
    });
    thread.once('error', (error) => end(undefined, error.message));
    thread.once('exit', () => end(undefined, 'its thread has ended'));
  });
  return {
    port: createPagePort(built),
    close: async () => {
      isOver = true;
      await thread.terminate();
    },
  };
}
