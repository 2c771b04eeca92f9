// GET /docs and what is below it: the documentation as pages. They are built beside the start, from
// the documents of documentationRows.ts and from the texts of the rules.

import { Type } from 'typebox';
import { defineProcedure } from '../operation.ts';
import { textParameter } from '../parameterSchema.ts';

const nameLengthMax = 100;
const pageWeight = 5;
/** The renderer is long, so it counts as this many requests (CON-3). */
const fileWeight = 20;
const shown = { surface: 'probe', method: 'GET', auth: 'none', document: true } as const;
const name = textParameter({ lengthMax: nameLengthMax });
const page = Type.String({ description: 'The page.', contentMediaType: 'text/html' });

export const documentPageRows = {
  getDocumentation: defineProcedure({
    ...shown,
    name: 'getDocumentation',
    path: '/docs',
    aliases: ['/docs/'],
    weight: pageWeight,
    summary: 'Every request, as a page to read.',
    parameters: Type.Object({}),
    failures: ['documentsNotBuilt'],
    response: page,
    procedure: ({ deployment }) => deployment.page.document('/docs'),
  }),
  getDocumentPage: defineProcedure({
    ...shown,
    name: 'getDocumentPage',
    path: '/docs/:name',
    weight: pageWeight,
    summary: 'A page of the documentation: start, streams, errors, rules or glossary.',
    parameters: Type.Object({ name }),
    failures: ['documentsNotBuilt', 'pathUnknown'],
    response: page,
    procedure: ({ deployment }, parameters) => deployment.page.document(`/docs/${parameters.name}`),
  }),
  getRulePage: defineProcedure({
    ...shown,
    name: 'getRulePage',
    path: '/docs/rules/:name',
    weight: pageWeight,
    summary: 'The rules of one subject.',
    parameters: Type.Object({ name }),
    failures: ['documentsNotBuilt', 'pathUnknown'],
    response: page,
    procedure: ({ deployment }, parameters) =>
      deployment.page.document(`/docs/rules/${parameters.name}`),
  }),
  getDocumentFile: defineProcedure({
    ...shown,
    name: 'getDocumentFile',
    path: '/docs/files/:name',
    weight: fileWeight,
    summary: 'A script that a page of the documentation names.',
    parameters: Type.Object({ name }),
    failures: ['documentsNotBuilt', 'pathUnknown'],
    response: Type.String({ description: 'The script.', contentMediaType: 'text/javascript' }),
    procedure: ({ deployment }, parameters) =>
      deployment.page.document(`/docs/files/${parameters.name}`),
  }),
} as const;
