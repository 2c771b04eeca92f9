// GET /page/{name}: a script or a style of the trading page. Its name changes with its content, so
// a browser keeps it for ever.

import { Type } from 'typebox';
import { defineProcedure } from '../operation.ts';
import { textParameter } from '../parameterSchema.ts';

const nameLengthMax = 100;

export const getPageFile = defineProcedure({
  name: 'getPageFile',
  surface: 'probe',
  method: 'GET',
  path: '/page/:name',
  auth: 'none',
  weight: 1,
  document: true,
  summary: 'A file that the trading page names.',
  parameters: Type.Object({ name: textParameter({ lengthMax: nameLengthMax }) }),
  failures: ['pageNotBuilt', 'pathUnknown'],
  response: Type.String({ description: 'The file.', contentMediaType: '*/*' }),
  procedure: ({ deployment }, { name }) => deployment.page.file(name),
});
