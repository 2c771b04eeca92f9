// GET /docs, /docs/openapi.json and /docs/asyncapi.json: the documentation of a table of operations
// and of the streams. The rows are made for a table, because they show it.

import { Type } from 'typebox';
import type { Deployment } from '../deployment.ts';
import { documentationPage } from '../documentationPage.ts';
import { type OpenApi, openApi } from '../openApi.ts';
import { type Answer, answerJson, defineQuery, type Operation } from '../operation.ts';
import { asyncApi } from '../streams/asyncApi.ts';

const shown = { surface: 'probe', method: 'GET', auth: 'none', weight: 0 } as const;

/** The rows for a table, which `rows` gives when it is there: it shows them too. */
export function documentationRows(rows: () => readonly Operation[]) {
  const getOpenApi = defineQuery({
    ...shown,
    name: 'getOpenApi',
    path: '/docs/openapi.json',
    summary: 'The operations table as an OpenAPI document.',
    parameters: Type.Object({}),
    response: Type.Record(Type.String(), Type.Unknown()),
    query: answerOnce(rows, (document) => answerJson(document)),
  });
  const getDocumentation = defineQuery({
    ...shown,
    name: 'getDocumentation',
    path: '/docs',
    summary: 'The same as a page to read.',
    parameters: Type.Object({}),
    response: Type.String({ description: 'The page.', contentMediaType: 'text/html' }),
    query: answerOnce(rows, (document) => ({
      status: 200,
      text: documentationPage(document),
      contentType: 'text/html; charset=utf-8',
    })),
  });
  const getAsyncApi = defineQuery({
    ...shown,
    name: 'getAsyncApi',
    path: '/docs/asyncapi.json',
    summary: 'What is said over sockets, as an AsyncAPI document.',
    parameters: Type.Object({}),
    response: Type.Record(Type.String(), Type.Unknown()),
    query: ({ deployment: { version } }) => answerJson(asyncApi(version)),
  });
  return { getOpenApi, getAsyncApi, getDocumentation };
}

/** Made once for a deployment: anybody may ask, and trading shares the thread. */
function answerOnce(
  rows: () => readonly Operation[],
  answerOf: (document: OpenApi) => Answer,
): (context: { readonly deployment: Deployment }) => Answer {
  const made = new WeakMap<Deployment, Answer>();
  return ({ deployment }) => {
    const known = made.get(deployment);
    if (known !== undefined) return known;
    const answer = answerOf(openApi(rows(), deployment.version, deployment.examples));
    made.set(deployment, answer);
    return answer;
  };
}
