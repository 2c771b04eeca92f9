// The fuzzer's target of the fast lane finds mistakes of a parser: each of these is one by which
// another exchange was attacked, or a client was answered wrongly.

import { expect, test } from 'vitest';
import { compareLane } from '../../fuzz/laneTarget.ts';
import { type ParseRequest, parseRequest } from '../../src/gateway/lane/parseRequest.ts';

/** Reads a text that was changed before. */
const changed =
  (pattern: RegExp, text: string): ParseRequest =>
  (bytes) =>
    parseRequest(Buffer.from(bytes.toString('latin1').replace(pattern, text), 'latin1'));

const mistakes: readonly (readonly [mistake: string, parse: ParseRequest])[] = [
  ['ignores Transfer-Encoding', changed(/transfer-encoding: chunked\r\n/i, '')],
  ['ignores Connection: close', changed(/connection: close\r\n/i, '')],
  ['takes the second of two lengths', changed(/content-length: \d+\r\n(?=content-length)/i, '')],
  ['takes a blank before the colon', changed(/(\w) :/, '$1:')],
  ['takes bare line feeds', changed(/(?<!\r)\n/g, '\r\n')],
  ['takes a length with a sign', changed(/content-length: \+/i, 'Content-Length: ')],
  ['folds lines', changed(/\r\n[ \t]+/, ' ')],
  ['takes HTTP/1.0', changed(/ HTTP\/1\.0\r\n/, ' HTTP/1.1\r\n')],
  ['ignores Expect', changed(/expect: [^\r]*\r\n/i, '')],
  ['takes the second of two keys', changed(/x-mbx-apikey: [^\r]*\r\n(?=x-mbx-apikey)/i, '')],
  [
    'drops what is behind a request',
    (bytes) => {
      for (let end = bytes.length; end > 0; end -= 1) {
        const request = parseRequest(bytes.subarray(0, end));
        if (request !== 'handOver') return request;
      }
      return 'handOver';
    },
  ],
  [
    'leaves the body out',
    (bytes) => {
      const request = parseRequest(bytes);
      return request === 'handOver' ? request : { ...request, body: undefined };
    },
  ],
];

const perLook = 500;
const looks = 60;

test.each(mistakes)('a parser that %s is found', async (_mistake, parse) => {
  let found = 0;
  for (let look = 0; look < looks && found === 0; look += 1) {
    const seed = 1 + look * perLook;
    const run = { seed, count: perLook, trying: () => {}, stopped: () => false };
    found = (await compareLane(run, parse)).violations.length;
  }
  expect(found).toBeGreaterThan(0);
});
