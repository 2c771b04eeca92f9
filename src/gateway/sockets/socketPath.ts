// The addresses at which sockets are opened (WS-3; conventions, 12.2, 13.1), the prefix of stock
// clients that append theirs to `…/ws` among them.

import type { SocketOpening } from '../../streams/streams.ts';
import { parsePairs, queryOf } from '../parsePairs.ts';

/** What a client appends to the address that it was given, as if `/ws` were not there. */
const appended: ReadonlySet<string> = new Set([
  'ws',
  'public',
  'market',
  'private',
  'stream',
  'ws-fapi',
]);
const groups: ReadonlySet<string> = new Set(['public', 'market', 'private']);

/** `/ws-fapi/v1` (WS-6). */
const trading: SocketOpening = {
  protocol: 'trading',
  wraps: false,
  names: [],
  listenKeys: [],
  events: undefined,
};

/** What the address asks for; undefined where no socket is served. */
export function parseSocketPath(url: string): SocketOpening | undefined {
  const mark = url.indexOf('?');
  const segments = decode(mark < 0 ? url : url.slice(0, mark));
  if (segments === undefined) return undefined;
  if (segments[0] === 'ws' && appended.has(segments[1] ?? '')) segments.shift();
  const grouped = groups.has(segments[0] ?? '');
  if (grouped) segments.shift();
  const [kind, ...names] = segments;
  const { streams, listenKeys, events } = readQuery(queryOf(url));
  if (kind === 'ws-fapi' && !grouped && names.join('/') === 'v1') return trading;
  const wraps = kind === 'stream';
  if (kind !== 'ws' && (!wraps || names.length > 0)) return undefined;
  const named = [...names, ...streams];
  const either = !grouped && !wraps && named.length === 0 && listenKeys.length === 0;
  return { protocol: either ? undefined : 'fapi', wraps, names: named, listenKeys, events };
}

/** The segments of a path; undefined when it is none. */
function decode(path: string): string[] | undefined {
  if (!path.startsWith('/')) return undefined;
  try {
    return path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

type Query = {
  readonly streams: readonly string[];
  readonly listenKeys: readonly string[];
  readonly events: ReadonlySet<string> | undefined;
};

function readQuery(text: string): Query {
  const { items } = parsePairs(text);
  const valuesOf = (key: string): string[] =>
    items
      .filter((item) => item.key === key)
      .flatMap(({ value }) => value.split('/'))
      .filter((value) => value !== '');
  const events = valuesOf('events');
  return {
    streams: valuesOf('streams'),
    listenKeys: valuesOf('listenkey'),
    events: events.length === 0 ? undefined : new Set(events),
  };
}
