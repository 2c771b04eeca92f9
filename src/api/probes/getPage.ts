// GET /: the trading page, for a person who opens the address of the exchange in a browser.

import { Type } from 'typebox';
import { defineProcedure } from '../operation.ts';

export const getPage = defineProcedure({
  name: 'getPage',
  surface: 'probe',
  method: 'GET',
  path: '/',
  auth: 'none',
  weight: 1,
  document: true,
  summary: 'The trading page for browsers, with links to the documentation.',
  parameters: Type.Object({}),
  failures: ['pageNotBuilt'],
  response: Type.String({ description: 'The page.', contentMediaType: 'text/html' }),
  procedure: ({ deployment }) => deployment.page.shell(),
});
