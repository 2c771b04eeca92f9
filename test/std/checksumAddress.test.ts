// Our checksum beside viem's, over the example addresses of ERC-55 and over drawn ones.

import { getAddress } from 'viem/utils';
import { expect, test } from 'vitest';
import { checksumAddress } from '../../src/std/checksumAddress.ts';
import { createPrng } from '../../src/std/prng.ts';

const examples = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

test('the examples of ERC-55 have their checksums', () => {
  expect(examples.map((address) => checksumAddress(address.toLowerCase()))).toEqual(examples);
});

test('drawn addresses have the checksums that viem gives them', () => {
  const prng = createPrng(55);
  for (let i = 0; i < 500; i += 1) {
    const digits = Array.from({ length: 40 }, () => prng.below(16).toString(16)).join('');
    expect(checksumAddress(`0x${digits}`)).toBe(getAddress(`0x${digits}`));
  }
});
