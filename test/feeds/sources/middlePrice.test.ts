// What becomes a price, exactly, and what does not.

import { expect, test } from 'vitest';
import { middlePrice } from '../../../src/feeds/sources/middlePrice.ts';

test.each([
  ['115020.01000000', '115020.02000000', '115020.015'],
  ['1', '1', '1'],
  ['0.000000000000000001', '0.000000000000000001', '0.000000000000000001'],
  ['0.1', '0.101', '0.1005'],
  ['900000000000000.1', '900000000000000.3', '900000000000000.2'],
  // As floats these two and their middle would be one number.
  [
    '123456789012345.123456789012345677',
    '123456789012345.123456789012345678',
    '123456789012345.1234567890123456775',
  ],
  // The middle is at most 1 % off: the widest pair.
  ['99', '101', '100'],
])('the middle of %s and %s is %s', (bid, ask, price) => {
  expect(middlePrice(bid, ask)).toEqual({ kind: 'price', price });
});

const plain = 'it states no plain decimal';
test.each([
  ['', '1', plain],
  ['1', undefined, plain],
  [null, '1', plain],
  // A number of JSON has been a float already.
  [1, 1, plain],
  ['-1', '1', plain],
  ['+1', '1', plain],
  ['1e5', '1e5', plain],
  ['.5', '.5', plain],
  ['5.', '5.', plain],
  ['1,000', '1,000', plain],
  [' 1', '1', plain],
  ['1\n', '1', plain],
  ['0x10', '0x10', plain],
  ['NaN', 'Infinity', plain],
  ['١', '١', plain],
  ['1234567890123456', '1234567890123456', plain],
  ['1.1234567890123456789', '2', plain],
  [['1'], { toString: () => '1' }, plain],
  ['0', '1', 'it states a price of zero'],
  ['0.00000000', '0.00000000', 'it states a price of zero'],
  ['1', '0', 'it states a price of zero'],
  ['2', '1.99', 'its bid lies above its ask'],
  ['98.99', '101', 'its bid and ask are over 2 % apart'],
  ['1', '1000000', 'its bid and ask are over 2 % apart'],
])('%s and %s have none: %s', (bid, ask, problem) => {
  expect(middlePrice(bid, ask)).toEqual({ kind: 'refused', problem });
});
