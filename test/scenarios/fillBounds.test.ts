// The fill check of cross accounts to the last unit (MAR-4, MAR-4b, MAR-4e, MAR-9, FUND-1d).
// fillCheck.test.ts has its rules; fillBoundsIsolated.test.ts the same of isolated positions.

import { scenario } from './scenario.ts';
import { free } from './stages.ts';

scenario(
  'MAR-9 the initial margin after a flip is that of the new side alone',
  `
  # 0.1 long, then 0.1 short: 301.5 to freeze, 300 of initial margin.
  market BTCUSDT ${free}
  credit anna 601.5
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  ben buy 0.2 @ 60000
  anna sell 0.2 @ 60000 IOC -> FILLED
  anna has position -0.1 held 300 available 301.5
  `,
);

scenario(
  'MAR-9 MAR-4b while prices are sure the profit of a fill counts against maintenance too',
  `
  # 110 are left beside a loss of 150 on ETH. Filled 3000 below the mark the bid adds 300: then 110
  # are fewer than the maintenance of 58.5 and 63, and 410 more than the initial margins.
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit anna 260
  credit ben 100000
  tick BTCUSDT=60000 ETHUSDT=3000
  anna leverage 50
  anna leverage 50 ETHUSDT
  anna buy ETHUSDT 2 @ 3000
  ben sell ETHUSDT 2 @ 3000
  anna buy 0.1 @ 60000 id bid
  drift ETHUSDT 2925
  drift 63000
  anna has equity 110
  ben sell 0.1 @ 60000
  anna order bid status FILLED
  `,
);

scenario(
  'MAR-4b on an old index the profit of a fill against the mark does not count towards the gap margin',
  `
  # 0.078 at a mark of 59990: 46.7922 and 467.922. Sold at 60000 they gain 0.78.
  market BTCUSDT ${free}
  credit anna 514.714199
  credit ben 10000
  index 59990
  anna leverage 50
  ben buy 0.078 @ 60000
  after 5001
  anna sell 0.078 @ 60000 -> marginInsufficient
  credit anna 0.000001
  anna sell 0.078 @ 60000 -> FILLED
  `,
);

scenario(
  'MAR-4e MAR-4 a fill may leave twice the maintenance to the unit, whatever the ratio was before',
  `
  # 0.5 at 60000.1 need 300.3005005, rounded up: 600.601002 remain of 840.601002 after a loss of 240.
  market BTCUSDT ${free} maintenanceMarginRate 0.01001 brackets 20000000:0.01001
  credit anna 840.601001
  credit ben 100000
  index 60000.1
  anna leverage 45
  anna buy 0.6 @ 60000.1
  ben sell 0.6 @ 60000.1
  ben buy 0.1 @ 57600.1
  anna sell 0.1 @ 57600.1 IOC -> marginInsufficient
  credit anna 0.000001
  anna sell 0.1 @ 57600.1 IOC -> FILLED
  anna has equity 600.601002 maintenance 300.300501
  `,
);

scenario(
  'MAR-4 a maker that closes everything may keep nothing, but not owe a unit',
  `
  # 21 ticks of one lot are all that Anna and Cleo have; then a fee of a unit comes.
  market DUSTUSDT ${free} minOrderSize 0.000001
  credit anna 0.000021
  credit cleo 0.000022
  credit ben 1000
  index 1
  anna leverage 50
  cleo leverage 50
  anna buy 0.001 @ 1
  cleo buy 0.001 @ 1
  ben sell 0.002 @ 1
  anna sell 0.001 @ 0.979 reduceOnly id hers
  cleo sell 0.001 @ 0.979 reduceOnly id next
  change makerFee 0.0000001 takerFee 0.0000001
  drift 0.979
  ben buy 0.001 @ 0.979 -> FILLED
  anna order hers status CANCELED reason MARGIN
  cleo order next status FILLED
  cleo has balance 0
  `,
);

/** Anna is long three lots of DUST, which cost 60 units of margin, at 0.98: 60 units are lost. */
const dust = (credit: string) => `
  market DUSTUSDT ${free} minOrderSize 0.000001
  credit anna ${credit}
  credit ben 1000
  index 1
  anna leverage 50
  anna buy 0.003 @ 1
  ben sell 0.003 @ 1
  drift 0.98
`;

scenario(
  'MAR-4 a fill at the mark that closes a part may leave one unit',
  `
  ${dust('0.000061')}
  anna has equity 0.000001
  ben buy 0.001 @ 0.98
  anna sell 0.001 @ 0.98 reduceOnly IOC -> FILLED
  `,
);

scenario(
  'MAR-4e a loss that would leave one unit must keep the ratio, too',
  `
  # Of 2 units for a maintenance of 30 one would be left for 20.
  ${dust('0.000062')}
  ben buy 0.001 @ 0.979
  anna sell 0.001 @ 0.979 reduceOnly IOC -> marginInsufficient
  ben cancelAll
  anna sell 0.001 @ 0.979 reduceOnly -> marginInsufficient
  anna sell 0.001 @ 0.98 reduceOnly -> NEW
  `,
);

scenario(
  'FUND-1d a trader that owes more than it has fills at the mark, and not a tick beyond',
  `
  # Half an hour of 90 % on 100000: 45000 of 5000.
  after 399750
  market DUSTUSDT ${free} minOrderSize 0.000001 fundingIntervalHours 1 maxFundingRate 0.9 fundingFactor 0.9
  credit anna 5000
  credit mm 1000000
  house mm
  index 1
  anna leverage 50
  anna buy 100000 @ 1
  mm sell 100000 @ 1
  steady 1 for 1800000 every 60000
  mm sell 0.001 @ 1.001
  anna buy 0.001 @ 1.001 -> marginInsufficient
  mm cancelAll
  mm sell 0.001 @ 1
  anna buy 0.001 @ 1 -> FILLED
  mm buy 0.001 @ 0.999
  anna sell 0.001 @ 0.999 reduceOnly IOC -> marginInsufficient
  mm cancelAll
  mm buy 0.001 @ 1
  anna sell 0.001 @ 1 reduceOnly IOC -> FILLED
  `,
);
