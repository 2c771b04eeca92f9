// The timers of a market (FUND-3, SYM-2): its funding boundaries and its delivery, from the timer
// to the price that does it. The scenarios begin on 2025-10-09 at 08:53:20 UTC, 1760000000000;
// 09:00 is 400 s away (1760000400000), 12:00 11,200 s (1760011200000), 16:00 25,600 s
// (1760025600000).

import { expect, test } from 'vitest';
import { play, scenario } from './scenario.ts';
import { createWorld } from './world.ts';

const traders = `
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
`;

scenario(
  'FUND-3 a boundary is due when its time comes, and settled once, at the next accepted index',
  `
  market BTCUSDT
  ${traders}
  after 25599749
  shows fundingDue none
  after 1
  shows fundingDue 1760025600000
  events fundingSettled 0
  index 60000
  # After the gap three ticks must agree: the first two settle nothing.
  index 60000
  shows fundingDue 1760025600000
  steady 60000 for 2000
  shows fundingDue none
  events fundingSettled 1
  steady 60000 for 5000
  events fundingSettled 1 fundingPaid 2
  `,
);

scenario(
  'FUND-3 an interval of a day and of an hour end at multiples of UTC, whenever they begin',
  `
  market BTCUSDT fundingIntervalHours 24
  market ETHUSDT fundingIntervalHours 1
  # Midnight is 54,400 s away.
  after 54399999
  shows fundingDue none
  shows fundingDue 1760050800000 ETHUSDT
  after 1
  shows fundingDue 1760054400000
  shows fundingDue 1760054400000 ETHUSDT
  `,
);

scenario(
  'FUND-3 after a long gap only the latest boundary is settled, and each earlier one has rate 0',
  `
  market BTCUSDT
  ${traders}
  after 112000000
  # 16:00, 00:00, 08:00 and 16:00 have passed.
  shows fundingDue 1760112000000
  events fundingSettled 3
  steady 60000 for 3000
  shows fundingDue none
  events fundingSettled 4
  # The timer after the gap is the next boundary, not one counted from the gap's end.
  after 28797000
  shows fundingDue 1760140800000
  `,
);

scenario(
  'FUND-3 FUND-3a SYM-1 a boundary in HALT, or due before it, is recorded at rate 0 at once',
  `
  market BTCUSDT
  ${traders}
  change status HALT
  after 25600000
  shows fundingDue none
  events fundingSettled 1 fundingPaid 2
  change status TRADING
  # Due, but no price; then HALT, and the next boundary passes.
  after 28800000
  shows fundingDue 1760054400000
  change status HALT
  events fundingSettled 1
  after 28800000
  shows fundingDue none
  events fundingSettled 3
  `,
);

scenario(
  'FUND-3 SYM-1 a boundary that was due before HALT waits for a price of the market that is live',
  `
  market BTCUSDT
  ${traders}
  after 25600000
  change status HALT
  steady 60000 for 5000
  shows fundingDue 1760025600000
  change status CLOSE
  events fundingSettled 0
  index 60000
  shows fundingDue none
  events fundingSettled 1
  `,
);

scenario(
  'FUND-3 OPS-2 a changed interval counts from now, and the boundary of the old one is dropped',
  `
  market BTCUSDT
  index 60000
  change fundingIntervalHours 4
  after 11199750
  shows fundingDue 1760011200000
  change fundingIntervalHours 24
  # What is due stays due, until the next boundary of the new interval.
  after 14400000
  shows fundingDue 1760011200000
  events fundingSettled 0
  after 28800000
  shows fundingDue 1760054400000
  events fundingSettled 1
  # The same interval again changes nothing.
  change fundingIntervalHours 24 maxLeverage 49
  after 86400000
  shows fundingDue 1760140800000
  events fundingSettled 2
  `,
);

scenario(
  'SYM-2 only CLOSE with a delivery time waits for a delivery, and can be undone until settlement',
  `
  market BTCUSDT deliveryTime 1760025600000
  index 60000
  shows delivery none status TRADING
  change status HALT
  shows delivery none
  change status CLOSE
  shows delivery waits status CLOSE
  # Other terms leave it as it is.
  change maxLeverage 49
  shows delivery waits
  change status TRADING
  shows delivery none
  change status CLOSE
  change deliveryTime 0
  shows delivery none status CLOSE
  after 25600000
  shows delivery none
  index 60000
  events marketSettled 0
  change status TRADING
  # At listing too.
  market ETHUSDT status CLOSE deliveryTime 1760112000000
  shows delivery waits ETHUSDT
  `,
);

scenario(
  'SYM-2a termsInvalid: a delivery must be at a whole minute, in the future when it is set',
  `
  market BTCUSDT deliveryTime 1760025600001 -> termsInvalid deliveryTime
  market BTCUSDT deliveryTime 1760025599999 -> termsInvalid deliveryTime
  market BTCUSDT deliveryTime -60000 -> termsInvalid deliveryTime
  market BTCUSDT status CLOSE deliveryTime 1759999980000 -> termsInvalid deliveryTime
  # It stands in the terms without effect while the market is not closed.
  market BTCUSDT deliveryTime 1759999980000
  change status CLOSE -> termsInvalid deliveryTime
  change status CLOSE deliveryTime 1760000000000 -> termsInvalid deliveryTime
  change status CLOSE deliveryTime 1760000040000
  shows delivery waits
  `,
);

scenario(
  'SYM-2 a due delivery waits for a price, and until then its terms may change and it can be undone',
  `
  market BTCUSDT
  index 60000
  change status CLOSE deliveryTime 1760000400000
  after 399749
  shows delivery waits
  after 1
  shows delivery due
  change indexSources a:1
  shows delivery due
  change status TRADING
  shows delivery none
  # That time has passed; another is needed.
  change status CLOSE -> termsInvalid deliveryTime
  change status CLOSE deliveryTime 1760004000000
  shows delivery waits
  # A later time takes the place of an earlier one.
  change deliveryTime 1760007600000
  after 3600000
  shows delivery waits
  after 3600000
  shows delivery due
  `,
);

scenario(
  'SYM-2 marketHalted, termsInvalid: a settled market never trades, never changes, takes no price',
  `
  market BTCUSDT
  ${traders}
  anna buy 0.01 @ 59000 id x
  change status CLOSE deliveryTime 1760000400000
  steady 60000 for 400000
  events marketSettled 1
  anna order x status CANCELED reason DELISTING
  anna has position 0
  ben has position 0
  anna buy 0.01 @ 60000 -> marketHalted
  anna sell 0.01 @ 60000 reduceOnly -> marketHalted
  change status TRADING -> termsInvalid status
  change maxLeverage 49 -> termsInvalid status
  index 61000 -> prices 0
  shows status CLOSE index 60000 live false delivery none
  after 100000000
  shows status CLOSE fundingDue none
  events fundingSettled 0
  `,
);

scenario(
  'SYM-2 the hour before the delivery counts, even when the settling price comes late',
  `
  # 10:00 is 4,000 s away (1760004000000). From 08:53:21 to 09:00 the index is 60000, to 09:30 61000,
  # to 10:00 62000; at 10:40 it comes back at 66000. The hour's mean: 61500.
  market BTCUSDT
  ${traders}
  change status CLOSE deliveryTime 1760004000000
  steady 60000 for 398750
  shows minutes 7
  # From 1760000400000 to 1760002200000: thirty minutes.
  steady 61000 for 1800000
  steady 62000 for 1800000
  shows minutes 61 delivery waits
  after 2401000
  shows delivery due
  steady 66000 for 3000
  events marketSettled 1
  # The last index stood for two minutes, one of them after the hour and one begun.
  shows minutes 62
  # 0.1 bought at 60000, less 1.2 of fees.
  anna has balance 10148.8 position 0
  `,
);

scenario(
  'SYM-2 the expected settlement price is the mean of the hour so far, or the last index without one',
  `
  # The hour of 10:00 begins at 09:00, 400 s from now.
  market BTCUSDT status CLOSE deliveryTime 1760004000000
  after 399000
  index 60000
  shows settlement 60000
  after 500
  index 61000
  # It has stood for no time yet, and 60000 not within the hour.
  shows settlement 61000 minutes 1
  index 61500
  shows settlement 61000 minutes 2
  index 61500
  shows settlement 61250
  `,
);

test('FUND-3 SYM-2 replaced timers of a market are removed at once', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT
    change fundingIntervalHours 4
    change fundingIntervalHours 12
    change status CLOSE deliveryTime 1760000400000
    change deliveryTime 1760000460000
    `,
  );
  const kinds = world.exchange.timers.items.map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(['delivery', 'funding']);
});
