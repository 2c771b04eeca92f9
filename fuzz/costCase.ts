// One case of the target of cost: a request of a row of the operations table or of none, by a
// client with or without a credential, with its content and the way in which it is sent.

import { createHmac } from 'node:crypto';
import type { Operation } from '../src/api/operation.ts';
import { operations } from '../src/api/operations.ts';
import { partsOf, workOf } from '../src/engine/work.ts';
import { workPerWeight } from '../src/gateway/accountCeilings.ts';
import { parsePairs } from '../src/gateway/parsePairs.ts';
import { queryFields } from '../src/gateway/requestFields.ts';
import { weightOf } from '../src/gateway/weightOf.ts';
import { goodRequests } from '../test/api/badInputStage.ts';
import type { CostClass } from './costBudget.ts';
import { drawFrames } from './costFrames.ts';
import type { Spenders, SpentKind } from './costLimits.ts';
import type { Clients, CostCase, Fire } from './costMeter.ts';
import {
  chunked,
  drawHeaders,
  drawJson,
  drawPairs,
  drawPath,
  type Stuffing,
} from './costShapes.ts';
import type { CostStage } from './costStage.ts';
import { sendAll } from './costWire.ts';
import type { Draw } from './draw.ts';

export type CostWorld = {
  readonly at: CostStage;
  readonly spenders: Spenders;
  readonly clients: Clients;
};

const kinds = {
  http: 48,
  limited: 16,
  chunks: 6,
  pipelined: 6,
  upgrade: 6,
  frames: 14,
  deep: 4,
} as const;

export function drawCostCase(draw: Draw, world: CostWorld): Promise<CostCase> | CostCase {
  const kind = draw.weighed(kinds);
  switch (kind) {
    case 'http':
      return httpCase(draw, world, {});
    case 'chunks':
      return httpCase(draw, world, { pieceBytes: draw.pick([1, 1, 2, 16, 1000]) });
    case 'pipelined':
      return httpCase(draw, world, { pipelined: true });
    case 'limited':
      return limitedCase(draw, world);
    case 'upgrade':
      return upgradeCase(draw, world);
    case 'frames':
      return drawFrames(draw, world);
    case 'deep':
      return deepCase(draw, world);
  }
}

/** Requests of one burst, and bytes. */
const burstMax = 20;
const burstBytesMax = 4_000_000;
/** The largest drawn part of a head. */
const headMax = 15_000;
const bodyMax = 1_048_576;

/** Between the two; every order of magnitude is equally likely. */
export function drawSize(draw: Draw, max: number): number {
  const power = (draw.below(1000) / 1000) * Math.log(max / 8);
  return draw.once(8) ? max : Math.floor(8 * Math.exp(power));
}

const credentials = [
  'none',
  'none',
  'unknown',
  'disabled',
  'badly signed',
  'good',
  'good',
] as const;
type Credential = (typeof credentials)[number];

/** The drawn parts of a request; `write` makes its bytes, stamped and signed again. */
export type Drawn = {
  readonly row: Operation;
  readonly credential: Credential;
  readonly path: string;
  readonly query: string;
  readonly body: Buffer | undefined;
  readonly type: string;
  readonly headers: string;
  readonly pieceBytes: number;
};

type How = { readonly pieceBytes?: number; readonly pipelined?: boolean };

async function httpCase(draw: Draw, world: CostWorld, how: How): Promise<CostCase> {
  const row = draw.pick(operations);
  const credential = draw.pick(credentials);
  const { drawn, what } = await drawRequest(draw, world, { row, credential, ...how });
  const fresh = how.pipelined !== true && draw.once(10);
  return caseOf(world, drawn, { what, fresh, ...how });
}

type Sending = How & { readonly what: string; readonly fresh?: boolean };

/** Cases for the exchange with wide limits, by the class of the row. */
export function caseOf({ at, clients }: CostWorld, drawn: Drawn, sending: Sending): CostCase {
  const { row, credential, pieceBytes, body } = drawn;
  const { what, fresh = false, pipelined = false } = sending;
  const target = row.surface === 'operator' ? at.wideOperator : at.wide;
  const sent = pipelined ? ', pipelined' : pieceBytes > 0 ? `, chunks of ${pieceBytes}` : '';
  return {
    kind: classOf(row, credential),
    what: `${row.name}, ${credential}, ${what}${sent}`,
    target,
    weight: unitsOf(row, drawn.query),
    pieces: pieceBytes === 0 ? 0 : Math.ceil((body?.length ?? 0) / pieceBytes),
    burstMax: countOf(write(at, drawn).length),
    endsSession: row.name === 'logout' && credential === 'good',
    prepare: async (count): Promise<Fire> => {
      // Orders that rest would soon be as many as the account may have.
      if (row.countsAsOrder === true && credential === 'good') await at.tidy();
      const requests = Array.from({ length: count }, () => write(at, drawn));
      const open = clients.of(target);
      return () => sendAll({ clients: open, requests, fresh, pipelined });
    },
    wrong: ({ statuses }) => {
      const isTaken = hasGoodToken(drawn) && row.name !== 'logout';
      return isTaken && statuses.has(401) ? 'refused with 401 though its token is good' : undefined;
    },
  };
}

/** A drawn header of the same name would come first. */
const hasGoodToken = ({ row: { auth }, credential, headers }: Drawn): boolean =>
  (auth === 'jwt' || auth === 'operator') &&
  credential === 'good' &&
  !headers.includes('Authorization');

const countOf = (bytes: number): number =>
  Math.max(1, Math.min(burstMax, Math.floor(burstBytesMax / bytes)));

/** Answers of FAPI report a larger one. */
function unitsOf(row: Operation, query: string): number {
  const weight = weightOf(row, () => queryFields(parsePairs(query)));
  return Math.max(1, weight) + (row.countsAsOrder === true ? 1 : 0);
}

function classOf({ auth, surface }: Operation, credential: Credential): CostClass {
  if (auth === 'none' || credential !== 'good') return 'stranger';
  return surface === 'operator' ? 'operator' : 'served';
}

type Asked = {
  readonly row: Operation;
  readonly credential: Credential;
  readonly pieceBytes?: number;
};

/** Valid parameters where possible, with something large added or in their place. */
async function drawRequest(
  draw: Draw,
  { at }: CostWorld,
  { row, credential, pieceBytes = 0 }: Asked,
): Promise<{ drawn: Drawn; what: string }> {
  const made = await Promise.resolve(draw.pick(goodRequests(row))(at.stage)).catch(() => ({}));
  const left = new Map(Object.entries(made));
  let path = row.path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = String(left.get(name) ?? 'x');
    left.delete(name);
    return encodeURIComponent(value);
  });
  const inQuery = row.method === 'GET' || row.method === 'DELETE';
  const pairs = [...left].map(([name, value]) => `${name}=${encodeURIComponent(textOf(value))}`);
  let query = inQuery ? pairs.join('&') : '';
  let body = inQuery ? undefined : JSON.stringify(Object.fromEntries(left));
  let type = 'application/json';
  let headers = '';
  let stuffing: Stuffing = { name: 'good', text: '' };
  const where =
    pieceBytes > 0 ? 'body' : draw.pick(['good', 'query', 'body', 'body', 'head', 'path']);
  if (where === 'query') {
    stuffing = drawPairs(draw, drawSize(draw, headMax - query.length));
    query = [query, stuffing.text].filter((text) => text !== '').join('&');
  } else if (where === 'body') {
    const max = pieceBytes === 0 ? bodyMax + 60_000 : Math.min(bodyMax, 100_000 * pieceBytes);
    const form = draw.once(2);
    stuffing = form ? drawPairs(draw, drawSize(draw, max)) : drawJson(draw, drawSize(draw, max));
    type = form ? 'application/x-www-form-urlencoded' : type;
    body = stuffing.text;
  } else if (where === 'head') {
    stuffing = drawHeaders(draw, drawSize(draw, headMax));
    headers = stuffing.text;
  } else if (where === 'path') {
    stuffing = drawPath(draw, drawSize(draw, headMax));
    path = stuffing.text;
  }
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const drawn = { row, credential, path, query, body: bytes, type, headers, pieceBytes };
  const size = stuffing.text.length;
  return { drawn, what: `${where} of ${stuffing.name}, ${size} bytes` };
}

const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** An address outside this machine, because some rows are open only to neighbours. */
const ownAddress = '198.19.1.1';

function write(at: CostStage, drawn: Drawn, forwarded = ownAddress): Buffer {
  const { row, credential, path, body, type, headers, pieceBytes } = drawn;
  let { query } = drawn;
  const own = forwarded === '' ? '' : `X-Forwarded-For: ${forwarded}\r\n`;
  let head = `Host: x\r\n${own}${headers}`;
  const { alice } = at.stage;
  if (row.auth.startsWith('key') && credential !== 'none') {
    const key = credential === 'disabled' ? at.disabled : alice;
    if (row.auth === 'key') query = sign(query, body, { key, bad: credential === 'badly signed' });
    head += `X-MBX-APIKEY: ${credential === 'unknown' ? 'f'.repeat(64) : key.apiKey}\r\n`;
  } else if (row.auth !== 'none' && credential !== 'none') {
    const token = row.auth === 'operator' ? at.operatorToken : alice.token;
    head += `Authorization: Bearer ${credential === 'good' ? token : `${token}x`}\r\n`;
  }
  const target = query === '' ? path : `${path}?${query}`;
  const first = `${row.method} ${target} HTTP/1.1\r\n`;
  if (body === undefined) return Buffer.from(`${first}${head}\r\n`, 'latin1');
  const framed = pieceBytes > 0 ? chunked(body, pieceBytes) : body;
  head += `Content-Type: ${type}\r\n`;
  head += pieceBytes > 0 ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  return Buffer.concat([Buffer.from(`${first}${head}\r\n\r\n`, 'latin1'), framed]);
}

type SigningKey = { readonly key: { readonly secretKey: string }; readonly bad: boolean };

function sign(query: string, body: Buffer | undefined, { key, bad }: SigningKey): string {
  const text = `${query === '' ? '' : `${query}&`}recvWindow=60000&timestamp=${Date.now()}`;
  const signed = createHmac('sha256', key.secretKey).update(text);
  if (body !== undefined && String(body.subarray(0, 100)).trim() !== '') signed.update(body);
  const hex = signed.digest('hex');
  return `${text}&signature=${bad ? hex.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) : hex}`;
}

/**
 * Requests of callers who are over a limit: whatever they carry is refused for the price of one.
 */
async function limitedCase(draw: Draw, world: CostWorld): Promise<CostCase> {
  const neighbour = draw.once(10) ? 1 + draw.below(60_000) : 0;
  const by = neighbour > 0 ? 'public' : draw.pick(limits);
  const row = draw.pick(operations.filter((each) => meets(each, by)));
  const pieceBytes = by === 'public' || draw.below(4) > 0 ? 0 : 1;
  const { drawn, what } = await drawRequest(draw, world, { row, credential: 'none', pieceBytes });
  return refusedCase(world, { by, neighbour, drawn, what });
}

const limits = ['public', 'public', 'native', 'key', 'gate', 'probe'] as const;

/** Whether the limit applies before the row. */
function meets({ auth, surface }: Operation, by: SpentKind): boolean {
  if (by === 'native') return surface === 'native' && auth === 'none';
  if (by === 'probe') return surface === 'probe';
  return surface === 'fapi' && (by === 'public' ? auth === 'none' : auth === 'key');
}

type Refusing = {
  readonly by: SpentKind;
  /** Above 0: another address of the network that has used up its share. */
  readonly neighbour?: number;
  readonly drawn: Drawn;
  readonly what?: string;
};

export function refusedCase(world: CostWorld, refusing: Refusing): CostCase {
  const { at, spenders, clients } = world;
  const { by, neighbour = 0, drawn, what = 'plain' } = refusing;
  const bytesOf = (spent: string): Buffer => {
    // A valid signature, because the key's limit comes after its check.
    const query = by === 'key' ? spenders.signed(drawn.query, drawn.body) : drawn.query;
    return write(at, { ...drawn, query, headers: spent + drawn.headers }, '');
  };
  return {
    kind: 'refused',
    what: `${drawn.row.name}, over the limit ${neighbour > 0 ? 'of its network' : by}, ${what}`,
    target: at.narrow,
    weight: 0,
    burstMax: countOf(bytesOf('').length),
    prepare: async (count): Promise<Fire> => {
      const spent = neighbour > 0 ? await spenders.neighbour(neighbour) : await spenders.spend(by);
      const requests = Array.from({ length: count }, () => bytesOf(spent));
      const open = clients.of(at.narrow);
      return () => sendAll({ clients: open, requests, fresh: false, pipelined: false });
    },
    wrong: ({ statuses }) => {
      const served = [...statuses.keys()].find((status) => status >= 200 && status < 300);
      return served === undefined ? undefined : `served with ${served} though over its limit`;
    },
  };
}

/** Upgrades, with drawn content in their address. */
function upgradeCase(draw: Draw, { at, clients }: CostWorld): CostCase {
  const path = draw.pick(['/ws', '/stream', '/ws-fapi/v1', '/public/ws', '/nothing']);
  const size = drawSize(draw, headMax);
  const stuffing = draw.pick([drawPairs, drawPairs, drawPath, drawHeaders])(draw, size);
  const inPath = stuffing.text.startsWith('/');
  const inHead = stuffing.text.endsWith('\r\n');
  const address = inPath ? stuffing.text : inHead ? path : `${path}?${stuffing.text}`;
  const request = Buffer.from(
    `GET ${address} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
      `${inHead ? stuffing.text : ''}\r\n`,
    'latin1',
  );
  return {
    kind: 'stranger',
    what: `upgrade ${path}, ${stuffing.name}, ${stuffing.text.length} bytes`,
    target: at.wide,
    weight: 1,
    burstMax,
    prepare: async (count): Promise<Fire> => {
      const requests = Array.from({ length: count }, () => request);
      const open = clients.of(at.wide);
      return async () => {
        const sent = await sendAll({ clients: open, requests, fresh: true, pipelined: false });
        for (const client of open) client.renew();
        return sent;
      };
    },
  };
}

/** Orders that a deep book cannot fill, and tests of orders that it can fill. */
function deepCase(draw: Draw, world: CostWorld): CostCase {
  const name = draw.pick(['testOrder', 'placeOrder']);
  const row = operations.find((each) => each.name === name)!;
  // Orders that can fill are only tested: the book must stay deep.
  const type = name === 'testOrder' ? draw.pick(['LIMIT', 'LIMIT', 'MARKET']) : 'LIMIT';
  const isWhole = type === 'LIMIT' && (name === 'placeOrder' || draw.once(2));
  const terms = type === 'LIMIT' ? `&price=52500&timeInForce=${isWhole ? 'FOK' : 'IOC'}` : '';
  const quantity = draw.pick(name === 'testOrder' ? [1, 9, 15] : [9, 15]);
  const query = `symbol=BTCUSDT&side=BUY&type=${type}&quantity=${quantity}${terms}`;
  const drawn: Drawn = {
    ...{ row, credential: 'good', path: row.path, query, body: undefined },
    ...{ type: '', headers: '', pieceBytes: 0 },
  };
  const asked = quantity / world.at.offers.size;
  const fits = asked <= world.at.offers.count;
  const met = isWhole && !fits ? 0 : Math.min(asked, world.at.offers.count);
  const tried = caseOf(world, drawn, { what: `over a deep book ${query}` });
  return { ...tried, weight: tried.weight + met * weightPerMeeting };
}

/**
 * The weight that an account pays for an order that a tentative execution fills and undoes
 * (AUTH-7b, ORD-14).
 */
const weightPerMeeting = (workOf.meeting + 5 * workOf.takenBack) / partsOf(workPerWeight);
