// Liquidations at the bounds of rules: a tick, a lot, a unit or a millisecond on either side of a
// bound (LIQ-1, LIQ-3), and what clients see of the exchange's own orders. The markets take no fees
// here.

import { expect, test } from 'vitest';
import { play, scenario } from './scenario.ts';
import { free } from './stages.ts';
import type { World } from './world.ts';
import { createWorld } from './world.ts';

/** Anna long `lots` from 60000 with `credit`, of 400 for each 0.1; at 56500 an eighth is left. */
const long = (lots: string, credit: string, terms = '') => `
  market BTCUSDT ${free} ${terms}
  credit anna ${credit}
  credit ben 10000
  credit cleo 100000
  index 60000
  anna buy ${lots} @ 60000
  ben sell ${lots} @ 60000
`;

scenario(
  'LIQ-1 UNIT-3 the price bound of a sale is rounded up to a tick, towards the mark',
  `
  # Bankruptcy price 56000; 565000 ticks x 0.996999 = 563304.435.
  ${long('0.1', '400', 'markBand 0.003001')}
  cleo buy 0.05 @ 56330.4 id low
  cleo buy 0.05 @ 56330.5 id high
  index 56500
  liquidated anna cleo 0.05@56330.5
  cleo order low status NEW
  `,
);

scenario(
  'LIQ-1 UNIT-3 the price bound of a purchase is rounded down to a tick, towards the mark',
  `
  # Short from 60000: at 63400 60 are left of 63.4; 634000 ticks x 1.003001 = 635902.634.
  market BTCUSDT ${free} markBand 0.003001
  credit anna 400
  credit ben 10000
  credit cleo 100000
  index 60000
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000
  cleo sell 0.05 @ 63590.3 id high
  cleo sell 0.05 @ 63590.2 id low
  index 63400
  liquidated anna cleo 0.05@63590.2
  cleo order high status NEW
  `,
);

scenario(
  'LIQ-1 the sale of a single lot has the price bound of every sale',
  `
  # Bankruptcy price 56000; 56500 x 0.997 = 56330.5.
  ${long('0.001', '4', 'markBand 0.003')}
  cleo buy 0.001 @ 56330.4 id low
  index 56500
  liquidated
  anna has position 0.001 flagged yes
  cleo buy 0.001 @ 56330.5
  index 56500
  liquidated anna cleo 0.001@56330.5
  `,
);

scenario(
  'LIQ-1 an account with exactly its maintenance at the index is not liquidated',
  `
  # The book stands 150 below the index of 57000: after 75 s the mark is 56950. There 52 are left of
  # 56.95; at the index 57 of 57. A tick further down they are 56.99 of 56.9999.
  ${long('0.1', '357', 'markClamp 0.009')}
  credit dora 10000
  index 57000
  cleo buy 0.2 @ 56800
  dora sell 0.2 @ 56900
  after 74750
  index 57000
  mark 56950
  anna has equity 52 maintenance 56.95 flagged no position 0.1
  index 56999.9
  liquidated anna cleo 0.1@56800
  `,
);

scenario(
  'LIQ-3 UNIT-3 the fee is rounded up to a unit',
  `
  # 0.5 % of 9.999 x 56.399 = 563.933601 are 2.819668005; 3.993601 are left.
  market DUSTUSDT ${free}
  credit anna 40
  credit ben 1000
  credit cleo 1000
  index 60
  anna buy 9.999 @ 60
  ben sell 9.999 @ 60
  cleo buy 9.999 @ 56.399
  index 56.5
  liquidated anna cleo 9.999@56.399
  charged anna 2.819669
  `,
);

scenario(
  'LIQ-1 MAR-2 cross: collateral that a step releases is available, even while a position remains',
  `
  # ETH, 20 long from 3000, is 13100 down at 2345: 2000 of 2400 + 469. (3442.8 - 2000) / 420 =
  # 3.4352..: 3.436 BTC are sold at their entry. 12000 x 3.436 / 4 come back, 1030.8 are fee.
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit anna 15100
  credit ben 1000000
  credit cleo 1000000
  tick BTCUSDT=60000 ETHUSDT=3000
  anna buy 4 @ 60000
  ben sell 4 @ 60000
  anna buy ETHUSDT 20 @ 3000
  ben sell ETHUSDT 20 @ 3000
  anna has available 100 held 12000
  tick BTCUSDT=60000 ETHUSDT=2750
  tick BTCUSDT=60000 ETHUSDT=2500
  cleo buy 4 @ 60000
  tick BTCUSDT=60000 ETHUSDT=2345
  liquidated anna cleo 3.436@60000
  charged anna 1030.8
  anna has position 0.564 available 9377.2 held 1692 flagged no
  `,
);

/** Anna isolated: 0.1 BTC from 60000 on 300, 400 available. At 57500 50 are left of 57.5. */
const alone = `
  market BTCUSDT ${free}
  credit anna 700
  credit ben 10000
  credit cleo 10000
  anna mode isolated
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
`;

scenario(
  'LIQ-1 MAR-7 isolated: with the same equity the position in the older market comes first',
  `
  # ETH was listed first, and ticks last. Both have 50 left of 57.5.
  market ETHUSDT ${free}
  market BTCUSDT ${free}
  credit anna 1000
  credit ben 100000
  credit cleo 100000
  anna mode isolated
  tick BTCUSDT=60000 ETHUSDT=3000
  anna buy BTCUSDT 0.1 @ 60000
  ben sell BTCUSDT 0.1 @ 60000
  anna buy ETHUSDT 2 @ 3000
  ben sell ETHUSDT 2 @ 3000
  cleo buy BTCUSDT 0.1 @ 57500
  cleo buy ETHUSDT 2 @ 2875
  tick BTCUSDT=57500 ETHUSDT=2875
  liquidated anna cleo 2@2875 anna cleo 0.1@57500
  `,
);

scenario(
  'LIQ-3c MAR-7 isolated: no fee takes what the remaining lots need',
  `
  # 0.09 at 57010 free 270 and lose 269.1; the other 0.01 have 30.9 - 25 = 5.9 of 5.75. Of the fee of
  # 25.6545 0.075 is taken, half of what is above 5.75.
  ${alone}
  cleo buy 0.09 @ 57010
  index 57500
  liquidated anna cleo 0.09@57010
  charged anna 0.075
  anna has position 0.01 held 30.825 available 400 flagged yes
  `,
);

scenario(
  'LIQ-1b MAR-7 isolated: the flag ends in the command with which the owner closes the position',
  `
  ${alone}
  index 57500
  flags anna yes
  cleo buy 0.1 @ 57400
  anna sell 0.1 @ 57400 reduceOnly -> FILLED
  flags anna no
  anna has position 0 flagged no available 440
  `,
);

scenario(
  'LIQ-4 ORD-6 a deleveraging that makes its counterparty flat cancels its reduce-only orders',
  `
  # 300 - 350: closed at 57000 against Ben, who wanted to buy back at 50000.
  ${alone}
  ben buy 0.1 @ 50000 reduceOnly id out
  index 56500
  deleveraged anna ben 0.1@57000
  ben order out status CANCELED reason REDUCE_ONLY
  book bids asks
  `,
);

scenario(
  'LIQ-1 ORD-2 a liquidation order is placed only where it meets an order, and ends',
  `
  # There is no bid at 56000 or above; then one comes for all but one lot.
  ${long('0.1', '400')}
  cleo buy 0.1 @ 55999.9
  events orderPlaced 3
  index 56500
  events orderPlaced 3
  cleo buy 0.099 @ 56000
  events orderPlaced 4 orderEnded 2
  index 56500
  liquidated anna cleo 0.099@56000
  # Cleo's is filled, the exchange's own has a lot left.
  events orderPlaced 5 orderEnded 4
  `,
);

const updatesOf = ({ exchange }: World): number => exchange.markets[0]!.book.updateId;

test('LIQ-1 a liquidation that fills a part of an order is exactly one change of the book', () => {
  for (const [lots, credit] of [
    ['0.1', '400'],
    ['0.001', '4'],
  ] as const) {
    const world = play(createWorld(), `${long(lots, credit)}\ncleo buy 0.2 @ 56300`);
    const before = updatesOf(world);
    play(world, `index 56500\nliquidated anna cleo ${lots}@56300`);
    expect(updatesOf(world)).toBe(before + 1);
  }
});

test('LIQ-1 MAR-4 a liquidation that only cancels a failing maker is exactly one change of the book', () => {
  // Mia is 30 x 10 down in ETH: 5 do not carry the 56.5 of what she bids for.
  const world = play(
    createWorld(),
    `
    ${long('0.1', '400')}
    market ETHUSDT ${free}
    credit mia 605
    index ETHUSDT 3000
    mia leverage ETHUSDT 50
    mia buy ETHUSDT 2 @ 3000
    ben sell ETHUSDT 2 @ 3000
    mia buy 0.1 @ 56450 id poor
    drift ETHUSDT 2700
    `,
  );
  const before = updatesOf(world);
  play(world, 'index 56500\nliquidated\nmia order poor status CANCELED reason MARGIN');
  expect(updatesOf(world)).toBe(before + 1);
});
