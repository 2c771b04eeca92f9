// Acceptance to the last unit of what reduces, and of isolated orders (MAR-4, MAR-4e, MAR-9a,
// MAR-10, ORD-3). entryBounds.test.ts has it of the other orders.

import { scenario } from './scenario.ts';
import { free } from './stages.ts';

/** Cross, long 0.1 from 60000 on so much. */
const long = (credit: string, terms = free) => `
  market BTCUSDT ${terms}
  credit anna ${credit}
  credit ben 100000
  index 60000
  anna leverage 50
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
`;

scenario(
  'MAR-4 an order that reduces and rests at the mark or better needs a unit of equity',
  `
  ${long('150')}
  drift 58500
  anna has equity 0
  anna sell 0.05 @ 58600 reduceOnly -> marginInsufficient
  credit anna 0.000001
  anna sell 0.05 @ 58600 reduceOnly -> NEW
  `,
);

scenario(
  'MAR-4e a reducing order that fills at the mark is not asked for the ratio at its limit price',
  `
  # The fee of 8.715 leaves 1.285 of 10: less than half of it, for half of the maintenance.
  ${long('200', 'makerFee 0 takerFee 0.003')}
  drift 58100
  ben buy 0.05 @ 58100
  anna sell 0.05 @ 58000 reduceOnly -> FILLED
  anna has equity 1.285
  `,
);

/** Isolated, with plenty besides. */
const isolated = (terms: string, market = 'BTCUSDT', price = '60000') => `
  market ${market} ${terms}
  credit anna 10000
  credit ben 100000
  anna mode isolated
  index ${price}
`;

const isolatedLong = `
  ${isolated(free)}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
`;

scenario(
  'MAR-4 MAR-7 isolated: what would rest and reduce may lose what its position has, not the account',
  `
  # 100 are left at 58000. Half at 55500 loses 125.
  ${isolatedLong}
  drift 58000
  anna sell 0.05 @ 55500 reduceOnly -> marginInsufficient
  anna sell 0.05 @ 57000 reduceOnly -> NEW
  `,
);

scenario(
  'MAR-9a MAR-7 isolated: available adds to what a flip opens, and not to what it closes',
  `
  # At 56990 one USDT is missing. The new half of 113.98 has 114.369, loses 18 with the old one, and
  # gets 17.611.
  ${isolatedLong}
  anna leverage 50
  drift 56990
  anna has equity 9699
  anna sell 0.2 @ 56900 -> marginInsufficient
  drift 57000
  anna sell 0.2 @ 56900 -> NEW
  `,
);

scenario(
  'MAR-9a isolated: an order beyond the band that fills within it is topped up',
  `
  # 122.61 are frozen at 61000; the fill at 60000 needs 119.2 and loses 40.
  ${isolated(free, 'BTCUSDT', '59600')}
  anna leverage 50
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 61000 IOC -> FILLED
  anna has position 0.1 held 159.2
  `,
);

scenario(
  'MAR-10 MAR-9a isolated: an order counts its brackets at its limit price',
  `
  # Up to 6050 are 98 lots of 61.26, and all of 60. Beyond the band 0.1 at 61260 have 246.2652, less
  # 126: 120.2652 are enough for twice 60, and too little for twice 61.2.
  ${isolated(`${free} brackets 6050:0.01,20000000:0.02`)}
  anna leverage 25
  anna buy 0.1 @ 61260 -> marginInsufficient
  anna buy 0.1 @ 61230 -> NEW
  `,
);

scenario(
  'MAR-10 MAR-9a isolated: an order at the price of one tick counts its brackets at it',
  `
  # 0.03216 are frozen. Twice 1 % of 800 at 0.002 are 0.032; at the mark a bracket would end at 500.
  market DUSTUSDT ${free} minOrderSize 0.000001 priceBand 0.6 brackets 1:0.01,20000000:0.02
  credit anna 0.03216
  anna mode isolated
  index 0.002
  anna leverage 25
  anna buy 800 @ 0.001 -> NEW
  anna has available 0
  `,
);

const dust = `
  ${isolated(`${free} minOrderSize 0.000001`, 'DUSTUSDT', '1')}
`;

scenario(
  'MAR-9a MAR-7 isolated: beyond the band the freeze must do, exact to the unit',
  `
  # 51 units are frozen. At 0.969 31 are lost, and 20 are twice 9.69, rounded up.
  ${dust}
  drift 0.968
  anna buy 0.001 @ 1 -> marginInsufficient
  drift 0.969
  anna buy 0.001 @ 1 -> NEW
  `,
);

scenario(
  'MAR-9a MAR-7 isolated: an order that has more than it needs makes up for its position, to the unit',
  `
  # At 0.94 10 units are missing besides 38 for both lots, and 48 are frozen.
  ${dust}
  anna buy 0.001 @ 1
  ben sell 0.001 @ 1
  drift 0.939
  anna buy 0.001 @ 0.939 -> marginInsufficient
  drift 0.94
  anna buy 0.001 @ 0.94 -> NEW
  `,
);

scenario(
  'ORD-3 slippage of one unit below the mark counts',
  `
  ${dust}
  ben buy 0.001 @ 0.999
  anna sell 0.001 market slippage 0 -> slippageExceeded
  anna sell 0.001 market slippage 0.001 -> FILLED
  `,
);
