// Starts the building of the trading page and gives the port by which rows answer with it. A page
// that cannot be built is reported; everything else is served as usual.

import type { PagePort } from '../../api/deployment.ts';
import type { Answer } from '../../api/operation.ts';
import type { Refusal } from '../../api/refusal.ts';
import { startThread } from '../../threads.ts';
import { answerOfDocument } from '../preparedDocument.ts';
import type { PageFacts } from './pageHtml.ts';
import type { PageThreadAnswer } from './pageThread.ts';

export type PageBuild = {
  readonly port: PagePort;
  /** Ends a build that is still under way. */
  readonly close: () => Promise<void>;
};

type Answers = { readonly shell: Answer; readonly files: ReadonlyMap<string, Answer> };

const notBuilt: Refusal = { reason: 'pageNotBuilt' };

/** `report` receives the reason when the page cannot be built. */
export function startPageBuild(facts: PageFacts, report: (message: string) => void): PageBuild {
  const thread = startThread('pages', facts);
  let closing = false;
  const built = new Promise<Answers | undefined>((resolve) => {
    const fail = (message: string): void => {
      if (!closing) report(`the trading page could not be built: ${message}`);
      resolve(undefined);
    };
    thread.once('message', (answer: PageThreadAnswer) => {
      if (answer.kind === 'failed') {
        fail(answer.message);
        return;
      }
      const { shell, files } = answer.page;
      resolve({
        shell: answerOfDocument(shell),
        files: new Map([...files].map(([name, file]) => [name, answerOfDocument(file)])),
      });
    });
    thread.once('error', (error) => fail(error.message));
    thread.once('exit', () => fail('its thread has ended'));
  });
  return {
    port: {
      shell: async () => (await built)?.shell ?? notBuilt,
      file: async (name) => {
        const answers = await built;
        return answers === undefined
          ? notBuilt
          : (answers.files.get(name) ?? { reason: 'pathUnknown' });
      },
    },
    close: async () => {
      closing = true;
      await thread.terminate();
    },
  };
}
