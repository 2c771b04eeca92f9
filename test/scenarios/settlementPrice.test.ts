// The price of a delivery is a mean by time, and the mark moves to it in the hour before (SYM-2c).
// Who is paid stands in settlement.test.ts. The scenarios begin at 1760000000000; trades cost
// nothing.

import { scenario } from './scenario.ts';
import { freeOfFunding } from './stages.ts';

scenario(
  'SYM-2c the mark moves to the mean of the hour, linearly with time',
  `
  # The hour begins at 40 s. After half of it the index rises from 60000 to 64000 and stays there.
  market BTCUSDT ${freeOfFunding}
  index 60000
  change status CLOSE deliveryTime 1760003640000
  steady 60000 for 1839750
  mark 60000
  index 64000
  # It has stood for no time: 64000 x 1799750 / 3600000 + 60000 x 1800250 / 3600000.
  shows settlement 60000
  mark 61999.7
  steady 64000 for 899750
  # A third of 2700 s at 64000: 61333. A quarter of 64000, three quarters of 61333: 61999.75, to even.
  shows settlement 61333
  mark 61999.8
  steady 64000 for 900000
  settled 61999.7
  `,
);

scenario(
  'SYM-2c the mean counts time and not ticks',
  `
  # 60000 for 19.875 s in 80 ticks, 62000 for as long in 20.
  market BTCUSDT ${freeOfFunding}
  index 60000
  change status CLOSE deliveryTime 1760000040000
  steady 60000 for 19625 every 250
  index 62000
  steady 62000 for 18875
  prices sim=62000 after 1000
  settled 61000
  `,
);

scenario(
  'SYM-2c an index counts until the next, at most for two minutes',
  `
  # 60000 stands from 0.25 s on and is silent then; three ticks agree on 62000 at 280 s.
  market BTCUSDT ${freeOfFunding}
  index 60000
  change status CLOSE deliveryTime 1760000400000
  prices sim=62000 after 277750
  prices sim=62000 after 1000
  shows index 60000
  prices sim=62000 after 1000
  shows index 62000 settlement 60000
  steady 62000 for 119000
  prices sim=62000 after 1000
  settled 61000
  `,
);

scenario(
  'SYM-2c PRC-3 a mark that moves to its settlement price trips no breaker',
  `
  # The index falls slowly from 60000 to 51900, then the operator closes the market half a minute
  # before its delivery: the mark jumps by 12 % to the mean.
  market BTCUSDT ${freeOfFunding}
  index 60000
  steady 60000 for 299750
  steady 55800 for 62000
  steady 51900 for 63000
  change status CLOSE deliveryTime 1760000460000
  index 51900
  shows settlement 58200.9
  mark 58140.1
  events breakerTripped 0
  # Undone, it is at once what the book makes of it.
  change status TRADING
  index 51900
  mark 51900
  events breakerTripped 0
  `,
);

/** Anna is long 0.1 from 59000, where the index comes only at the end of the hour. */
const late = (money: string) => `
  market BTCUSDT ${freeOfFunding}
  credit anna ${money}
  credit ben 10000
  credit cleo 10000
  after 750
  index 54000
  steady 54000 for 97760
  index 59000
  anna leverage 50
  anna buy 0.1 @ 59000
  ben sell 0.1 @ 59000
  cleo buy 0.1 @ 58900
  change status CLOSE deliveryTime 1760000100000
`;

scenario(
  'SYM-2c LIQ-1 who fails at the moved mark is not spared by the index, which is moved as well',
  `
  # The mark moves to 54013.7: 540 - 498.63 are left, of 54.0137. At an index of 59000 they would be
  # 540. She is sold at the bid, with a fee of 0.5 %.
  ${late('540')}
  anna has equity 540 flagged no
  index 59000
  mark 54013.7
  liquidated anna cleo 0.1@58900
  charged anna 29.45
  anna has balance 500.55
  `,
);

scenario(
  'SYM-2c TRG-1 stops fire at the moved mark',
  `
  ${late('5000')}
  anna trigger sell 0.1 STOP_MARKET stop 58000 reduceOnly id stop
  index 59000
  anna trigger stop status FINISHED
  `,
);
