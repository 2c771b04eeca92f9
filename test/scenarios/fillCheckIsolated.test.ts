// The fill check of isolated positions (MAR-4): each counts only its own collateral, whatever its
// account has besides. liquidationIsolated.test.ts has their liquidation.

import { scenario } from './scenario.ts';
import { free } from './stages.ts';

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
  'MAR-9a MAR-7 marginInsufficient: isolated, beyond the band only the freeze of the order counts',
  `
  # A bid of 0.1 at 61911.1 freezes 311.103278 and loses 191.11 against the mark: 119.993278 are below
  # twice the maintenance of 60. At 61911 they are 311.102775 - 191.1. Cross, the 10000 would count.
  ${start}
  anna buy 0.1 @ 61911.1 -> marginInsufficient
  cleo buy 0.1 @ 61911.1 -> NEW
  anna buy 0.1 @ 61911 id x -> NEW
  anna order x freeze 311.102775
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
  'MAR-9a MAR-7 isolated: a maker whose fill would not leave its initial margin is cancelled',
  `
  # Filled at 60000 the bid has 300 of collateral. At 58163.2 183.68 of it are lost, 116.32 are below
  # 116.3264; at 58163.3 116.33 are not below 116.3266. The price is beyond the band of the mark: the
  # 9700 available do not count.
  ${start}
  anna buy 0.1 @ 60000 id x
  index 58163.2
  cleo buy 0.1 @ 58163.2
  ben sell 0.1 @ 58163.2 -> FILLED
  anna order x status CANCELED reason MARGIN filled 0
  trades 0.1@58163.2
  `,
);

scenario(
  'MAR-9a MAR-7 isolated: a maker whose fill leaves its initial margin is filled',
  `
  ${start}
  anna buy 0.1 @ 60000 id x
  index 58163.3
  ben sell 0.1 @ 58163.3 -> FILLED
  anna order x status FILLED
  anna has position 0.1 held 300 unrealized -183.67 maintenance 58.1633
  `,
);

/** Anna is long 0.1 from 60000 with 300 of collateral. */
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
  'MAR-4e MAR-7 isolated: a partial close may reach the bankruptcy price, and no tick beyond',
  `
  # 100 carry 0.1 at 58000: 57000 uses them up. Half at 57000 loses 50, half of them; the fee of 28.5
  # is available.
  ${feed('330', 'buy')}
  cleo buy 0.05 @ 56999.9
  anna sell 0.05 @ 56999.9 -> marginInsufficient
  cleo buy 0.05 @ 57000
  anna sell 0.05 @ 57000 -> FILLED
  anna has position 0.05 equity 51.5 held 150
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
  'MAR-9a MAR-7 isolated: available pays the fee and the rest of the initial margin near the mark',
  `
  # 120.6 are frozen, 120 of margin lose 40 against the mark: 39.2 more are twice the maintenance of
  # 59.6, and the fee is 60.
  market BTCUSDT makerFee 0 takerFee 0.01
  credit anna 219.8
  credit ana 219.799999
  credit ben 100000
  anna mode isolated
  ana mode isolated
  index 59600
  anna leverage 50
  ana leverage 50
  ben sell 0.1 @ 60000
  ana buy 0.1 @ 60000 -> marginInsufficient
  anna buy 0.1 @ 60000 -> FILLED
  anna has position 0.1 held 159.2 available 0.6 unrealized -40
  `,
);

scenario(
  'MAR-9a MAR-7 isolated: the new side of a flip uses available within the band, and none beyond',
  `
  # Long 0.1 with 320. Sold at 58800, the edge of the band, the short has 117.6 and is 120 down: 122.4
  # from available make it twice its maintenance of 60.
  ${start}
  anna leverage 50
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna collateral 200
  cleo buy 0.2 @ 58799.9 id low
  anna sell 0.2 @ 58799.9 -> marginInsufficient
  anna has position 0.1
  cleo cancel low
  cleo buy 0.2 @ 58800
  anna sell 0.2 @ 58800 -> FILLED
  anna has position -0.1 held 240 unrealized -120
  `,
);
