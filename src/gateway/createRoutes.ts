// Which row of a door a request is for, by its method and path.

import createRouter, { type HTTPMethod } from 'find-my-way';
import type { Serve } from './arrival.ts';
import type { Door, Route } from './door.ts';

/** The longest piece of a path that a route takes as a value. */
const pathValueMax = 100;

export type RoutesRow = Pick<Route, 'method' | 'path' | 'aliases'>;

/** What serves a request, or refuses it, and the values in its path by the names of the route. */
export type Found = {
  readonly serve: Serve;
  readonly params: Readonly<Record<string, string>>;
};

/** Takes a method and path with query as they were sent. Throws when two rows share a path. */
export function createRoutes(
  { serves, refuses }: Pick<Door, 'serves' | 'refuses'>,
  rows: readonly RoutesRow[],
): (method: string, target: string) => Found {
  const unused = (): void => {};
  const router = createRouter({
    maxParamLength: pathValueMax,
    querystringParser: () => ({}),
    // A bad escape, and a value that is too long: found, and nothing is stored there.
    onBadUrl: unused,
    onMaxParamLength: unused,
  });
  for (const [index, { method, path, aliases = [] }] of rows.entries()) {
    // The platform sends an answer to HEAD without its body (CON-4).
    const methods: HTTPMethod[] = method === 'GET' ? ['GET', 'HEAD'] : [method];
    for (const each of [path, ...aliases]) router.on(methods, each, unused, serves[index]!);
  }
  const unknown: Found = { serve: refuses.pathUnknown, params: {} };
  const malformed: Found = { serve: refuses.requestMalformed, params: {} };
  return (method, target) => {
    const found = router.find(method as HTTPMethod, target);
    if (found === null) return unknown;
    const { store, params } = found as { store: Serve | null; params: Found['params'] };
    return store === null ? malformed : { serve: store, params };
  };
}
