// The package as browsers, and what is like them, load it.

import type { CallsOptions } from '../../src/client/createCalls.ts';
import { clientOfRoutes, type OpenClient } from './clientOfRoutes.ts';

export { ApiError } from '../../src/client/apiError.ts';
export { createStreamClient } from '../../src/client/createStreamClient.ts';

export const createClient = (options: CallsOptions): OpenClient => clientOfRoutes(options);
