// What a list of sessions calls a client (AUTH-11).

import { expect, test } from 'vitest';
import { clientName } from '../../src/api/native/clientName.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

const cases = [
  ['', ''],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['python-requests/2.31 (a comment; of a person)', 'python-requests/2.31'],
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/141.0.7390.54 Safari/537.36`,
    'Chrome 141, Linux',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.1`,
    'Edge 141, Windows',
  ],
  [
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
    'Firefox 143, Linux',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
      'Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari 18, iPhone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/141.0.0.0 Mobile Safari/537.36`,
    'Chrome 141, Android',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Something/1', 'Browser, macOS'],
  ['Mozilla/5.0', 'Browser'],
  [`${'ü'.repeat(200)} x`, '?'.repeat(80)],
] as const;

test.each(cases)(
  'AUTH-11 of what a client calls itself only its name is kept',
  (userAgent, name) => {
    expect(clientName(userAgent)).toBe(name);
  },
);

test('AUTH-11 a name is short whatever is sent, and quick to find', () => {
  const begin = process.cpuUsage();
  for (const piece of ['Version/1', 'Chrome/', '9', 'Mozilla/5.0 ', ' ', '\n']) {
    const name = clientName(`Mozilla/5.0 ${piece.repeat(10_000)}`);
    expect(name.length).toBeLessThanOrEqual(80);
    expect(name).toMatch(/^[ -~]*$/);
  }
  // Of the processor, which a busy machine gives late.
  expect(process.cpuUsage(begin).user).toBeLessThan(1_000_000);
});
