// Streams for the fast lane, as a seed draws them: requests of the usual form, the tricks by which
// two readers of one stream come to different requests (request smuggling), and bytes with defects.

import { type Draw, spoilBytes, strangePieces } from './draw.ts';
import type { LaneCase } from './laneStage.ts';

export function drawLaneCase(draw: Draw): LaneCase {
  const parts: Buffer[] = [];
  for (let i = 1 + draw.below(draw.once(4) ? 6 : 3); i > 0; i -= 1) parts.push(drawPart(draw));
  // Usual clients send a request at a time; others cut anywhere.
  const pieces = draw.once(2) ? parts : cutAnywhere(draw, Buffer.concat(parts));
  return {
    pieces: pieces
      .filter(({ length }) => length > 0)
      .map((bytes) => ({ bytes, turns: draw.once(3) ? 0 : draw.below(8) })),
    slow: draw.once(5),
    ends: draw.once(12),
  };
}

function cutAnywhere(draw: Draw, bytes: Buffer): readonly Buffer[] {
  if (draw.once(3)) return [bytes];
  const cuts = Array.from({ length: draw.below(5) }, () => draw.below(bytes.length + 1));
  const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, i) => bytes.subarray(places[i]!, end));
}

const kinds = { usual: 40, smuggled: 30, spoilt: 15, lines: 20, noise: 2 };

function drawPart(draw: Draw): Buffer {
  switch (draw.weighed(kinds)) {
    case 'usual':
      return latin(usualRequest(draw));
    case 'smuggled':
      return latin(smuggled(draw));
    case 'spoilt': {
      let bytes = latin(usualRequest(draw));
      for (let i = draw.below(3); i >= 0; i -= 1) {
        bytes = draw.once(2) ? spoilBytes(draw, bytes) : spoilOne(draw, bytes);
      }
      return bytes;
    }
    case 'lines':
      return latin(strangeLine(draw));
    case 'noise':
      return draw.bytes(1 + draw.below(60));
  }
}

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** One byte that parsers care about, at one place: replaced, put in, or taken out. */
function spoilOne(draw: Draw, bytes: Buffer): Buffer {
  const at = draw.below(bytes.length + 1);
  const byte = latin(
    draw.pick([' ', '\t', '\r', '\n', '\0', ':', ',', ';', '\x7f', '\x80', '\v', '#', '0']),
  );
  const gone = draw.pick([0, 1, 1, 2]);
  const put = draw.once(4) ? latin('') : byte;
  return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + gone)]);
}

const paths = ['now', 'now/late', 'order', 'order/late', 'head', 'head/late', 'large', 'wide'];
const rarePaths = [
  'empty',
  'document',
  'throw',
  'ordér',
  'a%20b',
  'a%zz',
  'a"b',
  'a#b',
  'a|b',
  'a\\b',
];
const queries = ['', '', '?symbol=BTCUSDT', '?a=1&b=%41+c', '?timestamp=1&signature=ab', '?'];

function target(draw: Draw): string {
  const path = draw.once(8) ? draw.pick(rarePaths) : draw.pick(paths);
  const open = draw.once(10)
    ? draw.pick([
        '/api/',
        '/',
        '',
        'fapi/',
        '/FAPI/',
        'http://x/fapi/',
        '//fapi/',
        '/fapi',
        '*',
        '/fapi/../',
      ])
    : '/fapi/';
  return `${open}v1/${path}${draw.pick(queries)}`;
}

const method = (draw: Draw): string =>
  draw.once(12)
    ? draw.pick(['HEAD', 'OPTIONS', 'PATCH', 'get', 'TRACE', 'CONNECT', 'PRI', 'POSTX', 'G ET'])
    : draw.pick(['GET', 'POST', 'PUT', 'DELETE']);

const usualLines = [
  'Host: fapi.example',
  'User-Agent: python-requests/2.32.3',
  'Accept: */*',
  'Accept-Encoding: gzip, deflate, br',
  'Connection: keep-alive',
  'X-MBX-APIKEY: 0123456789abcdef',
  'Content-Type: application/json',
  'Content-Type: application/x-www-form-urlencoded',
  'Origin: https://page.example',
  'X-Forwarded-For: 203.0.113.9, 10.0.0.1',
  'Idempotency-Key: k1',
  'If-None-Match: W/"x"',
  'Authorization: Bearer x',
  'x-other: 1',
];

function someLines(draw: Draw): string[] {
  const lines = usualLines.filter(() => draw.once(3));
  return draw.once(6) ? lines.map((line) => caseOf(draw, line)) : lines;
}

function caseOf(draw: Draw, line: string): string {
  const at = line.indexOf(':');
  const name = line.slice(0, at);
  const changed = draw.once(2) ? name.toUpperCase() : name.toLowerCase();
  return changed + line.slice(at);
}

const bodies = ['', '', '{"a":1}', 'a=1&b=2', 'x'.repeat(300), 'GET /fapi/v1/now HTTP/1.1\r\n\r\n'];

function usualRequest(draw: Draw): string {
  const body = draw.once(60) ? 'y'.repeat(3000 + draw.below(3000)) : draw.pick(bodies);
  const lines = someLines(draw);
  if (body !== '' || draw.once(4))
    lines.splice(draw.below(lines.length + 1), 0, `Content-Length: ${body.length}`);
  return requestOf(`${method(draw)} ${target(draw)} HTTP/1.1`, lines, body);
}

const requestOf = (line: string, lines: readonly string[], body: string): string =>
  `${[line, ...lines].join('\r\n')}\r\n\r\n${body}`;

/** The request that a smuggler wants to be seen. */
const hidden = 'GET /fapi/v1/order/hidden HTTP/1.1\r\nHost: x\r\n\r\n';

/** A body that two readers may end at two places. */
function smuggled(draw: Draw): string {
  const body = draw.pick([
    hidden,
    `0\r\n\r\n${hidden}`,
    `5\r\nhello\r\n0\r\n\r\n${hidden}`,
    `5;a=b\r\nhello\r\n0\r\n\r\n`,
    `5;${'e'.repeat(200)}\r\nhello\r\n0\r\nX: y\r\n\r\n`,
    `5\nhello\n0\n\n${hidden}`,
    'hello',
    '',
  ]);
  const size = body.length;
  const length = draw.pick([
    `Content-Length: ${size}`,
    `Content-Length: ${draw.pick([0, 3, 4, 5, size + 1, size + 20, Math.max(0, size - hidden.length)])}`,
    `Content-Length: ${draw.pick(strangeLengths(size))}`,
    `Content-Length: ${draw.pick(['+', '-', '0', '00'])}${size}`,
    `Content-Length: ${size}\r\nContent-Length: ${draw.pick([size, 0, size + 1])}`,
    `Content-Length: ${size}, ${size}`,
    `content-length: ${size}\r\nCONTENT-LENGTH: 0`,
    `Content-Length : ${size}`,
    ` Content-Length: ${size}`,
    `X: y\r\n Content-Length: ${size}`,
    `Content-Length:\r\n ${size}`,
    `Content-Length:${size}`,
    `Content-Length:\t${size}`,
    `Content-Length: ${size}\t`,
    `Content-Length: ${size} `,
    `Content-Length: ${size}\n`,
    `Content_Length: ${size}`,
    `Content-Length\0: ${size}`,
    `X: y\rContent-Length: ${size}`,
    `X: y\nContent-Length: ${size}`,
    '',
  ]);
  const lines = [...someLines(draw), ...(length === '' ? [] : [length])];
  if (draw.once(2)) lines.splice(draw.below(lines.length + 1), 0, draw.pick(encodings));
  return requestOf(
    `${draw.pick(['POST', 'POST', 'GET', 'DELETE'])} ${target(draw)} HTTP/1.1`,
    lines,
    body,
  );
}

const strangeLengths = (size: number): readonly string[] => [
  `+${size}`,
  `-${size}`,
  `0${size}`,
  `00`,
  `0x${size.toString(16)}`,
  `${size}.0`,
  `${size}e0`,
  `${size};`,
  `${size} ${size}`,
  '9'.repeat(20),
  '18446744073709551616',
  '4294967296',
  '99999',
  '',
  ' ',
  '\x0b5',
];

const encodings = [
  'Transfer-Encoding: chunked',
  'transfer-encoding: CHUNKED',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding : chunked',
  ' Transfer-Encoding: chunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding:\x0bchunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
  'X: y\nTransfer-Encoding: chunked',
  'X: y\rTransfer-Encoding: chunked',
  'Transfer-Encoding:\r\n chunked',
  'Transfer_Encoding: chunked',
  'Transfer-Encoding: "chunked"',
  'TE: trailers',
  'Trailer: X',
];

const strangeHeads = [
  'Connection: close',
  'Connection: Keep-Alive',
  'Connection: keep-alive, X-MBX-APIKEY',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Upgrade: h2c',
  'Connection: keep-alive\r\nConnection: close',
  'Proxy-Connection: close',
  'Keep-Alive: timeout=1',
  'Expect: 100-continue',
  'Expect: x',
  'HTTP2-Settings: AAMAAABkAAQAAP__',
  'Host: a\r\nHost: b',
  'X-MBX-APIKEY: a\r\nX-MBX-APIKEY: b',
  'x-mbx-apikey: a\r\nX-Mbx-Apikey: a',
  'X-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 2.2.2.2',
  'Authorization: a\r\nAuthorization: b',
  'X-MBX-APIKEY:',
  'X-MBX-APIKEY: ',
  'X-MBX-APIKEY:a',
  'X-MBX-APIKEY:  a  ',
  'X-MBX-APIKEY: a\r\n b',
  'X-MBX-APIKEY: a\r\n\tb',
  'X-MBX-APIKEY : a',
  'X-MBX_APIKEY: a',
  'X-MBX-APIKEY: \xe9',
  ': x',
  'NoColon',
  'Cookie: a\r\nCookie: b',
  'Content-Type: nonsense',
  'Content-Type: a/b\r\nContent-Type: c/d',
  'Access-Control-Request-Method: POST\r\nOrigin: https://page.example',
];

/** A request with one unusual line, or whose lines end otherwise. */
function strangeLine(draw: Draw): string {
  const lines = someLines(draw);
  const line = draw.once(4)
    ? `X: ${draw.pick(strangePieces)}`
    : draw.once(30)
      ? draw.pick([
          `X: ${'a'.repeat(17_000)}`,
          Array.from({ length: 105 }, (_, i) => `X${i}: y`).join('\r\n'),
        ])
      : draw.pick(strangeHeads);
  lines.splice(draw.below(lines.length + 1), 0, line);
  const version = draw.once(4)
    ? draw.pick([
        'HTTP/1.0',
        'HTTP/2.0',
        'HTTP/0.9',
        'http/1.1',
        'HTTP/1.2',
        'HTTP/1.1 ',
        'HTTP/1.1\t',
        '',
        'RTSP/1.0',
      ])
    : 'HTTP/1.1';
  const space = draw.once(10) ? draw.pick(['  ', '\t', '']) : ' ';
  const body = draw.once(2) ? '' : draw.pick(bodies);
  if (body !== '') lines.push(`Content-Length: ${body.length}`);
  const text = requestOf(`${method(draw)}${space}${target(draw)}${space}${version}`, lines, body);
  const before = draw.once(6) ? draw.pick(['\r\n', '\n', '\r\n\r\n', ' ', '\r', '\0']) : '';
  const end = draw.once(6) ? draw.pick(['\n', '\r', '\r\r\n', '\n\r']) : '\r\n';
  return before + text.replaceAll('\r\n', end);
}
