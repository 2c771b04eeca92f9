// The documentation page: the OpenAPI document as one HTML text that needs no other file.

import type { OpenApi, OpenApiOperation } from './openApi.ts';

const style =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}' +
  'h2{margin-top:3rem;border-bottom:1px solid #888}summary{cursor:pointer;padding:.2rem 0}' +
  'code,pre{font:13px/1.4 ui-monospace,monospace}' +
  'pre{overflow:auto;background:#8882;padding:.6rem}' +
  'td,th{text-align:left;padding:.1rem .8rem .1rem 0;vertical-align:top}' +
  '.method{display:inline-block;width:4.5rem;font-weight:600}:root{color-scheme:light dark}';

/** The whole page. */
export function documentationPage(document: OpenApi): string {
  const { info, tags, paths } = document;
  const sections = tags.map(({ name, description }) => {
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.tags.includes(name))
        .map(([method, operation]) => operationHtml(method, path, operation)),
    );
    return `<h2>${escaped(name)}</h2><p>${escaped(description)}</p>${operations.join('')}`;
  });
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    `<title>${escaped(info.title)} API</title><style>${style}</style></head><body>` +
    `<h1>${escaped(info.title)} ${escaped(info.version)}</h1><p>${escaped(info.description)} ` +
    'The same as data: <a href="/docs/openapi.json">openapi.json</a>.</p>' +
    `${sections.join('')}</body></html>`
  );
}

function operationHtml(method: string, path: string, operation: OpenApiOperation): string {
  const { summary, description, security, parameters, requestBody, responses } = operation;
  const schemes = security.flatMap((scheme) => Object.keys(scheme)).join(', ');
  const rows = parameters.map(
    ({ name, in: place, required, schema }) =>
      `<tr><td><code>${escaped(name)}</code></td><td>${place}</td>` +
      `<td>${required ? 'required' : 'optional'}</td><td>${code(schema)}</td></tr>`,
  );
  const table = rows.length === 0 ? '' : `<table>${rows.join('')}</table>`;
  const body = requestBody === undefined ? '' : `<p>Body</p>${block(requestBody)}`;
  return (
    `<details id="${escaped(operation.operationId)}"><summary><span class="method">` +
    `${method.toUpperCase()}</span><code>${escaped(path)}</code> ${escaped(summary)}</summary>` +
    `<p>${escaped(description)} ${schemes === '' ? 'Open.' : `Needs: ${escaped(schemes)}.`}</p>` +
    `${table}${body}<p>Answers</p>${block(responses)}</details>`
  );
}

const code = (value: unknown): string => `<code>${escaped(JSON.stringify(value))}</code>`;

const block = (value: unknown): string => `<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`;

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
