// Finds the handler of a request by its method and path.

import findMyWay, { type HTTPMethod } from 'find-my-way';
import type { Handlers, Route } from './handlers.ts';
import type { Handler } from './incomingRequest.ts';

/** The longest piece of a path that a route takes as a value. */
const pathValueMax = 100;

export type RoutedRow = Pick<Route, 'method' | 'path' | 'aliases'>;

/** The handler of a request, and the values in its path by the names of the route. */
export type RouteMatch = {
  readonly handler: Handler;
  readonly params: Readonly<Record<string, string>>;
};

/** Takes a method, and path with query as the client sent them. */
export type Router = (method: string, target: string) => RouteMatch;

/** Throws when two rows share a path. */
export function createRouter(
  { byRoute, refusals }: Pick<Handlers, 'byRoute' | 'refusals'>,
  rows: readonly RoutedRow[],
): Router {
  const tree = trees.get(rows) ?? plantTree(rows);
  trees.set(rows, tree);
  const unknown: RouteMatch = { handler: refusals.pathUnknown, params: {} };
  const malformed: RouteMatch = { handler: refusals.requestMalformed, params: {} };
  return (method, target) => {
    const found = tree.find(method as HTTPMethod, target);
    if (found === null) return unknown;
    const { store, params } = found as { store: Place | null; params: RouteMatch['params'] };
    return store === null ? malformed : { handler: byRoute[store.index]!, params };
  };
}

type Tree = ReturnType<typeof findMyWay>;
/** Where the row of a path is in its table. */
type Place = { readonly index: number };

/** Listeners of the same table share its tree, which costs more than everything else of them. */
const trees = new WeakMap<readonly RoutedRow[], Tree>();

function plantTree(rows: readonly RoutedRow[]): Tree {
  const unused = (): void => {};
  const tree = findMyWay({
    maxParamLength: pathValueMax,
    querystringParser: () => ({}),
    // For a bad escape and for a value that is too long, the library finds a route without a store.
    onBadUrl: unused,
    onMaxParamLength: unused,
  });
  for (const [index, { method, path, aliases = [] }] of rows.entries()) {
    const place: Place = { index };
    // The platform sends an answer to HEAD without its body (CON-4).
    const methods: HTTPMethod[] = method === 'GET' ? ['GET', 'HEAD'] : [method];
    for (const each of [path, ...aliases]) tree.on(methods, each, unused, place);
  }
  return tree;
}
