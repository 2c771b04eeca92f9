// The documentation page: the OpenAPI document as one HTML text that needs no other file.

import type { OpenApi, OpenApiOperation } from './openApi.ts';
import type { OpenApiResponse } from './openApiResponses.ts';
import { escaped, type Row, schemaHtml, tableHtml } from './schemaHtml.ts';

const style =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}' +
  'h2{margin-top:3rem;border-bottom:1px solid #888}summary{cursor:pointer;padding:.2rem 0}' +
  'h4{margin:1rem 0 .2rem}details>*:not(summary){margin-left:1rem}' +
  'code,pre{font:13px/1.4 ui-monospace,monospace}' +
  'pre{overflow:auto;background:#8882;padding:.6rem;max-height:30rem}' +
  'td{text-align:left;padding:.1rem .8rem .1rem 0;vertical-align:top;border-top:1px solid #8884}' +
  'nav a{margin-right:1rem}' +
  '.method{display:inline-block;width:4.5rem;font-weight:600}:root{color-scheme:light dark}';

/** The whole page: operations by surface, then the schemas that have names. */
export function documentationPage(document: OpenApi): string {
  const { info, tags, paths, components } = document;
  const sections = tags.map(({ name, description }) => {
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.tags.includes(name))
        .map(([method, operation]) => operationHtml(method, path, operation)),
    );
    const title = `<h2 id="${escaped(name)}">${escaped(name)}</h2>`;
    return `${title}<p>${escaped(description)}</p>${operations.join('')}`;
  });
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `<h3 id="type-${escaped(name)}">${escaped(name)}</h3>${schemaHtml(schema)}`,
  );
  const links = [...tags.map(({ name }) => name), 'types'].map(
    (name) => `<a href="#${escaped(name)}">${escaped(name)}</a>`,
  );
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width">' +
    `<title>${escaped(info.title)} API</title><style>${style}</style></head><body>` +
    `<h1>${escaped(info.title)} ${escaped(info.version)}</h1><p>${escaped(info.description)} ` +
    'The same as data: <a href="/docs/openapi.json">openapi.json</a>.</p>' +
    `<nav>${links.join('')}</nav>${sections.join('')}` +
    `<h2 id="types">types</h2>${types.join('')}</body></html>`
  );
}

function operationHtml(method: string, path: string, operation: OpenApiOperation): string {
  const { operationId, summary, description, security, parameters } = operation;
  const schemes = security.flatMap((scheme) => Object.keys(scheme)).join(', ');
  const open = security.length === 0 || security.some((scheme) => Object.keys(scheme).length === 0);
  const needs = schemes === '' ? 'Open.' : `${open ? 'Takes' : 'Needs'}: ${schemes}.`;
  const inBody = bodyRows(operation);
  const named = new Set(inBody.map(({ name }) => name));
  const rows: readonly Row[] = [
    ...parameters
      .filter(({ name }) => !named.has(name))
      .map(({ name, in: place, required, schema, description: text }) => ({
        name,
        note: `${place}, ${required ? 'required' : 'optional'}`,
        schema: text === undefined ? schema : { ...(schema as object), description: text },
      })),
    ...inBody,
  ];
  return (
    `<details id="${escaped(operationId)}"><summary><span class="method">` +
    `${method.toUpperCase()}</span><code>${escaped(path)}</code> ${escaped(summary)}</summary>` +
    `<p>${escaped(operationId)}. ${escaped(description)} ${escaped(needs)}</p>` +
    (rows.length === 0 ? '' : `<h4>Parameters</h4>${tableHtml(rows)}`) +
    `${answersHtml(operation)}${exampleHtml(operation)}</details>`
  );
}

function bodyRows({ requestBody }: OpenApiOperation): readonly Row[] {
  if (requestBody === undefined) return [];
  const { content, 'x-required': inEither } = requestBody;
  const { required, properties } = content['application/json'].schema;
  const place = inEither === undefined ? 'body' : 'query or body';
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    note: `${place}, ${(inEither ?? required).includes(name) ? 'required' : 'optional'}`,
    schema,
  }));
}

/** Answers of success with their schemas, failures with their codes. */
function answersHtml({ responses }: OpenApiOperation): string {
  const failures: string[] = [];
  let successes = '';
  for (const [status, response] of Object.entries(responses)) {
    const text = escaped(response.description);
    if (Number(status) >= 400) failures.push(`<tr><td>${status}</td><td>${text}</td></tr>`);
    else successes += `<h4>Answer ${status}</h4>${contentHtml(response)}`;
  }
  return `${successes}<h4>Failures</h4><table>${failures.join('')}</table>`;
}

function contentHtml({ content, description }: OpenApiResponse): string {
  if (content === undefined) return `<p>${escaped(description)}</p>`;
  const shown = Object.entries(content).map(
    ([media, { schema }]) => `<p>${escaped(media)}</p>${schemaHtml(schema)}`,
  );
  return shown.join('');
}

function exampleHtml(operation: OpenApiOperation): string {
  const request = operation['x-example-request'];
  if (request === undefined) return '';
  const { method, path, headers, body } = request;
  const lines = [
    `${method} ${path}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', body]),
  ];
  const answer = Object.values(operation.responses)
    .flatMap(({ content }) => Object.values(content ?? {}))
    .find(({ example }) => example !== undefined);
  const shown =
    answer === undefined ? '' : `<pre>${escaped(JSON.stringify(answer.example, null, 2))}</pre>`;
  return `<h4>Example</h4><pre>${escaped(lines.join('\n'))}</pre>${shown}`;
}
