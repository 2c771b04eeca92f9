// GET /: the page for a person who opens the address of the exchange in a browser: its owner, and
// links.

import { Type } from 'typebox';
import { defineQuery } from '../operation.ts';
import { answerOnce } from './answerOnce.ts';
import { chainNames } from './chainNames.ts';

const contentType = 'text/html; charset=utf-8';

const links = [
  ['/docs', 'every operation, to read'],
  ['/docs/openapi.json', 'the same as an OpenAPI document'],
  ['/docs/asyncapi.json', 'what is said over WebSockets'],
  ['/fapi/v1/exchangeInfo', 'the markets'],
  ['/health', 'whether it is up'],
] as const;

export const getWelcome = defineQuery({
  name: 'getWelcome',
  surface: 'probe',
  method: 'GET',
  path: '/',
  auth: 'none',
  weight: 1,
  document: true,
  summary: 'A page for browsers with links to everything.',
  parameters: Type.Object({}),
  response: Type.String({ description: 'The page.', contentMediaType: 'text/html' }),
  query: answerOnce(({ deployment: { chainId, version } }) => ({
    status: 200,
    text: page(`Evermark ${version}, chain ${chainId} (${chainNames[chainId] ?? 'unnamed'})`),
    contentType,
  })),
});

function page(title: string): string {
  const items = links.map(([path, does]) => `<li><a href="${path}">${path}</a>: ${does}</li>`);
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width">' +
    '<style>body{font:15px/1.6 system-ui,sans-serif;margin:2rem}:root{color-scheme:light dark}</style>' +
    `<title>Evermark</title></head><body><h1>${title}</h1>` +
    `<p>A perpetual-futures exchange. This address is for programs; here is what they ask.</p>` +
    `<ul>${items.join('')}</ul></body></html>`
  );
}
