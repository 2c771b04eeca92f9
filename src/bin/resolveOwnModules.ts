// For each import of each module the runtime looks for the package that decides the module's
// format, from the module's folder upwards. All modules of this program have one format, and their
// imports name files. So a start need not look.

import { registerHooks } from 'node:module';

const sources = new URL('..', import.meta.url).href;

/**
 * Resolves what modules of this program import from each other from now on; other imports stay with
 * the runtime. It holds for the calling thread.
 */
export function resolveOwnModules(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL } = context;
      const isOwn = parentURL?.startsWith(sources) === true;
      if (!isOwn || !/^\.\.?\/.*\.ts$/.test(specifier)) return next(specifier, context);
      const { href: url } = new URL(specifier, parentURL);
      return { url, format: 'module-typescript', shortCircuit: true };
    },
  });
}
