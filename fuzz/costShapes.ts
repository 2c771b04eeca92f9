// The additional content of requests for the target of cost: texts and bodies of every size that
// readers may handle badly. Everything is a function of the draw.

import type { Draw } from './draw.ts';

export type Stuffing = { readonly name: string; readonly text: string };

const pairPieces: Readonly<Record<string, string>> = {
  'a&': 'a&',
  '%&': '%&',
  '=&': '=&',
  '&': '&',
  'a=1&': 'a=1&',
  '+&': '+&',
  '%41&': '%41&',
  '%zz=%zz&': '%zz=%zz&',
  'a==&': 'a==&',
  'é&': '%c3%a9&',
  orderIdList: 'orderIdList=1&',
  origClientOrderIdList: 'origClientOrderIdList=a&',
  symbol: 'symbol=BTCUSDT&',
  streams: 'streams=btcusdt@depth/&',
  signature: 'signature=00&',
  timestamp: 'timestamp=1&',
};

const longValues: Readonly<Record<string, string>> = {
  letters: 'x',
  escapes: '%41',
  'bad escapes': '%',
  'zero escapes': '%00',
  plus: '+',
  digits: '9',
  commas: '1,',
  brackets: '[',
  quotes: '%22',
};

/** A query or form of about this many bytes. */
export function drawPairs(draw: Draw, size: number): Stuffing {
  switch (draw.below(4)) {
    case 0: {
      const name = draw.pick(Object.keys(longValues));
      const key = draw.pick(['symbol', 'batchOrders', 'orderIdList', 'x', 'newClientOrderId']);
      return { name: `${key}=${name}…`, text: `${key}=${fill(longValues[name]!, size)}` };
    }
    case 1: {
      const pairs: string[] = [];
      for (let length = 0, at = 0; length < size; at += 1) {
        const pair = `p${at}=${at}`;
        pairs.push(pair);
        length += pair.length + 1;
      }
      return { name: 'many names', text: pairs.join('&') };
    }
    default: {
      const name = draw.pick(Object.keys(pairPieces));
      return { name: `${name} repeated`, text: fill(pairPieces[name]!, size) };
    }
  }
}

export function fill(piece: string, size: number): string {
  return piece.repeat(Math.max(1, Math.floor(size / piece.length)));
}

const around = (left: string, middle: string, right: string, size: number): string => {
  const depth = Math.max(1, Math.floor(size / (left.length + right.length)));
  return left.repeat(depth) + middle + right.repeat(depth);
};
const listOf = (piece: string, size: number): string => `[${fill(`${piece},`, size)}${piece}]`;

/** JSON, whole or broken. Without an object or array at its start only its content type counts. */
const jsonShapes: Readonly<Record<string, (size: number) => string>> = {
  'nested arrays': (size) => around('[', '1', ']', size),
  'nested objects': (size) => around('{"a":', '1', '}', size),
  'open arrays': (size) => fill('[', size),
  'open objects': (size) => fill('{"a":', size),
  'many members': (size) => {
    const members: string[] = [];
    for (let length = 0, at = 0; length < size; at += 1) {
      const member = `"p${at}":${at}`;
      members.push(member);
      length += member.length + 1;
    }
    return `{${members.join()}}`;
  },
  'one member repeated': (size) => `{${fill('"a":1,', size)}"a":1}`,
  'long text': (size) => `{"symbol":"${'x'.repeat(size)}"}`,
  'escaped text': (size) => `{"symbol":"${fill('\\u0041', size)}"}`,
  'open text': (size) => `{"symbol":"${'x'.repeat(size)}`,
  'open escapes': (size) => `{"symbol":"${fill('\\', size)}`,
  'long number': (size) => `{"quantity":${'9'.repeat(size)}}`,
  'long fraction': (size) => `{"quantity":0.${'0'.repeat(size)}1}`,
  'long exponent': (size) => `{"quantity":1e${'9'.repeat(size)}}`,
  'many numbers': (size) => `{"orderIdList":${listOf('1', size)}}`,
  'many texts': (size) => `{"origClientOrderIdList":${listOf('"a"', size)}}`,
  'many empty orders': (size) => `{"batchOrders":${listOf('{}', size)}}`,
  'many orders': (size) =>
    `{"batchOrders":${listOf('{"symbol":"BTCUSDT","side":"BUY","type":"MARKET","quantity":"0"}', size)}}`,
  'orders in a text': (size) => `{"batchOrders":${JSON.stringify(listOf('{"symbol":"B"}', size))}}`,
  'bare list': (size) => listOf('{"symbol":"BTCUSDT"}', size),
  'blank and brace': (size) => `${' '.repeat(size)}{`,
  'brace and blank': (size) => `{${' '.repeat(size)}`,
  'blank alone': (size) => ' \r\n\t'.repeat(Math.max(1, size >> 2)),
  'many commas': (size) => `[${','.repeat(size)}]`,
  'unpaired halves': (size) => `{"symbol":"${fill('\\ud800', size)}"}`,
};

export function drawJson(draw: Draw, size: number): Stuffing {
  const name = draw.pick(Object.keys(jsonShapes));
  return { name, text: jsonShapes[name]!(size) };
}

/** Additional headers of a request, about this many bytes. */
export function drawHeaders(draw: Draw, size: number): Stuffing {
  const lines = (make: (at: number) => string, each: number): string =>
    Array.from({ length: Math.max(1, Math.floor(size / each)) }, (_, at) => make(at)).join('');
  const name = draw.pick(['names', 'one name', 'forwarded', 'key', 'idempotency', 'bearer', 'odd']);
  switch (name) {
    case 'names':
      return { name: 'many headers', text: lines((at) => `x-${at}: 1\r\n`, 10) };
    case 'one name':
      return { name: 'one header repeated', text: lines(() => 'x-mbx-apikey: 1\r\n', 17) };
    case 'forwarded':
      return { name, text: `X-Forwarded-For: ${fill('127.0.0.1, ', size)}198.18.9.9\r\n` };
    case 'key':
      return { name: 'long key', text: `X-MBX-APIKEY: ${'f'.repeat(size)}\r\n` };
    case 'idempotency':
      return { name: 'long idempotency key', text: `Idempotency-Key: ${'k'.repeat(size)}\r\n` };
    case 'bearer':
      return { name: 'long token', text: `Authorization: Bearer ${fill('ey.', size)}\r\n` };
    default:
      return {
        name: 'odd headers',
        text: draw.pick([
          'Content-Type: ;;;;\r\n',
          'Expect: 100-continue\r\n',
          'Content-Encoding: gzip\r\n',
          'Origin: http://x\r\nAccess-Control-Request-Method: POST\r\n',
          `Cookie: ${fill('a=b; ', size)}\r\n`,
          `Accept: ${fill('a/b;q=0.1, ', size)}\r\n`,
          `Accept-Encoding: ${fill('br, ', size)}\r\n`,
          'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
          'Content-Length: 5\r\nContent-Length: 6\r\n',
        ]),
      };
  }
}

export function drawPath(draw: Draw, size: number): Stuffing {
  const pieces = ['a/', '/', '%41', '%', '../', '%2f', '%00', ';a', '.', ':x/'];
  const piece = draw.pick(pieces);
  const head = draw.pick([
    '/fapi/v1/',
    '/api/v1/orders/',
    '/',
    '/docs/',
    '/fapi/v1/order/',
    '/ws/',
  ]);
  return { name: `path ${head}${piece}…`, text: head + fill(piece, size) };
}

/** A body in HTTP chunks of this many bytes. */
export function chunked(body: Buffer, pieceBytes: number): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += pieceBytes) {
    const piece = body.subarray(at, at + pieceBytes);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
}
