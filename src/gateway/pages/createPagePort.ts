// Answers with a trading page that is being built.

import type { PagePort } from '../../api/deployment.ts';
import type { Answer } from '../../api/operation.ts';
import type { Refusal } from '../../api/refusal.ts';
import { answerOfDocument } from '../preparedDocument.ts';
import type { BuiltPage } from './buildPage.ts';

type Answers = { readonly shell: Answer; readonly files: ReadonlyMap<string, Answer> };

const notBuilt: Refusal = { reason: 'pageNotBuilt' };

/** `built` gives undefined when there is no page. */
export function createPagePort(built: Promise<BuiltPage | undefined>): PagePort {
  // One record for each file: it is what the gateway knows its bytes by.
  const answers = built.then((page): Answers | undefined =>
    page === undefined
      ? undefined
      : {
          shell: answerOfDocument(page.shell),
          files: new Map(
            Array.from(page.files, ([name, file]) => [name, answerOfDocument(file)] as const),
          ),
        },
  );
  return {
    shell: async () => (await answers)?.shell ?? notBuilt,
    file: async (name) => {
      const found = await answers;
      if (found === undefined) return notBuilt;
      return found.files.get(name) ?? { reason: 'pathUnknown' };
    },
  };
}
