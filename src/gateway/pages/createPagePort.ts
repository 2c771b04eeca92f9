// Answers with a trading page and a documentation that are being built.

import type { PagePort } from '../../api/deployment.ts';
import type { Answer } from '../../api/operation.ts';
import type { Refusal } from '../../api/refusal.ts';
import type { BuiltDocuments } from '../documents/buildDocuments.ts';
import { answerOfDocument, type PreparedDocument } from '../preparedDocument.ts';
import type { BuiltPage } from './buildPage.ts';

/** Each gives undefined when it could not be built. */
export type BeingBuilt = {
  readonly page: Promise<BuiltPage | undefined>;
  readonly documents: Promise<BuiltDocuments | undefined>;
};

const pathUnknown: Refusal = { reason: 'pathUnknown' };

export function createPagePort({ page, documents }: BeingBuilt): PagePort {
  const shell = page.then((built) => built && answerOfDocument(built.shell));
  const files = page.then((built) => built && answersOf(built.files));
  const texts = documents.then((built) => built && answersOf(built));
  return {
    shell: async () => (await shell) ?? { reason: 'pageNotBuilt' },
    file: async (name) => answerIn(await files, name, 'pageNotBuilt'),
    document: async (path) => answerIn(await texts, path, 'documentsNotBuilt'),
  };
}

/** One record for each: it is what the gateway knows its bytes by. */
function answersOf(built: ReadonlyMap<string, PreparedDocument>): ReadonlyMap<string, Answer> {
  return new Map(Array.from(built, ([name, document]) => [name, answerOfDocument(document)]));
}

function answerIn(
  answers: ReadonlyMap<string, Answer> | undefined,
  name: string,
  reason: 'pageNotBuilt' | 'documentsNotBuilt',
): Answer | Refusal {
  if (answers === undefined) return { reason };
  return answers.get(name) ?? pathUnknown;
}
