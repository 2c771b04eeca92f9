// Maintenance by brackets of open interest (MAR-10): the rates of what opens, what a position keeps
// of them, and the leverage that an opening may have. The terms of a table stand in
// listing.test.ts.

import { scenario } from './scenario.ts';

/** Three brackets; ben's are internal orders, which are no open interest. */
const three = `
  market BTCUSDT openInterestCap 120000 brackets 30000:0.01,60000:0.02,120000:0.05
  credit anna 100000
  credit cleo 100000
  credit dave 100000
  credit ben 1000000
  house ben
  index 60000
`;

scenario(
  'MAR-10 each lot takes the rate of the bracket in which it opens; one fill may pass several',
  `
  ${three}
  ben sell 3 @ 60000
  anna buy 0.4 @ 60000
  anna has maintenance 240 rate 0.01
  # 24000 of notional stand: 0.1 opens up to 30000, 0.2 behind it.
  cleo buy 0.3 @ 60000
  cleo has maintenance 300 rate 0.01666667
  # 42000 stand: 0.3 up to 60000, 0.2 behind it, where the leverage is at most 10.
  dave leverage 10
  dave buy 0.5 @ 60000
  dave has maintenance 960 rate 0.032
  # What others open raises no account's maintenance; an internal account has the first rate.
  anna has maintenance 240
  cleo has maintenance 300
  ben has position -1.2 maintenance 720 rate 0.01
  openInterest 1.2 0
  # Everything is linear in the mark.
  index 66000
  anna has maintenance 264
  cleo has maintenance 330
  dave has maintenance 1056
  `,
);

scenario(
  'MAR-10 the price of the fill decides how many lots a bracket holds',
  `
  ${three}
  ben sell 3 @ 61000
  # Of 0.6 at 61000 the first 0.491 are worth at most 30000: 0.491 at 1 % and 0.109 at 2 %.
  anna buy 0.6 @ 61000
  anna has maintenance 425.4
  # An internal account has the first rate for all of it.
  ben has position -0.6 maintenance 360 rate 0.01
  `,
);

scenario(
  'MAR-10 leverageAboveBracket: an order opens with at most 1 / (2 × rate) of its last lot',
  `
  ${three}
  ben sell 3 @ 60000
  # The first bracket has the maximum of the market, the second 25, the third 10.
  anna leverage 50
  anna buy 0.5 @ 60000 id a
  anna order a status FILLED leverage 50
  anna buy 0.001 @ 60000 -> leverageAboveBracket 50 25
  anna leverage 26
  anna buy 0.001 @ 60000 -> leverageAboveBracket 26 25
  anna test buy 0.001 @ 60000 -> leverageAboveBracket 26 25
  anna leverage 25
  anna buy 0.5 @ 60000
  cleo buy 0.001 market -> leverageAboveBracket 20 10
  cleo leverage 10
  cleo buy 0.001 market -> FILLED
  # What closes is free of it, and so is an internal account.
  anna leverage 50
  anna sell 1 @ 59000 -> NEW
  ben leverage 50
  ben buy 0.5 @ 58500 -> NEW
  # The other side is empty: 0.491 at 61000 stand in its first bracket.
  dave leverage 50
  dave sell 0.491 @ 61000 -> NEW
  dave sell 0.492 @ 61000 -> leverageAboveBracket 50 25
  `,
);

scenario(
  'MAR-10 ORD-5 leverageAboveBracket: a modified order is asked again, with its new terms',
  `
  ${three}
  ben sell 3 @ 62000
  anna leverage 50
  anna buy 0.4 @ 60000 id a
  anna modify a 0.6 @ 60000 -> leverageAboveBracket 50 25
  anna modify a 0.5 @ 60000 -> NEW
  # The order of a trigger as well.
  anna trigger buy 0.6 STOP_MARKET stop 60500 id s
  index 61000
  anna trigger s status FAILED failure leverageAboveBracket
  `,
);

scenario(
  'MAR-10 MAR-4 a resting order with more leverage than its bracket now allows is cancelled at the fill',
  `
  ${three}
  anna leverage 50
  anna buy 0.4 @ 60000 id a
  cleo buy 0.1 @ 60000 id c
  ben sell 3 @ 60100
  dave buy 0.4 @ 60100
  # 24040 stand: with 0.4 of Anna 48000 would. Her order goes, Cleo's fills.
  ben buy 0.01 @ 59000
  dave buy 0.1 @ 60100
  credit eve 100000
  eve sell 0.1 @ 60000 -> FILLED
  anna order a status CANCELED reason MARGIN filled 0
  anna has available 100000 position 0
  cleo order c status FILLED
  cleo has maintenance 120 rate 0.02
  `,
);

scenario(
  'MAR-10 MAR-4a a taker stops where its fills, above its limit, would enter a bracket of less leverage',
  `
  ${three}
  ben buy 0.4 @ 61000
  ben buy 0.4 @ 60000
  anna leverage 50
  # At its limit 0.5 are worth 30000; of 0.4 filled at 61000 they would be worth 30400 at the end.
  ben buy 0.1 @ 60900
  anna sell 0.5 @ 60000 id a -> CANCELED MARGIN
  anna order a filled 0.4
  anna has maintenance 240
  `,
);

scenario(
  'MAR-10 UNIT-3 a close takes its part of the surcharge, rounded down; a flat position has none',
  `
  market DUSTUSDT minOrderSize 0.000001 openInterestCap 1000000 brackets 20000:0.01,1000000:0.02
  credit anna 1000000
  credit ben 1000000
  house ben
  index 10
  ben sell 3000 @ 10
  # 2000 at 1 %, 1000 at 2 %: 100 + 100 + 200.
  anna buy 3000 @ 10
  anna has maintenance 400 rate 0.01333334
  ben buy 3000 @ 10
  anna sell 1999.999 @ 10
  # A third is left, and a third of the surcharge, which the closed part has rounded down.
  anna has maintenance 133.333467 rate 0.01333334
  anna sell 1000 @ 10
  anna has position 0.001 maintenance 0.000134 rate 0.01333334
  anna sell 0.001 @ 10
  ben sell 0.001 @ 10
  anna buy 0.001 @ 10
  anna has position 0.001 maintenance 0.0001 rate 0.01
  `,
);

scenario(
  'MAR-10 a position that turns gives all of its surcharge back and takes the rates of the other side',
  `
  ${three}
  ben sell 3 @ 60000
  anna buy 0.6 @ 60000
  anna has maintenance 420
  ben cancelAll
  ben buy 3 @ 60000
  anna sell 1.2 @ 60000
  anna has position -0.6 maintenance 420
  anna buy 0.6 @ 60000
  `,
);

scenario(
  'MAR-10 open interest that falls below a bracket changes nothing that stands',
  `
  ${three}
  ben sell 3 @ 60000
  anna buy 0.5 @ 60000
  cleo buy 0.2 @ 60000
  cleo has maintenance 240 rate 0.02
  ben cancelAll
  ben buy 0.5 @ 60000
  anna sell 0.5 @ 60000
  openInterest 0.2 0
  cleo has maintenance 240 rate 0.02
  # What opens now stands in the first bracket again, also beside older lots.
  ben sell 3 @ 60000
  cleo buy 0.2 @ 60000
  cleo has maintenance 360 rate 0.015
  `,
);

scenario(
  'MAR-10a a new table holds for what opens later; OPS-2 a raised rate for all, a day later',
  `
  ${three}
  ben sell 3 @ 60000
  anna buy 0.6 @ 60000
  anna has maintenance 420
  change brackets 120000:0.01
  anna has maintenance 420
  cleo buy 0.1 @ 60000
  cleo has maintenance 60
  change brackets 12000:0.01,120000:0.04
  cleo leverage 10
  cleo buy 0.1 @ 60000
  cleo has maintenance 300 rate 0.025
  change maintenanceMarginRate 0.015
  anna has maintenance 420
  shows brackets 12000:0.01,120000:0.04
  steady 60000 for 86400000
  shows brackets 12000:0.015,120000:0.045
  anna has maintenance 600
  cleo has maintenance 360
  change maintenanceMarginRate 0.01
  anna has maintenance 420
  cleo has maintenance 300
  `,
);

scenario(
  'MAR-10 attack: splitting a position into many accounts gains nothing',
  `
  ${three}
  credit eve 100000
  anna leverage 10
  cleo leverage 10
  dave leverage 10
  eve leverage 10
  ben sell 9 @ 60000
  anna buy 0.5 @ 60000
  cleo buy 0.5 @ 60000
  dave buy 0.5 @ 60000
  anna has maintenance 300
  cleo has maintenance 600
  dave has maintenance 1500
  ben cancelAll
  ben buy 9 @ 60000
  # On the other side one account has all of it.
  eve sell 1.5 @ 60000
  eve has maintenance 2400
  `,
);

scenario(
  'MAR-10 LIQ-1 LIQ-7 a position is liquidated at its own rate',
  `
  market BTCUSDT openInterestCap 120000 brackets 30000:0.01,120000:0.05 makerFee 0 takerFee 0
  credit anna 5000
  credit cleo 1010
  credit ben 1000000
  house ben
  index 60000
  ben sell 3 @ 60000
  anna buy 0.5 @ 60000
  cleo leverage 10
  cleo buy 0.1 @ 60000
  # (6000 − 1010) / (0.1 × 0.95), rounded up to a tick.
  cleo has maintenance 300 liquidation 52526.4 rate 0.05
  index 56000
  index 52526.4
  flags
  index 52526.3
  flags cleo yes
  anna has flagged no
  `,
);

scenario(
  'MAR-10 MAR-4 MAR-7 an isolated position must carry the rate at which it opens',
  `
  market BTCUSDT openInterestCap 120000 brackets 30000:0.01,120000:0.049 priceBand 0.1
  credit anna 100000
  credit cleo 100000
  credit ben 1000000
  house ben
  index 60000
  ben sell 0.5 @ 60000
  anna buy 0.5 @ 60000
  cleo mode isolated
  cleo leverage 10
  # 0.1 at 61200 lock 612 and lose 120 against the mark; twice the maintenance of 294 must stay, so 96
  # more come from available (MAR-9a). Beyond the band of the mark they do not.
  ben sell 0.1 @ 61200
  cleo buy 0.1 @ 61200 -> FILLED
  cleo has maintenance 294 held 708
  ben sell 0.1 @ 61200.1
  cleo buy 0.1 @ 61200.1 -> marginInsufficient
  `,
);

scenario(
  'MAR-10 LIQ-3 the insurance fund takes lots over at the first rate',
  `
  market BTCUSDT openInterestCap 120000 brackets 30000:0.01,120000:0.05 makerFee 0 takerFee 0
  insurance 1000000
  credit anna 100000
  credit cleo 650
  credit ben 1000000
  house ben
  index 60000
  ben sell 0.6 @ 60000
  anna buy 0.5 @ 60000
  cleo leverage 10
  cleo buy 0.1 @ 60000
  index 54500
  # Cleo has 100 of 272.5 at her 5 %. She pays no more than 2 / 3 of 1 %, 363.3; 172.5 / (54500 x
  # 0.04333333) = 0.07304: 0.074 leave her 73.1158 of 70.85.
  takenOver cleo 0.074@54136.7
  cleo has position 0.026 maintenance 70.85 equity 73.1158 flagged yes
  fund has position 0.074 rate 0.01
  openInterest 0.526 0
  `,
);
