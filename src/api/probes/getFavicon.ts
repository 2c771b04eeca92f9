// GET /favicon.ico: the icon that browsers request and show beside the name of a page.

import { Type } from 'typebox';
import { defineQuery } from '../operation.ts';
import { answerOnce } from './answerOnce.ts';

const sign =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
  '<rect width="16" height="16" rx="3" fill="#1b4d3e"/>' +
  '<path d="M4 3.5h8v2H6.5v1.6h4.6v2H6.5v1.4H12v2H4z" fill="#fff"/></svg>';

export const getFavicon = defineQuery({
  name: 'getFavicon',
  surface: 'probe',
  method: 'GET',
  path: '/favicon.ico',
  auth: 'none',
  weight: 1,
  document: true,
  summary: 'The icon that a browser shows.',
  parameters: Type.Object({}),
  response: Type.String({ description: 'A picture.', contentMediaType: 'image/svg+xml' }),
  query: answerOnce(() => ({ status: 200, text: sign, contentType: 'image/svg+xml' })),
});
