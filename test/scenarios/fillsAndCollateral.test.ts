// The effect of a fill on position, collateral and balance (MAR-2, BAL-1, BAL-3, UNIT-2).

import { expect, test } from 'vitest';
import { play, scenario } from './scenario.ts';
import { threeTraders } from './stages.ts';
import { accountOf, createWorld } from './world.ts';

scenario(
  'MAR-2 BAL-1 an opening fill turns its freeze into collateral of price x quantity / leverage',
  `
  # Anna rests and pays 6000 x 0.02 % = 1.2, Ben takes and pays 6000 x 0.05 % = 3.
  ${threeTraders}
  anna buy 0.1 @ 60000
  anna has freezes 301.5 available 9698.5 balance 10000
  ben sell 0.1 @ 60000
  anna has position 0.1 entry 6000 collateral 300 freezes 0 available 9698.8 balance 9998.8
  ben has position -0.1 entry -6000 collateral 300 freezes 0 available 9697 balance 9997
  funds feeRevenue 4.2
  `,
);

scenario(
  'MAR-2 UNIT-2 a partial close releases entry notional and collateral pro rata',
  `
  # 0.1 at 60000 and 0.2 at 60300: 18060 of entry, 60200 on average; 300 + 603 of collateral. A
  # third is closed at 60500: 6050 - 6020 = 30 of profit, 301 of collateral back; taker fee 3.025.
  ${threeTraders}
  anna buy 0.2 @ 60300
  ben sell 0.2 @ 60300
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna has position 0.3 entry 18060 entryPrice 60200 held 903
  # maker fees 2.412 + 1.2
  anna has balance 9996.388
  cleo buy 0.1 @ 60500
  anna sell 0.1 @ 60500
  anna has position 0.2 entry 12040 entryPrice 60200 held 602 balance 10023.363
  `,
);

scenario(
  'MAR-2 a flip first closes and then opens at the price of the fill',
  `
  # Short 0.1 from 60000; 0.3 bought at 59000: 100 of profit, long 0.2 with 590 of collateral;
  # fees 1.2 as maker, 8.85 as taker.
  ${threeTraders}
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000
  cleo sell 0.3 @ 59000
  anna buy 0.3 @ 59000 -> FILLED
  anna has position 0.2 entry 11800 held 590 balance 10089.95 freezes 0
  openInterest 0.3 0.3
  `,
);

scenario(
  'MAR-2 a loss is booked when it is realised',
  `
  # Long 0.1 from 60000, closed at 59000: -100. Fees 1.2 and 2.95.
  ${threeTraders}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna has unrealized 0
  index 59000
  anna has unrealized -100 equity 9898.8 balance 9998.8
  cleo buy 0.1 @ 59000
  anna sell 0.1 @ 59000 reduceOnly -> FILLED
  anna has position 0 entry 0 collateral 0 unrealized 0 balance 9895.85 available 9895.85
  `,
);

scenario(
  'MAR-2 UNIT-3 collateral is rounded up, but never beyond the freeze that the fill releases',
  `
  # Two lots of a millionth each at leverage 20. The order freezes 2 x 1.005 / 20, up to 0.000001.
  # The first fill leaves a rest that still freezes 0.000001, so it releases nothing and locks
  # nothing; the second one releases 0.000001 and locks it. Each fill's fee is up to 0.000001.
  market DUSTUSDT minOrderSize 0.000001
  credit anna 1
  credit ben 1
  index 0.001
  anna buy 0.002 @ 0.001 id x
  anna order x freeze 0.000001
  ben sell 0.001 @ 0.001
  anna has position 0.001 held 0 freezes 0.000001 balance 0.999999
  ben has position -0.001 held 0.000001 balance 0.999999
  ben sell 0.001 @ 0.001
  anna has position 0.002 held 0.000001 freezes 0 balance 0.999998
  `,
);

scenario(
  'MAR-2 a closing fill of an uncovered order opens nothing and gives its freeze back',
  `
  # The resting ask holds the cover of the whole position; the incoming one freezes 301.5, closes
  # all the same, and the resting one then freezes 61000 x 0.1 / 20 x 1.005 = 306.525.
  ${threeTraders}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna sell 0.1 @ 61000 id resting
  cleo buy 0.1 @ 60000
  anna sell 0.1 @ 60000 -> FILLED
  anna has position 0 collateral 0 freezes 306.525 balance 9995.8
  anna order resting cover 0 freeze 306.525
  `,
);

test('BAL-3 every change of a balance is an event, and the events sum up to the balance', () => {
  // Credit, an opening and a closing fill on either side, a realised loss.
  const world = play(
    createWorld(),
    `
    ${threeTraders}
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000
    index 59000
    cleo buy 0.1 @ 59000
    anna sell 0.1 @ 59000
    `,
  );
  const anna = accountOf(world, 'anna').id;
  const rows: [string, number][] = [];
  for (const event of world.events) {
    if (event.kind === 'credited' && event.account === anna) rows.push(['deposit', event.amount]);
    if (event.kind !== 'traded') continue;
    for (const fill of [event.taker, event.maker]) {
      if (fill.account !== anna) continue;
      rows.push(['realised', fill.pnl], ['fee', -fill.fee]);
    }
  }
  expect(rows).toEqual([
    ['deposit', 10_000_000_000],
    ['realised', 0],
    ['fee', -1_200_000],
    ['realised', -100_000_000],
    ['fee', -2_950_000],
  ]);
  play(world, 'anna has balance 9895.85');
});
