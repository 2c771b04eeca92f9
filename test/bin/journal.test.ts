// The journal writes lines of JSON, and no secret into them: neither a secret that it knows nor one
// that its name or its form shows.

import { expect, test } from 'vitest';
import { createJournal, type Journal } from '../../src/bin/journal.ts';
import { redacted, redactTarget, secretsOfUrl } from '../../src/bin/redact.ts';

type Line = Readonly<Record<string, unknown>> & { readonly msg: string };

function opened(level: 'trace' | 'debug' | 'info'): { journal: Journal; lines: Line[] } {
  const lines: Line[] = [];
  const journal = createJournal(level, { write: (line) => lines.push(JSON.parse(line) as Line) });
  return { journal, lines };
}

const hex = 'ab01'.repeat(16);
const listenKey = 'Zz09'.repeat(16);
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIweDEifQ.c2lnbmF0dXJl-_';

test.each([
  ['a known secret', 'the words "open sesame, now" were wrong', 'open sesame, now'],
  ['a signature in a query', `GET /fapi/v1/order?timestamp=1&signature=${hex} failed`, hex],
  ['a listen key in a query', `GET /stream?listenKey=${listenKey} failed`, listenKey],
  ['a listen key in a path', `the socket /ws/${listenKey} failed`, listenKey],
  ['a bearer token', `authorization: Bearer short-token failed`, 'short-token'],
  ['a token by its form', `could not verify ${jwt} at all`, jwt],
  ['a token behind another', `could not verify x.${jwt}.${jwt}`, jwt],
  ['a key in a header', `{"x-mbx-apikey":"${hex}","host":"x"}`, hex],
  ['an idempotency key', `idempotency-key: order-of-mine failed`, 'order-of-mine'],
  ['a secret in JSON', `unexpected {"secret_key": "${hex}"}`, hex],
  ['the password of a URL', 'postgres://evermark:p4ss:w0rd@db:5432/x refused', 'p4ss:w0rd'],
] as const)('%s is not written', (_what, message, secret) => {
  const { journal, lines } = opened('trace');
  journal.keepSecret('open sesame, now');
  for (const write of [journal.info, journal.warn, journal.error]) write(message);
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    expect(line.msg).toContain(redacted);
    expect(JSON.stringify(line)).not.toContain(secret);
    // What does not belong to the secret stays.
    expect(line.msg).toContain(message.split(secret)[0]!.slice(0, 8));
  }
});

test('the URL of a database is a secret with its password, encoded and plain', () => {
  const url = 'postgres://evermark:p%40ss%2Fword@db.example:5432/evermark?sslmode=require';
  const { journal, lines } = opened('info');
  secretsOfUrl(url).forEach(journal.keepSecret);
  journal.error(`${url}: connection refused; tried p@ss/word and p%40ss%2Fword`);
  expect(lines[0]!.msg).toBe(`${redacted}: connection refused; tried ${redacted} and ${redacted}`);
  expect(secretsOfUrl('postgres://db/evermark')).toEqual([]);
  expect(secretsOfUrl('./history.db')).toEqual([]);
});

test('an empty or short secret removes nothing', () => {
  const { journal, lines } = opened('info');
  for (const secret of ['', 'a', 'orders']) journal.keepSecret(secret);
  journal.info('orders are taken again');
  expect(lines[0]!.msg).toBe('orders are taken again');
});

test('OPS-5 a search for secrets costs in proportion to the text, whatever it contains', () => {
  const best = (text: string): number => {
    const tries = Array.from({ length: 9 }, () => {
      const before = performance.now();
      redactTarget(text);
      return performance.now() - before;
    });
    return Math.min(...tries);
  };
  const pieces = [
    'x',
    'a1',
    'eyJ-',
    'eyJa.',
    '://a:',
    'Bearer ',
    'token= ',
    'a.',
    '-',
    '/ws/',
    '@',
  ];
  for (const piece of pieces) {
    const [short, long] = [5000, 320_000].map((size) => best(piece.repeat(size / piece.length)));
    // 64 times the text. A search that begins anew at each character takes 4096 times as long; a
    // busy machine interrupts the long one, and not the short.
    expect(long! / short!, piece).toBeLessThan(2048);
  }
});

test('text without a secret stays as it is', () => {
  const { journal, lines } = opened('info');
  const messages = [
    'BTCUSDT: the gate refused 3 index prices (the last at 600000 ticks); the index stands at …',
    `batch 12 was run by another engine (${hex}) and is replayed by this one`,
    'orders are refused: the disk has too little room',
    'index source kraken: BTCUSDT: it answers with status 429',
    'fault in placeOrder: Error: assertion failed\n    at file:///opt/evermark/src/std/assert.ts:9:3',
  ];
  for (const message of messages) journal.warn(message);
  expect(lines.map(({ msg }) => msg)).toEqual(messages);
});

test('answers are logged at debug, with addresses at trace, and never at info', () => {
  const served = {
    operation: 'getOrder',
    status: 200,
    milliseconds: 1.5,
    method: 'GET',
    target: `/fapi/v1/order?symbol=BTCUSDT&orderId=0199c82c-c3e8-7000-8000-000001200000&signature=${hex}&x=${hex}`,
  };
  const reported = (level: 'trace' | 'debug' | 'info'): Line[] => {
    const { journal, lines } = opened(level);
    journal.served(served);
    return lines;
  };
  expect(reported('info')).toEqual([]);
  const fields = { operation: 'getOrder', status: 200, milliseconds: 1.5 };
  const [debug] = reported('debug');
  expect(debug).toMatchObject(fields);
  expect(debug).not.toHaveProperty('target');
  expect(reported('trace')).toMatchObject([
    {
      ...fields,
      target:
        'GET /fapi/v1/order?symbol=BTCUSDT&orderId=0199c82c-c3e8-7000-8000-000001200000' +
        `&signature=${redacted}&x=${redacted}`,
    },
  ]);
});

test('OPS-5 a line has the name of its level and an ISO time; the last lines come at any level', () => {
  const lines: Line[] = [];
  const out = { write: (line: string) => lines.push(JSON.parse(line) as Line) };
  createJournal('info', out).warn('one');
  const silent = createJournal('silent', out);
  silent.keepSecret('open sesame, now');
  silent.error('two');
  silent.fatal('the exchange stops: open sesame, now');
  expect(lines).toEqual([
    { level: 'warn', time: expect.any(String), msg: 'one' },
    { level: 'fatal', time: expect.any(String), msg: `the exchange stops: ${redacted}` },
  ]);
  for (const { time } of lines) expect(time).toBe(new Date(String(time)).toISOString());
});

test('OPS-5 an action of the operator is written without secrets', () => {
  const { journal, lines } = opened('info');
  journal.keepSecret('open sesame, now');
  journal.act({
    act: 'creditAccount',
    from: '127.0.0.1',
    asked: { reference: 'open sesame, now', secret: hex, amount: '1' },
    before: undefined,
    after: undefined,
    refused: { code: 'CONFLICT' },
  });
  expect(lines).toMatchObject([
    {
      msg: 'the operator: creditAccount, refused',
      act: 'creditAccount',
      asked: { reference: redacted, secret: redacted, amount: '1' },
      refused: { code: 'CONFLICT' },
    },
  ]);
});

test('the address of a token in JSON is no secret; a token of another form is one', () => {
  const address = `0x${'cd'.repeat(20)}`;
  const { journal, lines } = opened('info');
  const act = { act: 'bindVault', token: address, code_hash: `0x${hex}` };
  journal.act(act as unknown as Parameters<Journal['act']>[0]);
  expect(lines[0]).toMatchObject(act);
  for (const text of [
    `{"token":"${address}0"}`,
    `{"token":"x${address}"}`,
    `?token=${address}`,
    `token: ${address}`,
    '{"token":"0xsecret"}',
  ]) {
    lines.length = 0;
    journal.info(text);
    expect(lines[0]!.msg).toContain(redacted);
    expect(lines[0]!.msg).not.toContain('cdcd');
    expect(lines[0]!.msg).not.toContain('0xsecret');
  }
});
