// The guard of isolated positions (MAR-4): each answers with what is its own, whatever its account has
// besides. What liquidates one stands in liquidationIsolated.test.ts.

import { scenario } from './scenario.ts';

const free = 'makerFee 0 takerFee 0';

/** Anna is isolated and has plenty; Ben and Cleo are the others. */
const start = `
  market BTCUSDT ${free}
  credit anna 10000
  credit ben 100000
  credit cleo 100000
  anna mode isolated
  index 60000
`;

scenario(
  'MAR-4 MAR-7 marginInsufficient: isolated, at acceptance only the freeze of the order counts',
  `
  # A bid of 0.1 at 62542.8 freezes 314.27757 and loses 254.28 against the mark: 59.99757 are below the
  # maintenance of 60. At 62542.7 they are 314.277068 - 254.27 = 60.007068. Cross, the 10000 would count.
  ${start}
  anna buy 0.1 @ 62542.8 -> marginInsufficient
  cleo buy 0.1 @ 62542.8 -> NEW
  anna buy 0.1 @ 62542.7 id x -> NEW
  anna order x freeze 314.277068
  `,
);

scenario(
  'MAR-4 BAL-4 isolated: available pays the fee first, and the rest counts against the collateral',
  `
  # A maker fee of 1 %: 61 of 6100. The bid freezes 306.525, leaves 11.475 available and loses 10 against
  # the mark: 306.525 - 10 - 49.525 = 247 carry the maintenance of 60.9.
  market BTCUSDT makerFee 0.01 takerFee 0.01 maxLeverage 20
  credit anna 318
  credit ben 100000
  anna mode isolated
  index 60900
  anna buy 0.1 @ 61000 id x
  anna has available 11.475 freezes 306.525
  ben sell 0.1 @ 61000
  # The fill keeps 305 of the freeze: 13 are available, 48 of the fee come from the collateral.
  anna has position 0.1 held 257 available 0 balance 257 equity 247
  `,
);

scenario(
  'MAR-4 MAR-7 isolated: a maker whose fill would not leave its own maintenance is cancelled',
  `
  # Filled at 60000 the bid has 300 of collateral. At 57575.7 242.43 of it are lost, 57.57 are below
  # 57.5757; at 57575.8 57.58 are not below 57.5758. The 9700 available do not count.
  ${start}
  anna buy 0.1 @ 60000 id x
  index 57575.7
  cleo buy 0.1 @ 57575.7
  ben sell 0.1 @ 57575.7 -> FILLED
  anna order x status CANCELED reason MARGIN filled 0
  trades 0.1@57575.7
  `,
);

scenario(
  'MAR-4 MAR-7 isolated: a maker whose fill leaves its own maintenance is filled',
  `
  ${start}
  anna buy 0.1 @ 60000 id x
  index 57575.8
  ben sell 0.1 @ 57575.8 -> FILLED
  anna order x status FILLED
  anna has position 0.1 held 300 unrealized -242.42 maintenance 57.5758
  `,
);

/** Anna long 0.1 from 60000 with 300 of her own collateral. */
const long = `
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
`;

scenario(
  'MAR-4 MAR-7 isolated: a reducing fill leaves the position above 0, a closing fill not below 0',
  `
  # At 57000 the 300 are lost to the unit. Half is not let go, the whole is; a tick lower it is not.
  ${long}
  drift 57000
  ben buy 0.1 @ 57000
  anna sell 0.05 @ 57000 reduceOnly IOC -> marginInsufficient
  drift 56999.9
  anna sell 0.1 @ 57000 reduceOnly IOC id low -> marginInsufficient
  drift 57000
  anna sell 0.1 @ 57000 reduceOnly IOC -> FILLED
  anna has position 0 available 9700 balance 9700
  `,
);

scenario(
  'MAR-4 MAR-7 isolated: a flip must pass the closing test and then the test of what it opens',
  `
  # Of 0.2 sold at 57000 a half closes at a loss of all of the 300 and a half opens on 285.
  ${long}
  drift 56999.9
  ben buy 0.2 @ 57000
  anna sell 0.2 @ 57000 -> marginInsufficient
  drift 57000
  anna sell 0.2 @ 57000 IOC -> FILLED
  anna has position -0.1 held 285 entry -5700 balance 9700
  `,
);

scenario(
  'MAR-4b MAR-7 marginInsufficient: isolated, on an index older than 5 s the position itself must carry the 10 %',
  `
  # 0.1 at 60000: 60 and 600. At leverage 10 600 are its own, at 9 666.666667, whatever is available.
  ${start}
  ben buy 1 @ 60000
  after 5001
  anna leverage 10
  anna sell 0.1 @ 60000 -> marginInsufficient
  anna leverage 9
  anna sell 0.1 @ 60000 -> FILLED
  anna has position -0.1 held 666.666667
  `,
);

/** Isolated, 300 behind 0.1 from 60000; 100 are left of them at the mark. A taker pays 1 %. */
const feed = (credit: string, side: 'buy' | 'sell') => `
  market BTCUSDT makerFee 0 takerFee 0.01
  credit anna ${credit}
  credit ben 100000
  credit cleo 100000
  anna mode isolated
  index 60000
  anna ${side} 0.1 @ 60000
  ben ${side === 'buy' ? 'sell' : 'buy'} 0.1 @ 60000
  index ${side === 'buy' ? 58000 : 62000}
`;

scenario(
  'MAR-4 MAR-7 isolated: a full close may leave zero after loss and fee, but not one tick less',
  `
  # At 57400 the fill loses 60 against the mark, and 40 of its fee of 57.4 are not available.
  ${feed('317.4', 'buy')}
  cleo buy 0.1 @ 57399.9 id low
  anna sell 0.1 @ 57399.9 -> marginInsufficient
  cleo buy 0.1 @ 57400
  anna sell 0.1 @ 57400 -> FILLED
  anna has position 0 balance 0
  `,
);

scenario(
  'MAR-4 MAR-7 isolated short: a full close may leave zero after loss and fee, but not one tick less',
  `
  # At 62600 60 are lost, 40 of 62.6 are not available.
  ${feed('322.6', 'sell')}
  cleo sell 0.1 @ 62600.1
  anna buy 0.1 @ 62600.1 -> marginInsufficient
  cleo sell 0.1 @ 62600
  anna buy 0.1 @ 62600 -> FILLED
  anna has position 0 balance 0
  `,
);

scenario(
  'MAR-4 MAR-7 isolated: a partial close must leave more than zero',
  `
  # Half at 56000 loses 100, all there is; the fee of 28 is available.
  ${feed('330', 'buy')}
  cleo buy 0.05 @ 56000
  anna sell 0.05 @ 56000 -> marginInsufficient
  cleo buy 0.05 @ 56000.1
  anna sell 0.05 @ 56000.1 -> FILLED
  `,
);

scenario(
  'MAR-4b MAR-7 isolated: on an old index a partial close at a loss must leave margin for the next jump',
  `
  # A tenth and the maintenance of the 3000 that remain are 330. All of it may go, or a part at the mark.
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  cleo buy 0.05 @ 59990 id low
  after 5001
  anna sell 0.05 @ 59990 -> marginInsufficient
  index 60000
  cleo cancel low
  cleo buy 0.1 @ 59990
  after 5001
  anna sell 0.1 @ 59990 -> FILLED
  `,
);

scenario(
  'MAR-4 MAR-7 isolated: an opening fill must leave its maintenance after the fee beyond available',
  `
  # 120 of margin, 40 lost against the mark, 59.6 of maintenance: 20.4 are left for the fee of 60.
  market BTCUSDT makerFee 0 takerFee 0.01
  credit anna 160.2
  credit ana 160.199999
  credit ben 100000
  anna mode isolated
  ana mode isolated
  index 59600
  anna leverage 50
  ana leverage 50
  ben sell 0.1 @ 60000
  ana buy 0.1 @ 60000 -> marginInsufficient
  anna buy 0.1 @ 60000 -> FILLED
  `,
);

scenario(
  'MAR-4 MAR-7 isolated: the new side of a flip cannot use the collateral of the old side',
  `
  # Long 0.1 with 320. Sold at 59300 the short has 118.6 and is 70 down: less than its maintenance of 60.
  ${start}
  anna leverage 50
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna collateral 200
  cleo buy 0.2 @ 59300
  anna sell 0.2 @ 59300 -> marginInsufficient
  anna has position 0.1
  `,
);
