// Makes the pages of the documentation, compressed, from the texts of this checkout and the table
// of operations. It runs in the thread of pages, once after each start.

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { publicOperations } from '../../api/operations.ts';
import { pageHeaders } from '../pageHeaders.ts';
import { preparePageFile, preparePageText } from '../pages/preparePageFile.ts';
import type { PreparedDocument } from '../preparedDocument.ts';
import { documentFrame } from './documentFrame.ts';
import { errorsPage } from './errorsPage.ts';
import { markdownHtml } from './markdownHtml.ts';
import { readRenderer } from './readRenderer.ts';
import { referencePage, startRenderer } from './referencePage.ts';
import { placesOf, type RuleTexts, rulePages } from './rulePages.ts';

/** By path. */
export type BuiltDocuments = ReadonlyMap<string, PreparedDocument>;

const docs = join(import.meta.dirname, '../../../docs');
const filesPath = '/docs/files';

type Entry = readonly [path: string, document: PreparedDocument];

/** Rejects when a text or the renderer is missing. */
export async function buildDocuments(): Promise<BuiltDocuments> {
  return new Map(await Promise.all([...textPages(), ...references()]));
}

function textPages(): Promise<Entry>[] {
  const rules: RuleTexts = new Map(
    readdirSync(join(docs, 'rules')).map((file) => [
      basename(file, '.md'),
      readFileSync(join(docs, 'rules', file), 'utf8'),
    ]),
  );
  const places = placesOf(rules);
  const read = (file: string): string =>
    markdownHtml(readFileSync(join(docs, file), 'utf8'), places);
  const pages = new Map([
    ...rulePages(rules),
    ['/docs/start', read('start.md')],
    ['/docs/glossary', read('glossary.md')],
    ['/docs/errors', errorsPage(publicOperations)],
  ]);
  return Array.from(pages, async ([path, body]): Promise<Entry> => {
    const html = documentFrame({ title: titleOf(body), path, body });
    return [path, await preparePageText(html, pageHeaders(html))];
  });
}

const titleOf = (body: string): string =>
  (/<h1[^>]*>(.*?)<\/h1>/.exec(body)?.[1] ?? 'Documentation').replace(/<[^>]*>/g, '');

function references(): Promise<Entry>[] {
  const renderer = readRenderer();
  const rendererName = nameOf('redoc', renderer);
  const start = startRenderer(rendererName);
  const startName = nameOf('reference', start);
  const script = `${filesPath}/${startName}`;
  const pages = [
    { title: 'Requests', path: '/docs', document: '/docs/openapi.json', script },
    { title: 'Streams', path: '/docs/streams', document: '/docs/asyncapi.json', script },
  ].map(async (reference): Promise<Entry> => {
    const { html, headers } = referencePage(reference);
    return [reference.path, await preparePageText(html, headers)];
  });
  const files = [
    [rendererName, renderer],
    [startName, start],
  ] as const;
  return [
    ...pages,
    ...files.map(async ([name, text]): Promise<Entry> => {
      const file = await preparePageFile(Buffer.from(text), 'text/javascript; charset=utf-8');
      return [`${filesPath}/${name}`, file];
    }),
  ];
}

/** Changes with the content. */
const nameOf = (name: string, text: string): string =>
  `${name}-${hash('sha256', text, 'hex').slice(0, 12)}.js`;
