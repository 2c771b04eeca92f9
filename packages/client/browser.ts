// The package as browsers, and what is like them, load it.

import type { CallsOptions } from '../../src/client/createCalls.ts';
import { clientOfRoutes, type OpenClient } from './clientOfRoutes.ts';

export { ApiError } from '../../src/client/apiError.ts';
export { levelsOf } from '../../src/client/book.ts';
export { createStreamClient } from '../../src/client/createStreamClient.ts';
export { gridOf } from '../../src/client/grid.ts';
export { keepBook } from '../../src/client/keepBook.ts';

export const createClient = (options: CallsOptions): OpenClient => clientOfRoutes(options);
