// GET /docs/openapi.json and /docs/asyncapi.json: the documentation of a table of operations and of
// the streams, as data; documentPageRows.ts has the pages. The rows are made for a given table,
// because they show it.

import { Type } from 'typebox';
import type { Deployment } from '../deployment.ts';
import { type OpenApi, openApi } from '../openApi.ts';
import { answerJson, defineQuery, type Operation } from '../operation.ts';
import { asyncApi } from '../streams/asyncApi.ts';
import { answerOnce } from './answerOnce.ts';

/** A document is long, so a request for one counts as this many requests (CON-3). */
const weight = 20;
const shown = { surface: 'probe', method: 'GET', auth: 'none', weight, document: true } as const;

/**
 * The rows for a table. `rows` gives the table once it exists, because it contains these rows too.
 */
export function documentationRows(rows: () => readonly Operation[]) {
  const documentOf = ({ version, examples }: Deployment): OpenApi =>
    openApi(rows(), version, examples);
  const getOpenApi = defineQuery({
    ...shown,
    name: 'getOpenApi',
    path: '/docs/openapi.json',
    summary: 'The operations table as an OpenAPI document.',
    parameters: Type.Object({}),
    response: Type.Record(Type.String(), Type.Unknown()),
    query: answerOnce(({ deployment }) => answerJson(documentOf(deployment))),
  });
  const getAsyncApi = defineQuery({
    ...shown,
    name: 'getAsyncApi',
    path: '/docs/asyncapi.json',
    summary: 'The messages of sockets, as an AsyncAPI document.',
    parameters: Type.Object({}),
    response: Type.Record(Type.String(), Type.Unknown()),
    query: answerOnce(({ deployment: { version } }) => answerJson(asyncApi(version))),
  });
  return { getOpenApi, getAsyncApi };
}
