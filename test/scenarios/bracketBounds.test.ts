// MAR-10c: what a table of brackets bounds, and what it does not. One coin stands in the first
// bracket at 60000, the next nine in the second. Crowds at random:
// test/engine/bracketCrowd.test.ts.

import { scenario } from './scenario.ts';

const start = `
  market BTCUSDT brackets 60000:0.01,600000:0.05 openInterestCap 600000 gapRate 0.05
  credit anna 100000
  credit ben 100000
  credit cleo 100000
  credit mm 1000000
  house mm
  anna leverage 10
  ben leverage 10
  cleo leverage 10
  index 60000
  mm sell 10 @ 60000
`;

scenario(
  'MAR-10c closes leave room only where they closed: lots of the first bracket never exceed its bound',
  `
  ${start}
  anna buy 1 @ 60000 -> FILLED
  ben buy 1 @ 60000 -> FILLED
  # 60000 x 1 % and x 5 %
  anna has maintenance 600
  ben has maintenance 3000
  # One coin stands: Ben's. Cleo's is the second, although none of the first bracket is left.
  mm buy 2 @ 59900
  anna sell 1 @ 59900 reduceOnly -> FILLED
  cleo buy 1 @ 60000 -> FILLED
  cleo has maintenance 3000
  # Half of Ben's closes, and both halves had one rate.
  ben sell 0.5 @ 59900 reduceOnly -> FILLED
  ben has maintenance 1500
  # 1.5 coins stand.
  anna buy 0.5 @ 60000 -> FILLED
  anna has maintenance 1500
  `,
);

scenario(
  'MAR-10c after a rise of the price the bound is larger in proportion',
  `
  ${start}
  anna buy 1 @ 60000 -> FILLED
  index 63000
  mark 63000
  # 63000 of open interest have the first rate: 60000 x 63000 / 60000.
  anna has maintenance 630
  ben buy 0.1 @ 63000
  mm sell 0.1 @ 63000
  ben has maintenance 315
  `,
);

scenario(
  'MAR-10c an internal account has the first rate, and keeps it when it becomes an ordinary one',
  `
  ${start}
  house ben
  ben buy 5 @ 60000 -> FILLED
  ben has maintenance 3000
  house ben off
  # Five coins at the first rate: four beyond its bound. What opens now is the sixth.
  openInterest 5 0
  ben has maintenance 3000
  anna buy 1 @ 60000 -> FILLED
  anna has maintenance 3000
  `,
);

scenario(
  'MAR-10c a changed table holds for later openings',
  `
  ${start}
  anna buy 1 @ 60000 -> FILLED
  change brackets 6000:0.01,600000:0.05
  anna has maintenance 600
  ben buy 1 @ 60000 -> FILLED
  ben has maintenance 3000
  # Closed and opened again, Anna's coin is the second.
  mm buy 1 @ 59900
  anna sell 1 @ 59900 reduceOnly -> FILLED
  anna buy 1 @ 60000 -> FILLED
  anna has maintenance 3000
  `,
);

scenario(
  'MAR-10c LIQ-4 attack: a position in liquidation does not wait for a gap that winners would pay',
  `
  # Ava and Bob are one person. There are no offers; three rises below the rate of 1 % leave Ava 2587.33 of
  # 4111.13, less than two thirds: Eve, a winner, gets 386.1 a coin more than the mark, and the rise of
  # 0.98 % finds nothing to share. Waiting down to a third, Eve would have been closed at the same
  # price after it, 215.3 below the mark.
  market BTCUSDT makerFee 0 takerFee 0 fundingFactor 0
  credit ava 11700
  credit bob 500000
  credit eve 100000
  credit hub 1000000
  house hub
  index 60000
  ava leverage 50
  bob buy 6.7 @ 60000
  ava sell 6.7 @ 60000
  eve buy 3 @ 60000
  hub sell 3 @ 60000
  index 60510
  index 60933.6
  index 61360.1
  deleveraged ava eve 3@61746.2 ava bob 3.7@61746.2
  ava has position 0
  eve has balance 105238.6
  index 61961.4
  deleveraged
  shared
  eve has balance 105238.6
  funds shortfall 0
  `,
);

scenario(
  'MAR-10c LIQ-5 who closes against an account without equity may have less than two thirds until the next tick',
  `
  # Ben is up in BTC and down in ETH. Anna owes 4772 a coin beyond her margin, and Ben closes 0.25
  # there: of 1432.5 239.5 are left, of a maintenance of 1080. The next tick closes the rest of it.
  market BTCUSDT
  market ETHUSDT
  credit anna 310
  credit ben 3000
  credit cleo 1000000
  index 60000
  index ETHUSDT 3000
  anna leverage 50
  ben leverage 50
  ben leverage 50 ETHUSDT
  cleo sell 25 ETHUSDT @ 3000
  ben buy 25 ETHUSDT @ 3000
  cleo buy 0.75 @ 60000
  ben sell 0.75 @ 60000
  anna buy 0.25 @ 60000
  ben sell 0.25 @ 60000
  tick BTCUSDT=54000 ETHUSDT=2700
  deleveraged anna ben 0.25@58772
  ben has position -0.75 equity 239.5 maintenance 1080 flagged no
  tick BTCUSDT=54000 ETHUSDT=2700 after 250
  ben has position 0
  ben has position 0 ETHUSDT
  funds shortfall 0
  `,
);
