// The target of bytes: data over a socket that need not be HTTP. Requests that are cut or joined,
// wrong lengths, heads that no client writes, broken upgrades. Every answer is HTTP, documented and
// in the order of the requests. A client that gets only refusals has changed nothing.

import { createHmac } from 'node:crypto';
import { tidyStage } from '../test/api/badInputStage.ts';
import { createDraw, type Draw, spoilBytes, strangePieces } from './draw.ts';
import { lateMark, openSocketStage, type SocketStage } from './socketStage.ts';
import { demand, sentenceOf, type TargetReport, type TargetRun, tryRounds } from './target.ts';

const roundSize = 500;
const perMoment = 10;
const perClearance = 100;

export function rawTarget(run: TargetRun): Promise<TargetReport> {
  return tryRounds('raw', { ...run, roundSize }, async ({ seed, count, begin, add }) => {
    const draw = createDraw(seed);
    const at = await openSocketStage(seed);
    try {
      for (let i = 0; i < count; i += 1) {
        if (i % perMoment === 0 && !(await at.pass(20_000))) break;
        if (i % perClearance === 0) await tidyStage(at.stage);
        begin();
        add(await tryBytes(draw, at));
      }
      return undefined;
    } catch (error) {
      return sentenceOf(error);
    } finally {
      await at.close();
    }
  });
}

/** Bytes to send; `answers`: the expected answers to the first requests, which are valid. */
export type RawCase = {
  readonly bytes: Buffer;
  readonly answers: readonly RegExp[];
};

async function tryBytes(draw: Draw, at: SocketStage): Promise<string> {
  const kind = draw.weighed(kinds);
  const { bytes, answers } = makers[kind](draw, at);
  const pieces = cut(draw, bytes);
  at.look();
  const before = at.world.stateHash();
  const heard = await at.talk(pieces);
  const changed = at.world.stateHash() !== before;
  const wrong = wrongWithHeard(heard, { answers, changed }) ?? faultOf(at);
  demand(wrong === undefined, () => {
    const sent = JSON.stringify(bytes.toString('latin1').slice(0, 3000));
    return `${kind}: ${wrong}\n  sent: ${sent}\n  heard: ${heard.toString('latin1').slice(0, 3000)}`;
  });
  return `${kind} ${statusesOf(heard)}`;
}

const faultOf = ({ world }: SocketStage): string | undefined =>
  world.faults.length === 0 ? undefined : `a fault: ${sentenceOf(world.faults[0])}`;

function cut(draw: Draw, bytes: Buffer): readonly Buffer[] {
  if (draw.once(2) || bytes.length < 2) return [bytes];
  const at = 1 + draw.below(bytes.length - 1);
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

export type HttpAnswer = { readonly status: number; readonly text: string };

/**
 * The answers in the received bytes; a sentence when they are not HTTP. Reading ends at an upgrade.
 */
export function readAnswers(heard: Buffer): readonly HttpAnswer[] | string {
  const answers: HttpAnswer[] = [];
  let rest = heard.toString('latin1');
  while (rest !== '') {
    const head = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[!-9;-~]+: ?[^\r\n]*\r\n)*)\r\n/.exec(rest);
    if (head === null) return `no answer of HTTP: ${JSON.stringify(rest.slice(0, 300))}`;
    const [whole, code, headers] = head as unknown as [string, string, string];
    const status = Number(code);
    if (status === 101) return [...answers, { status, text: '' }];
    rest = rest.slice(whole.length);
    if (status === 100) continue;
    const length = Number(/^content-length: (\d+)\r$/im.exec(headers)?.[1] ?? Number.NaN);
    if (status !== 204 && Number.isNaN(length)) return `an answer without a length: ${whole}`;
    const text = status === 204 ? '' : rest.slice(0, length);
    if (status !== 204 && text.length < length) return 'an answer is cut short';
    rest = rest.slice(text.length);
    answers.push({ status, text });
  }
  return answers;
}

const statusesOf = (heard: Buffer): string => {
  const answers = readAnswers(heard);
  return typeof answers === 'string'
    ? 'broken'
    : [...new Set(answers.map(({ status }) => status))].sort().join();
};

type Expected = { readonly answers: readonly RegExp[]; readonly changed: boolean };

/** A sentence; undefined when everything is right. */
export function wrongWithHeard(heard: Buffer, { answers, changed }: Expected): string | undefined {
  if (heard.includes(lateMark)) return 'the server did not close';
  const read = readAnswers(heard);
  if (typeof read === 'string') return read;
  const bad = read.find(({ status }) => status >= 500 && status !== 503);
  if (bad !== undefined) return `answered ${bad.status} ${bad.text}`;
  const odd = read.find((answer) => answer.status >= 400 && !isDocumented(answer));
  if (odd !== undefined) return `answered, undocumented, ${odd.status} ${odd.text}`;
  const [astray] = read
    .slice(0, answers.length)
    .map(({ status, text }, place) => [`${status} ${text}`, place] as const)
    .filter(([answer, place]) => !answers[place]!.test(answer));
  if (astray !== undefined) return `answer ${astray[1]} is out of order: ${astray[0]}`;
  const refused = read.length > 0 && read.every(({ status }) => status >= 400);
  return refused && changed ? 'refused, and the state is another' : undefined;
}

/** In the form of one surface, or of both when the surface is not known. */
function isDocumented({ text }: HttpAnswer): boolean {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    const fapi = typeof body.code === 'number' && typeof body.msg === 'string';
    const error = body.error as Record<string, unknown> | undefined;
    const native = body.success === false && typeof error?.code === 'string';
    return fapi || native;
  } catch {
    return false;
  }
}

const kinds = {
  pipelined: 3,
  behind: 4,
  order: 2,
  spoilt: 8,
  lengths: 6,
  chunks: 4,
  head: 8,
  line: 6,
  expect: 2,
  upgrade: 5,
  noise: 3,
} as const;

const crlf = '\r\n';
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');
const alone = (text: string): RawCase => ({ bytes: bytesOf(text), answers: [] });

const goods: readonly (readonly [text: string, answer: RegExp])[] = [
  ['GET /fapi/v1/ping HTTP/1.1\r\nHost: x\r\n\r\n', /^200 \{\}$/],
  ['GET /fapi/v1/time HTTP/1.1\r\nHost: x\r\n\r\n', /^200 \{"serverTime":\d+\}$/],
  ['GET /health HTTP/1.1\r\nHost: x\r\n\r\n', /^200 \{"status"/],
  ['GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n', /^404 \{"code":-1000,/],
];

/** A new resting order, signed. If it was placed, the answer must not be a refusal. */
export function orderText({ stage, world }: SocketStage): string {
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '49000' };
  const newClientOrderId = `raw-${stage.serial()}`;
  const body = JSON.stringify({ ...order, newClientOrderId });
  const query = `timestamp=${world.clock.now()}`;
  const signature = createHmac('sha256', stage.alice.secretKey)
    .update(query + body)
    .digest('hex');
  return (
    `POST /fapi/v1/order?${query}&signature=${signature} HTTP/1.1${crlf}Host: x${crlf}` +
    `X-MBX-APIKEY: ${stage.alice.apiKey}${crlf}Content-Type: application/json${crlf}` +
    `Content-Length: ${body.length}${crlf}${crlf}${body}`
  );
}

const anything = /^\d{3} /;

const makers: Readonly<Record<keyof typeof kinds, (draw: Draw, at: SocketStage) => RawCase>> = {
  pipelined: (draw, at) => {
    const chosen = Array.from({ length: 1 + draw.below(8) }, () => draw.pick(goods));
    const texts = chosen.map(([text]) => text);
    const answers = chosen.map(([, answer]) => answer);
    if (draw.once(2)) {
      texts.push(orderText(at));
      answers.push(/^(200|400) \{"(code|orderId|symbol|clientOrderId)/);
    }
    return { bytes: bytesOf(texts.join('')), answers };
  },
  behind: (draw, at) => {
    // An answer under way, and invalid bytes after the request.
    const [text, answer] = draw.once(2) ? [orderText(at), anything] : draw.pick(goods);
    const junk = draw.pick([
      'NONSENSE\r\n\r\n',
      '\0\0',
      'GET / HTTP/9.9\r\n\r\n',
      'G',
      ' \r\n\r\n',
    ]);
    return { bytes: bytesOf(text + junk), answers: [answer] };
  },
  order: (_draw, at) => alone(orderText(at)),
  spoilt: (draw, at) => {
    let bytes = bytesOf(draw.once(2) ? orderText(at) : draw.pick(goods)[0]);
    for (let i = draw.below(3); i >= 0; i -= 1) bytes = spoilBytes(draw, bytes);
    return { bytes, answers: [] };
  },
  lengths: (draw, at) => {
    const order = orderText(at);
    const length = Number(/Content-Length: (\d+)/.exec(order)![1]);
    const said = draw.pick([
      length - 1,
      length + 1,
      0,
      -1,
      '+5',
      '0x10',
      '1e3',
      ' ',
      `${length}, ${length}`,
      `${length}\r\nContent-Length: ${length + 1}`,
      `${length}\r\nTransfer-Encoding: chunked`,
      2 ** 53,
      '9'.repeat(40),
      1024 * 1024 + 1,
    ]);
    return alone(order.replace(/Content-Length: \d+/, `Content-Length: ${said}`));
  },
  chunks: (draw, at) => {
    const order = orderText(at);
    const [head, body] = order.split('\r\n\r\n') as [string, string];
    const size = body.length.toString(16);
    const chunked = head.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');
    const pieces = draw.pick([
      `${size}\r\n${body}\r\n0\r\n\r\n`,
      `${size};x=y\r\n${body}\r\n0\r\nTrailer: x\r\n\r\n`,
      `${size}\r\n${body}\r\n`,
      `zz\r\n${body}\r\n0\r\n\r\n`,
      `-1\r\n${body}\r\n0\r\n\r\n`,
      `ffffffffffffffff1\r\n${body}`,
      `${size}\n${body}\n0\n\n`,
      `0${size}\r\n${body}0\r\n\r\n`,
      `0\r\n\r\n${body}`,
    ]);
    return alone(`${chunked}\r\n\r\n${pieces}`);
  },
  head: (draw) => {
    const piece = draw.pick(strangePieces);
    const header = draw.pick([
      `X: ${piece}`,
      `${piece}: x`,
      'X : y',
      ' X: y',
      'X\r\n y: z',
      'NoColon',
      ': empty',
      `X: ${'a'.repeat(20_000)}`,
      Array.from({ length: 1500 }, (_, i) => `X${i}: y`).join(crlf),
      'Host: y',
      `X-Forwarded-For: ${piece}, 10.0.0.1`,
      'Transfer-Encoding: identity',
      'Connection: close, X-MBX-APIKEY',
      'Content-Type: application/json; charset=utf-7',
      `Authorization: Bearer ${piece}`,
    ]);
    return alone(`GET /fapi/v1/ping HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`);
  },
  line: (draw) => {
    const piece = draw.pick(strangePieces);
    const line = draw.pick([
      `GET ${piece} HTTP/1.1`,
      `GET /${piece} HTTP/1.1`,
      `GET /fapi/v1/depth?symbol=${piece} HTTP/1.1`,
      'GET /fapi/v1/ping',
      'GET /fapi/v1/ping HTTP/0.9',
      'GET /fapi/v1/ping HTTP/1.0',
      'GET /fapi/v1/ping HTTP/2.0',
      'PRI * HTTP/2.0',
      'get /fapi/v1/ping HTTP/1.1',
      'OPTIONS * HTTP/1.1',
      'CONNECT x:1 HTTP/1.1',
      'TRACE / HTTP/1.1',
      'GET http://x/fapi/v1/ping HTTP/1.1',
      'GET  /fapi/v1/ping  HTTP/1.1',
      `GET /${'a'.repeat(20_000)} HTTP/1.1`,
      '',
    ]);
    const end = draw.pick([crlf, crlf, crlf, '\n', '\r']);
    return alone(`${draw.once(8) ? crlf : ''}${line}${end}Host: x${end}${end}`);
  },
  expect: (draw, at) => {
    const said = draw.pick(['100-continue', '200-ok', '100-continue, x', 'x', '']);
    return alone(orderText(at).replace('Host: x', `Host: x\r\nExpect: ${said}`));
  },
  upgrade: upgradeCase,
  noise: (draw) => ({ bytes: draw.bytes(1 + draw.below(400)), answers: [] }),
};

function upgradeCase(draw: Draw): RawCase {
  const path = draw.pick(['/ws', '/stream', '/ws-fapi/v1', '/nothing', '/ws/%zz', '/fapi/v1/ping']);
  const key = draw.pick(['dGhlIHNhbXBsZSBub25jZQ==', '', 'short', '☃', undefined]);
  const version = draw.pick(['13', '13', '13', '8', '0', '99', 'x', undefined]);
  const method = draw.pick(['GET', 'GET', 'GET', 'POST', 'DELETE']);
  const extra = draw.pick([
    '',
    'Sec-WebSocket-Protocol: x, x\r\n',
    'Sec-WebSocket-Protocol: ,\r\n',
    'Sec-WebSocket-Extensions: permessage-deflate; x="\r\n',
    'Origin: null\r\n',
    'Content-Length: 5\r\n',
  ]);
  const closing = Buffer.from([0x88, 0x80, 0, 0, 0, 0]);
  const head =
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n` +
    `Upgrade: ${draw.pick(['websocket', 'websocket', 'WebSocket', 'h2c', 'websocket, h2c'])}\r\n` +
    (version === undefined ? '' : `Sec-WebSocket-Version: ${version}\r\n`) +
    (key === undefined ? '' : `Sec-WebSocket-Key: ${key}\r\n`) +
    `${extra}\r\n`;
  return { bytes: Buffer.concat([Buffer.from(head, 'utf8'), closing]), answers: [] };
}
