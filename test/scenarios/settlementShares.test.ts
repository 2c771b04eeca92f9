// The unpaid amounts of losers at a delivery (SYM-2, LIQ-4) to the last unit, and the order of the
// steps. settlement.test.ts has the price and its day. Trades cost nothing.

import { expect, test } from 'vitest';
import { play, scenario } from './scenario.ts';
import { fallenMean, freeOfFunding } from './stages.ts';
import { createWorld } from './world.ts';

const credits = `
  credit anna 130
  credit ben 10000
  credit dora 10000
  credit cleo 10000
`;

scenario(
  'SYM-2 LIQ-4 the first account shares like the others',
  `
  # Anna is 365 short; Ben won 297, Dora 198.
  ${fallenMean('credit ben 10000\n  credit anna 130\n  credit dora 10000')}
  after 1500
  index 59000
  shared ben 219 dora 146
  covered anna 0 365 0
  ben has balance 10078
  `,
);

scenario(
  'SYM-2 LIQ-3 when the fund can pay the whole unpaid amount, no winner shares',
  `
  ${fallenMean(credits)}
  insurance 1000
  after 1500
  index 59000
  covered anna 365 0 0
  shared
  rows anna 130 -495 365
  funds insurance 635 shortfall 0
  `,
);

scenario(
  'SYM-2 LIQ-4 BAL-3 the shares of winners pay for one loser after the other until they are used up',
  `
  # Anna is 365 short, Emil, long 0.02 on 26, 73. Ben can give 50 of the 297 that he won, for ETH, 50
  # long and down 199 each, has cost him the rest; Dora gives her 198 and Cleo her 99: 347.
  ${fallenMean(
    credits.replace('credit ben 10000', 'credit ben 9703'),
    `credit emil 26
  emil leverage 50
  emil buy 0.02 @ 59000
  cleo sell 0.02 @ 59000`,
  )}
  ben leverage 50 ETHUSDT
  ben buy ETHUSDT 50 @ 3000
  cleo sell ETHUSDT 50 @ 3000
  after 1250
  tick BTCUSDT=59000 ETHUSDT=2801
  shared ben 50 dora 198 cleo 99
  covered anna 0 347 18 emil 0 0 73
  funds shortfall 91
  `,
);

scenario(
  'SYM-2 BAL-4 a loser pays with an order in another market, which leaves the book there',
  `
  # 130 + 50, of which a bid holds 2000 x 1.005 / 50 = 40.2: all of it goes, 315 are missing.
  ${fallenMean(credits.replace('130', '180'))}
  anna leverage 50 ETHUSDT
  anna buy ETHUSDT 1 @ 2000 id bid
  book ETHUSDT bids 1@2000 asks
  after 1500
  index 59000
  anna order bid status CANCELED reason MARGIN
  book ETHUSDT bids asks
  covered anna 0 315 0
  anna has balance 0 freezes 0
  `,
);

/** DUST: 0.982 for 98.25 s and 1.003 for 1.5 s make 0.9823: 982 ticks. */
const dust = (credits: string, opened: string): string => `
  market DUSTUSDT ${freeOfFunding} minOrderSize 0.000001
  ${credits}
  index 0.982
  steady 0.982 for 98000
  index 1.003
  anna leverage 50
  ${opened}
  change status CLOSE deliveryTime 1760000100000
  after 1500
  index 1.003
`;

scenario(
  'SYM-2 LIQ-4 UNIT-3 a winner gives one unit for one unpaid unit of a loser',
  `
  # 501 x 21 units are lost, one of them was never there.
  ${dust(
    'credit anna 0.01052\n  credit ben 10',
    'anna buy 0.501 @ 1.003\n  ben sell 0.501 @ 1.003',
  )}
  settled 0.982
  delivered ben 0.010521 anna -0.010521
  shared ben 0.000001
  covered anna 0 0.000001 0
  ben has balance 10.01052
  funds shortfall 0
  `,
);

scenario(
  'SYM-2 the winner of a single unit comes before its loser, and a gain of 0 makes no winner',
  `
  # 0.982 is the price: Emil and Dora come out even.
  ${dust(
    'credit emil 10\n  credit dora 10\n  credit ben 10\n  credit anna 10',
    `ben buy 0.001 @ 0.983
  anna sell 0.001 @ 0.983
  dora sell 0.001 @ 0.982
  emil buy 0.001 @ 0.982`,
  )}
  delivered anna 0.000001 emil 0 dora 0 ben -0.000001
  `,
);

test('SYM-2 orders are cancelled account by account', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT ${freeOfFunding}
    credit anna 1000
    credit ben 1000
    index 60000
    ben buy 0.001 @ 50000
    anna buy 0.001 @ 50000
    change status CLOSE deliveryTime 1760000040000
    after 39500
    index 60000
    `,
  );
  const owners = world.events.flatMap((event) =>
    event.kind === 'orderEnded' && event.order.cancelReason === 'DELISTING'
      ? [event.order.account]
      : [],
  );
  expect(owners).toEqual([1, 2]);
});
