// GET /docs and /docs/openapi.json: the documentation of a table of operations. The rows are made
// for a table, because they show it.

import { Type } from 'typebox';
import { documentationPage } from '../documentationPage.ts';
import { openApi } from '../openApi.ts';
import { answerJson, defineQuery, type Operation } from '../operation.ts';

const shown = { surface: 'probe', method: 'GET', auth: 'none', weight: 0 } as const;

/** Both rows for a table; they do not show themselves. */
export function documentationRows(rows: readonly Operation[]) {
  const getOpenApi = defineQuery({
    ...shown,
    name: 'getOpenApi',
    path: '/docs/openapi.json',
    summary: 'The operations table as an OpenAPI document.',
    parameters: Type.Object({}),
    response: Type.Record(Type.String(), Type.Unknown()),
    query: ({ deployment: { version } }) => answerJson(openApi(rows, version)),
  });
  const getDocumentation = defineQuery({
    ...shown,
    name: 'getDocumentation',
    path: '/docs',
    summary: 'The same as a page to read.',
    parameters: Type.Object({}),
    response: Type.String(),
    query: ({ deployment: { version } }) => ({
      status: 200,
      text: documentationPage(openApi(rows, version)),
      contentType: 'text/html; charset=utf-8',
    }),
  });
  return { getOpenApi, getDocumentation };
}
