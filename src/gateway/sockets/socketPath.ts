// The addresses at which sockets open (WS-3; conventions, 12.2, 13.1), with those of stock clients
// that append a path to `…/ws`.

import type { SocketOpening } from '../../streams/streams.ts';
import { decodePercents } from '../decodeEscapes.ts';
import { pairsMax, parsePairs, queryOf } from '../parsePairs.ts';

/** What a client appends to its configured address, as if `/ws` were not there. */
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

/** Pieces that a path or a list in the query may have: the streams of a connection and a few. */
const piecesMax = 1024 + 8;

/**
 * What the address asks for; undefined if no socket is served there, or for more names than a
 * connection may have streams.
 */
export function parseSocketPath(url: string): SocketOpening | undefined {
  const mark = url.indexOf('?');
  const segments = decode(mark < 0 ? url : url.slice(0, mark));
  if (segments === undefined) return undefined;
  if (segments[0] === 'ws' && appended.has(segments[1] ?? '')) segments.shift();
  const grouped = groups.has(segments[0] ?? '');
  if (grouped) segments.shift();
  const [kind, ...names] = segments;
  const query = readQuery(queryOf(url));
  if (query === undefined) return undefined;
  const { streams, listenKeys, events } = query;
  if (kind === 'ws-fapi' && !grouped && names.join('/') === 'v1') return trading;
  const wraps = kind === 'stream';
  if (kind !== 'ws' && (!wraps || names.length > 0)) return undefined;
  const named = [...names, ...streams];
  const either = !grouped && !wraps && named.length === 0 && listenKeys.length === 0;
  return { protocol: either ? undefined : 'fapi', wraps, names: named, listenKeys, events };
}

/** The segments of a path; undefined if it is not a path. */
function decode(path: string): string[] | undefined {
  if (!path.startsWith('/')) return undefined;
  const segments: string[] = [];
  for (const segment of piecesOf(path)) {
    const decoded = decodePercents(segment);
    if (decoded === undefined) return undefined;
    segments.push(decoded);
  }
  return segments.length > piecesMax ? undefined : segments;
}

/** The texts between slashes, at most one more than `piecesMax`. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let at = 0;
  while (at < text.length && pieces.length <= piecesMax) {
    const slash = text.indexOf('/', at);
    const end = slash < 0 ? text.length : slash;
    if (end > at) pieces.push(text.slice(at, end));
    at = end + 1;
  }
  return pieces;
}

type Query = {
  readonly streams: readonly string[];
  readonly listenKeys: readonly string[];
  readonly events: ReadonlySet<string> | undefined;
};

function readQuery(text: string): Query | undefined {
  const { items } = parsePairs(text);
  if (items.length === pairsMax) return undefined;
  const lists = { streams: [] as string[], listenkey: [] as string[], events: [] as string[] };
  for (const { key, value } of items) {
    const list = Object.hasOwn(lists, key) ? lists[key as keyof typeof lists] : undefined;
    list?.push(...piecesOf(value));
    if (list !== undefined && list.length > piecesMax) return undefined;
  }
  const { streams, listenkey: listenKeys, events } = lists;
  return { streams, listenKeys, events: events.length === 0 ? undefined : new Set(events) };
}
