// The one form of a request that the fast lane reads, and what it hands over to the platform.

import { expect, test } from 'vitest';
import { parseRequest } from '../../../src/gateway/lane/parseRequest.ts';

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');
const requestOf = (lines: readonly string[], body = ''): Buffer =>
  bytesOf(`${lines.join('\r\n')}\r\n\r\n${body}`);
const order = 'POST /fapi/v1/order?timestamp=1&signature=ab%2F HTTP/1.1';

test('a usual order is read: target, headers whatever their case, body', () => {
  const bytes = requestOf(
    [
      order,
      'Host: x',
      'x-mbx-apiKEY: key',
      'Connection: Keep-Alive',
      'X-Other:1',
      'content-length: 7',
    ],
    '{"a":1}',
  );
  const request = parseRequest(bytes);
  expect(request).toEqual({
    method: 'POST',
    target: '/fapi/v1/order?timestamp=1&signature=ab%2F',
    headers: { 'x-mbx-apikey': 'key', 'content-length': '7' },
    body: bytesOf('{"a":1}'),
  });
});

test.each(['GET', 'PUT', 'DELETE'])('%s without a header or a body is read', (method) => {
  const target = '/fapi/v1/ping';
  expect(parseRequest(bytesOf(`${method} ${target} HTTP/1.1\r\n\r\n`))).toEqual({
    ...{ method, target, headers: {}, body: undefined },
  });
});

test('every shorter part of a request, and a request with more behind it, is handed over', () => {
  const whole = requestOf([order, 'Host: x', 'Content-Length: 3'], 'abc');
  expect(parseRequest(whole)).not.toBe('handOver');
  for (let end = 0; end < whole.length; end += 1) {
    expect(parseRequest(whole.subarray(0, end))).toBe('handOver');
  }
  for (const more of ['x', '\r\n', whole.toString('latin1')]) {
    expect(parseRequest(Buffer.concat([whole, bytesOf(more)]))).toBe('handOver');
  }
});

test.each([
  'HEAD /fapi/v1/ping HTTP/1.1',
  'get /fapi/v1/ping HTTP/1.1',
  'GET /api/v1/ping HTTP/1.1',
  'GET http://x/fapi/v1/ping HTTP/1.1',
  'GET //fapi/v1/ping HTTP/1.1',
  'GET  /fapi/v1/ping HTTP/1.1',
  'GET /fapi/v1/ping  HTTP/1.1',
  'GET /fapi/v1/ping HTTP/1.0',
  'GET /fapi/v1/ping HTTP/1.1 ',
  'GET /fapi/v1/ping',
  'GET /fapi/v1/pi#ng HTTP/1.1',
  'GET /fapi/v1/pi"ng HTTP/1.1',
  'GET /fapi/v1/pi\tng HTTP/1.1',
  'GET /fapi/v1/pi\0ng HTTP/1.1',
  'GET /fapi/v1/pi\xe9ng HTTP/1.1',
  '\r\nGET /fapi/v1/ping HTTP/1.1',
])('the line %j is handed over', (line) => {
  expect(parseRequest(requestOf([line]))).toBe('handOver');
});

test.each([
  'Transfer-Encoding: chunked',
  'Expect: 100-continue',
  'Upgrade: websocket',
  'Connection: close',
  'Connection: keep-alive, upgrade',
  'Connection: keep-alive\r\nConnection: keep-alive',
  'Proxy-Connection: keep-alive',
  'TE: trailers',
  'Trailer: x',
  'Content-Length: 0\r\nContent-Length: 0',
  'Content-Length: +0',
  'Content-Length: 00',
  'Content-Length: -0',
  'Content-Length: 0, 0',
  'Content-Length: 0x0',
  'Content-Length:',
  'Content-Length: 99999999999999999999',
  'X-MBX-APIKEY: a\r\nx-mbx-apikey: a',
  'X-Forwarded-For: a\r\nX-Forwarded-For: b',
  'Host: a\r\nHost: a',
  'X-MBX-APIKEY : a',
  ' X-MBX-APIKEY: a',
  'X-MBX-APIKEY:  a',
  'X-MBX-APIKEY: a ',
  'X-MBX-APIKEY:\ta',
  'X-MBX-APIKEY: a\tb',
  'X-MBX-APIKEY: a\r\n b',
  'X-MBX-APIKEY: a\0',
  'X-MBX-APIKEY: \xe9',
  'X-MBX-APIKEY:',
  'X: y\nX-MBX-APIKEY: a',
  'X: y\rX-MBX-APIKEY: a',
  'NoColon',
  ': x',
  'X_Y: z',
])('a head with %j is handed over', (line) => {
  expect(parseRequest(requestOf([order, line]))).toBe('handOver');
  expect(parseRequest(requestOf([order, 'Host: x', line, 'Accept: */*']))).toBe('handOver');
});

test('heads that end with bare line feeds, long heads and many lines are handed over', () => {
  const lines = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, i) => `X${i}: y`);
  expect(parseRequest(requestOf([order, ...lines(60)]))).not.toBe('handOver');
  expect(parseRequest(requestOf([order, ...lines(61)]))).toBe('handOver');
  expect(parseRequest(requestOf([order, `X: ${'y'.repeat(8200)}`]))).toBe('handOver');
  for (const end of ['\n\n', '\r\n\n', '\n\r\n', '\r\r']) {
    expect(parseRequest(bytesOf(`${order}\r\nHost: x${end}`))).toBe('handOver');
  }
});
