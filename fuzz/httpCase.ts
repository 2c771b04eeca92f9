// One drawn request of the target of HTTP: a valid request of a row of the operations table, with
// no defect or with one, encoded as it arrives. This file also contains later changes to signed or
// shown parts.

import { createHmac } from 'node:crypto';
import type { Operation } from '../src/api/operation.ts';
import { operations } from '../src/api/operations.ts';
import { readingOf } from '../src/api/parameterSchema.ts';
import { goodRequests } from '../test/api/badInputStage.ts';
import { badValues } from '../test/api/badValues.ts';
import { type Draw, spoilBytes, spoilText, strangePieces } from './draw.ts';
import type { HttpStage, Verdict, Wire } from './httpStage.ts';

export type HttpCase = { readonly wire: Wire; readonly verdict: Verdict; readonly kind: string };

/** Names and JSON source texts of values, in order. */
type Sources = readonly (readonly [name: string, source: string])[];

type Shape = {
  readonly row: Operation;
  readonly sources: Sources;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Appended to the query unchanged. */
  readonly extra?: string;
  /** Parameters are in the query where the row has a body, or the other way round. */
  readonly swapped?: boolean;
};

const kinds = {
  good: 12,
  value: 20,
  spoilt: 10,
  missing: 4,
  twice: 3,
  extra: 3,
  body: 8,
  encoding: 4,
  headers: 5,
  path: 4,
  wild: 3,
  credential: 8,
  tampered: 8,
  stale: 3,
  foreign: 5,
} as const;

export async function drawHttpCase(draw: Draw, at: HttpStage): Promise<HttpCase> {
  const row = draw.pick(operations);
  const kind = draw.weighed(kinds);
  const make = draw.pick(goodRequests(row));
  const good = Object.entries(await make(at.stage)).map(
    ([name, value]) => [name, JSON.stringify(value)] as const,
  );
  const shape: Shape = { row, sources: good };
  const open = row.auth === 'none';
  switch (kind) {
    case 'credential':
      return { kind, ...wrongCredential(draw, at, shape) };
    case 'tampered':
      return { kind, wire: tamper(draw, wireOf(draw, at, shape)), verdict: 'either' };
    case 'stale': {
      const verdict = row.auth === 'key' ? 'refused' : 'either';
      const away = draw.pick([60_001, -60_001, 1e9, -1e12]);
      return { kind, wire: wireOf(draw, at, shape, { away }), verdict };
    }
    case 'path':
      return { kind, wire: otherPath(draw, wireOf(draw, at, shape)), verdict: 'either' };
    case 'wild':
      return { kind, wire: wild(draw, at), verdict: 'either' };
    default: {
      const spoilt = kind === 'good' ? shape : spoil(draw, at, shape, kind);
      return { kind: open ? kind : `${kind}`, wire: wireOf(draw, at, spoilt), verdict: 'either' };
    }
  }
}

function spoil(draw: Draw, at: HttpStage, shape: Shape, kind: keyof typeof kinds): Shape {
  const { row, sources } = shape;
  const change = (change: (name: string, source: string) => Sources): Shape => {
    if (sources.length === 0) return { ...shape, extra: draw.pick(oddQueries) };
    const chosen = draw.below(sources.length);
    return {
      ...shape,
      sources: sources.flatMap((pair, index) => (index === chosen ? change(...pair) : [pair])),
    };
  };
  switch (kind) {
    case 'value':
      return change((name) => [[name, badSource(draw, row, name)]]);
    case 'spoilt':
      return change((name, source) => [[name, JSON.stringify(spoilText(draw, plain(source)))]]);
    case 'missing':
      return change((name) => draw.pick<Sources>([[], [[name, '""']], [[name, 'null']]]));
    case 'twice':
      return change((name, source) => [
        [name, source],
        [draw.once(2) ? name : name.toUpperCase(), draw.once(2) ? source : '"1"'],
      ]);
    case 'extra': {
      const name = draw.pick(['__proto__', 'constructor', 'recvWindow', 'signature', '', '☃']);
      const source = draw.pick(['1', '{"symbol":"BTCUSDT"}', '[[1]]', '"x"']);
      return { ...shape, sources: [...sources, [name, source]] };
    }
    case 'body':
      return { ...shape, body: oddBody(draw, sources) };
    case 'encoding':
      return draw.once(2)
        ? { ...shape, extra: draw.pick(oddQueries) }
        : { ...shape, swapped: true };
    case 'headers':
      return { ...shape, headers: oddHeaders(draw) };
    default:
      return foreignIds(draw, at, shape);
  }
}

const oddQueries = [
  'x=%zz',
  '%',
  '&&&',
  '=',
  '=1',
  'a&a',
  'symbol',
  'timestamp=1',
  'signature=00',
  'x=%00',
  'x=%c0%af',
  '__proto__=1',
  'constructor[prototype]=1',
  'x[]=1&x[]=2',
  `x=${'y'.repeat(9000)}`,
  Array.from({ length: 500 }, (_, at) => `p${at}=1`).join('&'),
  '?a=1',
  '%26symbol=ETHUSDT',
  'SYMBOL=ETHUSDT',
  'recvWindow=99999999',
];

/** A value that violates the table, or one of another kind. */
function badSource(draw: Draw, row: Operation, name: string): string {
  if (draw.once(4)) return draw.pick(oddSources);
  const schema = row.parameters.properties[name];
  const reading = schema === undefined ? undefined : readingOf(schema);
  return reading === undefined ? draw.pick(oddSources) : draw.pick(badValues(reading)).source;
}

const oddSources = [
  '0',
  '-0',
  '-1',
  '1e3',
  '1E-7',
  '0.000000001',
  '9007199254740991',
  '9007199254740992',
  '99999999999999999999999999',
  '1e40',
  '-1e-40',
  '"0"',
  '"00.10"',
  '"+1"',
  '".5"',
  '"5."',
  '" 1"',
  '"1 "',
  '"Infinity"',
  'true',
  'null',
  '[]',
  '{}',
  '[[[[1]]]]',
  '"\\u0000"',
  '"\\ud800"',
  JSON.stringify('𝒳'.repeat(50)),
  JSON.stringify('9'.repeat(70)),
  JSON.stringify('x'.repeat(2000)),
  '"01900000-0000-7000-8000-000000200000"',
  '"ffffffff-ffff-ffff-ffff-ffffffffffff"',
];

function oddBody(draw: Draw, sources: Sources): string | Buffer {
  const good = `{${sources.map(([name, source]) => `${JSON.stringify(name)}:${source}`).join()}}`;
  switch (draw.below(6)) {
    case 0:
      return spoilText(draw, good);
    case 1:
      return spoilBytes(draw, Buffer.from(good));
    case 2:
      return draw.pick(oddSources);
    case 3: {
      const depth = draw.pick([15, 16, 17, 18, 5000]);
      const [left, right] = draw.once(2) ? ['[', ']'] : ['{"a":', '}'];
      return left.repeat(depth) + (left === '[' ? '' : '1') + right.repeat(depth);
    }
    case 4:
      return draw.pick(['', ' \r\n', '[]', '[1]', '{"__proto__":{"x":1}}', `${good}${good}`]);
    default:
      return draw.once(20) ? `{"x":"${'y'.repeat(1_100_000)}"}` : draw.bytes(draw.below(200));
  }
}

function oddHeaders(draw: Draw): Readonly<Record<string, string>> {
  const printable = draw.pick(['ä', ' ', ',', ';;', '\t', 'x'.repeat(5000), '__proto__', '%00']);
  return draw.pick<Readonly<Record<string, string>>>([
    { 'content-type': draw.pick(['text/plain', ';;', 'application/xml', '', 'json', printable]) },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-encoding': 'gzip' },
    { 'idempotency-key': draw.pick([printable, 'k', '{}', 'x'.repeat(255), 'x'.repeat(256)]) },
    { 'x-forwarded-for': draw.pick(['999.1.1.1', '::1', 'fe80::1%lo', ',', printable]) },
    { 'x-http-method-override': 'DELETE' },
    { accept: printable, 'accept-encoding': 'br', cookie: printable },
    { host: printable, origin: 'null', referer: printable },
    { upgrade: draw.pick(['h2c', 'websocket']), connection: 'upgrade' },
    { expect: '100-continue' },
    { te: 'trailers', trailer: 'x' },
  ]);
}

function foreignIds(draw: Draw, { stage }: HttpStage, shape: Shape): Shape {
  const { orderId, clientOrderId, keyId, algoId, clientAlgoId } = stage.foreign;
  const ids: Readonly<Record<string, string>> = {
    orderId,
    algoId,
    clientAlgoId,
    origClientOrderId: clientOrderId,
    id: draw.pick([keyId, orderId]),
    order_id: orderId,
    orderIdList: orderId,
  };
  const sources = shape.sources.map(
    ([name, source]) =>
      [name, ids[name] === undefined ? source : JSON.stringify(ids[name])] as const,
  );
  return { ...shape, sources };
}

const inQuery = ({ method }: Operation): boolean => method === 'GET' || method === 'DELETE';

const plain = (source: string): string =>
  source.startsWith('"') && source.length > 1 ? textOf(source) : source;

function textOf(source: string): string {
  try {
    return JSON.parse(source) as string;
  } catch {
    return source;
  }
}

const encoded = (source: string): string =>
  encodeURIComponent(plain(source).toWellFormed()).replaceAll("'", '%27');

/**
 * Signed by alice unless another signer is given, stamped with the clock unless the timestamp is
 * wrong.
 */
type Signing = {
  readonly away?: number;
  readonly signer?: { readonly apiKey: string; readonly secretKey: string };
  readonly bare?: boolean;
};

function wireOf(draw: Draw, at: HttpStage, shape: Shape, signing: Signing = {}): Wire {
  const { row, sources, extra, swapped = false } = shape;
  const { world, stage } = at;
  const left = new Map(sources);
  const path = row.path.replace(/:(\w+)/g, (_whole, name: string) => {
    const source = left.get(name) ?? '""';
    left.delete(name);
    return encoded(source);
  });
  const rest = sources.filter(([name]) => !row.path.includes(`:${name}`));
  const asQuery = inQuery(row) !== swapped && shape.body === undefined;
  const pairs = rest.map(([name, source]) => `${encodeURIComponent(name)}=${encoded(source)}`);
  const members = rest.map(([name, source]) => `${JSON.stringify(name)}:${source}`);
  const body = shape.body ?? (asQuery ? undefined : `{${members.join()}}`);
  let query = [...(asQuery ? pairs : []), ...(extra === undefined ? [] : [extra])].join('&');
  const headers: Record<string, string> = { 'x-forwarded-for': `10.0.0.${draw.below(40)}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const { away = 0, signer = stage.alice, bare = false } = signing;
  if (!bare && row.auth === 'key') {
    const stamp = `timestamp=${world.clock.now() + away}`;
    query = query === '' ? stamp : `${query}&${stamp}`;
    const signed = createHmac('sha256', signer.secretKey).update(query);
    // GET has no body; a blank body counts as none.
    const counts = row.method !== 'GET' && String(body ?? '').trim() !== '';
    if (counts) signed.update(body!);
    query += `&signature=${signed.digest('hex')}`;
  }
  if (!bare && row.auth.startsWith('key')) headers['x-mbx-apikey'] = signer.apiKey;
  if (!bare && row.auth.startsWith('jwt')) headers.authorization = `Bearer ${stage.alice.token}`;
  if (!bare && row.auth === 'operator') headers.authorization = `Bearer ${world.operatorToken}`;
  return {
    listener: row.surface === 'operator' ? 'operator' : 'public',
    method: row.method,
    url: query === '' ? path : `${path}?${query}`,
    headers: { ...headers, ...shape.headers },
    body,
  };
}

/** A token of another account, no token, or a token at the wrong endpoint. */
function wrongCredential(draw: Draw, at: HttpStage, shape: Shape) {
  const { auth } = shape.row;
  const { alice } = at.stage;
  const needs = auth === 'key' || auth === 'jwt' || auth === 'operator';
  const verdict: Verdict = needs ? 'refused' : 'either';
  const { foreignKey, world } = at;
  // The key of one account with the secret of another.
  const mixed = { apiKey: alice.apiKey, secretKey: foreignKey.secretKey };
  if (auth === 'key' && draw.once(2)) {
    return { wire: wireOf(draw, at, shape, { signer: mixed }), verdict };
  }
  const wrong = draw.pick<Readonly<Record<string, string>>>([
    {},
    { authorization: `Bearer ${auth === 'operator' ? alice.token : world.operatorToken}` },
    { authorization: `Bearer ${spoilText(draw, alice.token).replace(/[^\x20-\x7e]/g, '')}x` },
    { authorization: alice.token },
    { authorization: `Basic ${alice.token}` },
    { 'x-mbx-apikey': alice.apiKey },
    { 'x-mbx-apikey': draw.pick(strangePieces).replace(/[^\x20-\x7e]/g, '') },
    { 'x-mbx-apikey': 'f'.repeat(64), authorization: 'Bearer x.y.z' },
  ]);
  const wire = wireOf(draw, at, { ...shape, headers: wrong }, { bare: true });
  return { wire, verdict };
}

/** Changes the bytes of a request after it was signed. */
function tamper(draw: Draw, wire: Wire): Wire {
  if (wire.body !== undefined && draw.once(2)) {
    return { ...wire, body: spoilBytes(draw, Buffer.from(wire.body)) };
  }
  return { ...wire, url: asTarget(spoilText(draw, wire.url)) };
}

function otherPath(draw: Draw, wire: Wire): Wire {
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'SEARCH'];
  if (draw.once(2)) return { ...wire, method: draw.pick(methods) };
  const [path = '/', query] = wire.url.split('?');
  const changed = draw.pick([
    `${path}/`,
    `/${path}`,
    path.toUpperCase(),
    path.replaceAll('/', '//'),
    `${path}/..`,
    `${path}%2f`,
    `${path};x=1`,
    `${path}%00`,
    path.slice(0, -1),
    spoilText(draw, path),
  ]);
  const url = query === undefined ? changed : `${changed}?${query}`;
  return { ...wire, url: asTarget(url) };
}

function wild(draw: Draw, { world }: HttpStage): Wire {
  const parts = ['fapi', 'v1', 'v2', 'api', 'operator', 'order', 'ws', 'futures', 'data', 'docs'];
  const path = Array.from({ length: draw.below(6) }, () =>
    draw.once(4) ? draw.pick(strangePieces) : draw.pick(parts),
  ).join('/');
  return {
    listener: draw.once(3) ? 'operator' : 'public',
    method: draw.pick(['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD']),
    url: asTarget(`/${path}?${draw.pick(oddQueries)}`),
    headers: draw.once(2) ? { authorization: `Bearer ${world.operatorToken}` } : oddHeaders(draw),
    body: undefined,
  };
}

/** An address that the test port does not spell differently: printable ASCII, and a path. */
function asTarget(text: string): string {
  const target = text.replace(/[^\x21-\x7e]|\\/gu, (piece) =>
    encodeURIComponent(piece.toWellFormed()),
  );
  return target.startsWith('/') ? target : `/${target}`;
}
