// The routes of the operations table by surface and name, which the build of this package adds.

declare module 'evermark:routes' {
  import type { Route } from '../../src/api/operation.ts';

  type Routes = Readonly<Record<string, Route>>;
  export const fapiRoutes: Routes;
  export const nativeRoutes: Routes;
}
