// The checksum against published values (RFC 3720, appendix B.4) and against itself in parts.

import { expect, test } from 'vitest';
import { crc32c } from '../../src/std/crc32c.ts';

test.each([
  { name: '32 bytes of zeros', bytes: Buffer.alloc(32), sum: 0x8a9136aa },
  { name: '32 bytes of ones', bytes: Buffer.alloc(32, 255), sum: 0x62a8ab43 },
  { name: '32 ascending bytes', bytes: Buffer.from([...Array(32).keys()]), sum: 0x46dd794e },
  { name: 'the digits', bytes: Buffer.from('123456789'), sum: 0xe3069283 },
  { name: 'nothing', bytes: Buffer.alloc(0), sum: 0 },
])('crc32c of $name', ({ bytes, sum }) => {
  expect(crc32c(bytes)).toBe(sum);
});

test('crc32c of the parts equals crc32c of the whole', () => {
  const bytes = Buffer.from([...Array(100).keys()]);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    expect(crc32c(bytes.subarray(cut), crc32c(bytes.subarray(0, cut)))).toBe(crc32c(bytes));
  }
});
