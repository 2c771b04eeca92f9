// What is closed outside of the book of positions with a surcharge (LIQ-3d): near the mark, and no
// more than brings the account back to its maintenance margin. There are no bids unless stated.

import { scenario } from './scenario.ts';
import { freeOfFunding } from './stages.ts';

const terms =
  'makerFee 0 takerFee 0 fundingFactor 0 openInterestCap 200000 brackets 30000:0.01,200000:0.1';

/**
 * Cleo opens 0.1 beyond the first bracket, at 60000 and 10 %; her equity is her credit less the
 * loss.
 */
const high = (side: 'long' | 'short', credit: string) => {
  const [own, other] = side === 'long' ? ['buy', 'sell'] : ['sell', 'buy'];
  return `
  market BTCUSDT ${terms}
  market ETHUSDT makerFee 0 takerFee 0 fundingFactor 0
  credit anna 100000
  credit cleo ${credit}
  credit ben 1000000
  tick BTCUSDT=60000 ETHUSDT=3000
  house ben
  ben ${other} 0.6 @ 60000
  anna ${own} 0.5 @ 60000
  cleo leverage 5
  cleo ${own} 0.1 @ 60000
`;
};

const falling = `
  ${high('long', '1300')}
  tick BTCUSDT=54500 ETHUSDT=3000
  tick BTCUSDT=50500 ETHUSDT=3000
`;

scenario(
  'LIQ-3d LIQ-4 only what restores maintenance is deleveraged, at two thirds of the first rate',
  `
  # At 50500 she has 350 of 505, of which two thirds are 336.67: she waits. At 50300 330 of 503: 50300 x
  # (1 - 2/3 %) = 49964.66.., up to a tick, and 173 / (50300 x 0.09333333) = 0.03685: 0.037.
  ${falling}
  deleveraged
  cleo has position 0.1 equity 350 maintenance 505 flagged yes
  tick BTCUSDT=50300 ETHUSDT=3000
  deleveraged BTCUSDT cleo ben 0.037@49964.7
  charged
  cleo has position 0.063 equity 317.5939 maintenance 316.89 flagged yes
  # At the next tick there is nothing to do, and the flag falls from 1.2 times on.
  tick BTCUSDT=50310 ETHUSDT=3000
  deleveraged
  tick BTCUSDT=51500 ETHUSDT=3000
  flags cleo no
  cleo has position 0.063 equity 393.1939 maintenance 324.45
  `,
);

scenario(
  'LIQ-3d LIQ-4 a short: two thirds of the first rate above the mark, down to a tick',
  `
  # At 69850 315 of 698.5: 69850 x (1 + 2/3 %) = 70315.66..; 383.5 / (69850 x 0.09333333) = 0.05882.
  ${high('short', '1300')}
  tick BTCUSDT=65000 ETHUSDT=3000
  tick BTCUSDT=69850 ETHUSDT=3000
  deleveraged BTCUSDT cleo ben 0.059@70315.6
  cleo has position -0.041 equity 287.5296 maintenance 286.385
  `,
);

scenario(
  'LIQ-3d where the bankruptcy price is nearer to the mark everything is closed at it',
  `
  # 5 % instead of 10 %. At 54100 she has 35 of 270.5, less than 2/3 % of 5410: 54100 - 350.
  ${high('long', '625').replace('200000:0.1', '200000:0.05').replace('leverage 5', 'leverage 10')}
  tick BTCUSDT=54100 ETHUSDT=3000
  deleveraged BTCUSDT cleo ben 0.1@53750
  cleo has position 0 balance 0 flagged no
  `,
);

scenario(
  'LIQ-3d without equity everything is closed at the bankruptcy price',
  `
  # 625 - 640 at 53600: 53600 + 150.
  ${high('long', '625').replace('200000:0.1', '200000:0.05').replace('leverage 5', 'leverage 10')}
  tick BTCUSDT=57000 ETHUSDT=3000
  tick BTCUSDT=53600 ETHUSDT=3000
  deleveraged BTCUSDT cleo ben 0.1@53750
  cleo has position 0 balance 0
  `,
);

scenario(
  'LIQ-3d LIQ-3 what the fund takes may be enough',
  `
  # 1250 / 50300 = 0.0248: 0.024 of the 0.037. With 321.9528 of 382.28 she has two thirds and waits.
  insurance 5000
  ${falling}
  takenOver
  tick BTCUSDT=50300 ETHUSDT=3000
  takenOver cleo 0.024@49964.7
  deleveraged
  charged
  cleo has position 0.076 equity 321.9528 maintenance 382.28 flagged yes
  fund has position 0.024
  `,
);

scenario(
  'LIQ-3d LIQ-3 LIQ-4 what the fund may not take is computed anew and deleveraged',
  `
  # At 50000 300 of 500; 255 / 50000 = 0.0051: 0.005. Then she has 298.3335 of 475, still below two
  # thirds: 176.6665 / (50000 x 0.09333333) = 0.03786.
  insurance 1020
  ${falling}
  tick BTCUSDT=50000 ETHUSDT=3000
  takenOver cleo 0.005@49666.7
  deleveraged BTCUSDT cleo ben 0.038@49666.7
  cleo has position 0.057 equity 285.6681 maintenance 285
  `,
);

scenario(
  'LIQ-3d a restored account is done: its other positions stay, although their book bids',
  `
  # 1 ETH at 2985 needs 29.85 more. At 50700 she has 370 - 15 of 536.85, of which two thirds are 357.9:
  # 181.85 / (50700 x 0.09333333) = 0.03843.
  ${high('long', '1300')}
  cleo leverage ETHUSDT 50
  cleo buy ETHUSDT 1 @ 3000
  ben sell ETHUSDT 1 @ 3000
  tick BTCUSDT=54500 ETHUSDT=2985
  cleo has flagged no
  ben buy ETHUSDT 1 @ 2985
  tick BTCUSDT=50700 ETHUSDT=2985
  deleveraged BTCUSDT cleo ben 0.039@50362
  cleo has position 0.061 equity 341.818 maintenance 339.12 flagged yes
  cleo has position 1 ETHUSDT
  `,
);

scenario(
  'LIQ-3d LIQ-1c MAR-7 isolated: what a part releases stays with the rest of the position',
  `
  # 1280 of collateral; at 50500 330 of 505: 175 / (50500 x 0.09333333) = 0.03713. 0.038 lose 373.7908,
  # and the other 0.062 need 313.1 and have 906.2092 - 589.
  ${high('long', '1300').replace('  cleo leverage 5\n', '  cleo mode isolated\n  cleo leverage 5\n')}
  cleo collateral +80
  tick BTCUSDT=54500 ETHUSDT=3000
  tick BTCUSDT=50800 ETHUSDT=3000
  deleveraged
  tick BTCUSDT=50500 ETHUSDT=3000
  deleveraged BTCUSDT cleo ben 0.038@50163.4
  cleo has position 0.062 held 906.2092 available 20 maintenance 313.1
  `,
);

/**
 * Anna isolated, long 2 on 12000 with 8000 besides: 0.5 at 1 %, 0.5 at 2 % and 1 at 5 %. At 55100
 * she has 2200 of 3581.5, and Cleo bids for 0.01 of it: 2200 of 3563.5925.
 */
const partOnBook = (insurance: string) => `
  market BTCUSDT ${freeOfFunding} openInterestCap 120000 brackets 30000:0.01,60000:0.02,120000:0.05
  credit anna 20000
  credit cleo 100000
  credit ben 1000000
  house ben
  ${insurance}
  index 60000
  anna mode isolated
  anna leverage 10
  ben sell 2 @ 60000
  anna buy 2 @ 60000
  anna has available 8000 held 12000
  index 57500
  cleo leverage 10
  cleo buy 0.01 @ 55100
  index 55100
  liquidated anna cleo 0.01@55100
`;

scenario(
  'LIQ-1c LIQ-3c isolated: what a takeover releases pays the fee of the book, and available pays nothing',
  `
  # 0.958 at 55100 x (1 - 2 / 3 %) restore the rest, with 0.0363 to spare: of 2.755 no more is taken.
  ${partOnBook('insurance 1000000')}
  takenOver anna 0.958@54732.7
  charged anna 0.0363
  anna has available 8000 held 6904.8903
  `,
);

scenario(
  'LIQ-1c LIQ-4 isolated: what a deleveraging releases pays the fee of the book, and available pays nothing',
  `
  ${partOnBook('')}
  deleveraged anna ben 0.958@54732.7
  charged anna 0.0363
  anna has available 8000 held 6904.8903
  `,
);

const fivePercent = (credit: string): string =>
  high('long', credit).replace('200000:0.1', '200000:0.05').replace('leverage 5', 'leverage 10');

scenario(
  'LIQ-3d a tick beyond two thirds of the first rate all lots are closed there, and the fee is due',
  `
  # 36.07 are a tick beyond 53739.4, and (270.5 - 36.07) / (54100 x 0.04333333) = 0.09999..: 0.1. The
  # fee of the takeover is what is left.
  insurance 100000
  ${fivePercent('626.07')}
  tick BTCUSDT=57000 ETHUSDT=3000
  tick BTCUSDT=54100 ETHUSDT=3000
  takenOver cleo 0.1@53739.4
  charged cleo 0.01
  cleo has position 0 balance 0
  `,
);

scenario(
  'LIQ-3d of a single lot, too, no more is taken than two thirds of the first rate',
  `
  # At 50300 3.3 of 5.03: 50300 - 3300 would be its bankruptcy price.
  ${high('long', '13').replace('buy 0.1', 'buy 0.001')}
  tick BTCUSDT=54500 ETHUSDT=3000
  tick BTCUSDT=50300 ETHUSDT=3000
  deleveraged BTCUSDT cleo ben 0.001@49964.7
  cleo has position 0 balance 2.9647
  `,
);

/**
 * Cleo opens 100 DUST at 1 beyond the first bracket, at 5 %; a tick is a thousandth of the price.
 */
const coarse = (side: 'long' | 'short', credit: string) => {
  const [own, other] = side === 'long' ? ['buy', 'sell'] : ['sell', 'buy'];
  return `
  market DUSTUSDT makerFee 0 takerFee 0 fundingFactor 0 openInterestCap 200000 brackets 500:0.01,200000:0.05
  credit anna 100000
  credit cleo ${credit}
  credit ben 1000000
  index 1
  house ben
  ben ${other} 600 @ 1
  anna ${own} 500 @ 1
  cleo leverage 10
  cleo ${own} 100 @ 1
`;
};

scenario(
  'LIQ-3d where both prices are the same tick everything is closed at it',
  `
  # At 0.9 6.5 ticks a lot are left: 0.8935 and 0.894 are both 0.894.
  ${coarse('long', '10.65')}
  index 0.95
  index 0.9
  deleveraged cleo ben 100@0.894
  cleo has position 0 balance 0.05
  `,
);

scenario(
  'LIQ-3d a short: where both prices are the same tick everything is closed at it',
  `
  # At 1.095 7.5 ticks a lot are left: 1.1025 and 1.1023 are both 1.102.
  ${coarse('short', '10.25')}
  index 1.04
  index 1.095
  deleveraged cleo ben 100@1.102
  cleo has position 0 balance 0.05
  `,
);
