// What the age of a market's index forbids (PRC-2, PRC-4, SYM-1): after 5 s nothing is liquidated,
// fired or funded, after 30 s only reducing orders pass, after 120 s none; and how it ends.

import { scenario } from './scenario.ts';

const start = `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 59000 id x
  anna sell 0.05 @ 61000 id y
  ben buy 0.05 @ 58000 id z
`;

scenario(
  'PRC-2 SYM-1 5 s without any source change nothing for orders, and the market is not live',
  `
  ${start}
  after 5000
  shows live true restriction none status TRADING
  after 1
  shows live false restriction none status TRADING
  anna buy 0.01 @ 59000 -> NEW
  after 24999
  shows live false restriction none status TRADING
  anna buy 0.01 @ 59000 -> NEW
  `,
);

scenario(
  'PRC-2 SYM-1 priceUnavailable: after 30 s without a price only reducing orders and cancels pass',
  `
  ${start}
  after 30001
  shows restriction stale status CLOSE live false
  anna buy 0.01 @ 59000 -> priceUnavailable
  anna buy 0.01 market -> priceUnavailable
  ben sell 0.01 @ 61000 -> priceUnavailable
  anna test buy 0.01 @ 59000 -> priceUnavailable
  anna modify x 0.2 @ 59000 -> priceUnavailable
  anna modify x 0.05 @ 59000 -> priceUnavailable
  # What reduces passes: anna is long, ben short.
  anna sell 0.04 @ 62000 -> NEW
  anna sell 0.01 @ 63000 reduceOnly -> NEW
  anna modify y 0.04 @ 61500 -> NEW
  ben buy 0.001 @ 57000 -> NEW
  anna sell 0.1 @ 64000 -> priceUnavailable
  anna cancel x -> CANCELED USER
  anna leverage 10
  anna countdown 60000
  after 89999
  shows restriction stale status CLOSE age 120000
  ben buy 0.001 @ 57000 -> NEW
  ben cancelAll -> cancelled 3
  `,
);

scenario(
  'PRC-2 SYM-1 priceUnavailable: after 120 s without a price no order passes, a cancel always does',
  `
  ${start}
  after 120001
  shows restriction halted status HALT live false
  anna buy 0.01 @ 59000 -> priceUnavailable
  anna sell 0.01 @ 61000 -> priceUnavailable
  anna sell 0.01 @ 61000 reduceOnly -> priceUnavailable
  anna sell 0.01 market reduceOnly -> priceUnavailable
  ben buy 0.01 @ 57000 -> priceUnavailable
  anna modify x 0.05 @ 59000 -> priceUnavailable
  anna modify y 0.04 @ 61000 -> priceUnavailable
  anna cancel x -> CANCELED USER
  anna cancelAll -> cancelled 1
  ben cancel z -> CANCELED USER
  credit anna 1
  `,
);

scenario(
  'PRC-2 recovery is automatic: one price is enough up to 120 s, then three that agree',
  `
  ${start}
  after 30001
  anna buy 0.01 @ 59000 -> priceUnavailable
  index 60000
  shows restriction none status TRADING live true age 0
  anna buy 0.01 @ 59000 -> NEW
  after 120001
  shows status HALT
  index 60000
  anna buy 0.01 @ 59000 -> priceUnavailable
  prices sim=60000 after 1000
  shows status HALT
  prices sim=60000 after 1000
  shows restriction none status TRADING live true
  anna buy 0.01 @ 59000 -> NEW
  `,
);

scenario(
  'PRC-2 the age is that of the last accepted index, so refused prices keep no market open',
  `
  market BTCUSDT indexSources a:1,b:1
  credit anna 10000
  prices a=60000 b=60000
  # The two disagree for half a minute.
  prices a=60000 b=90000 after 10000
  prices a=60000 b=90000 after 10000
  prices a=60000 b=90000 after 10001
  shows restriction stale index 60000 age 30001
  anna buy 0.01 @ 59000 -> priceUnavailable
  # One of them falls silent: the other is near the last index.
  prices a=60000 after 5001
  shows restriction none index 60000 age 0
  `,
);

scenario(
  'PRC-2 SYM-1 a source that repeats an old observation ages like no source, a steady price does not',
  `
  market BTCUSDT
  index 60000
  steady 60000 for 60000
  shows status TRADING age 0
  after 40000
  index 60000 observed 1760000060250 -> prices 0
  shows status CLOSE age 40000
  `,
);

scenario(
  'PRC-2 SYM-1 the stricter reason holds: the price before the operator, HALT before CLOSE',
  `
  ${start}
  change status CLOSE
  anna buy 0.01 @ 59000 -> marketReduceOnly
  after 30001
  anna buy 0.01 @ 59000 -> priceUnavailable
  anna sell 0.01 @ 62000 -> NEW
  change status HALT
  anna buy 0.01 @ 59000 -> marketHalted
  anna sell 0.01 @ 62000 -> marketHalted
  shows status HALT
  after 90000
  anna sell 0.01 @ 62000 -> priceUnavailable
  `,
);

scenario(
  'PRC-4 a stale market counts in every equity at its last accepted mark',
  `
  market BTCUSDT
  market ETHUSDT
  credit anna 10000
  credit ben 10000
  index 60000 BTCUSDT
  index 3000 ETHUSDT
  anna buy 0.1 @ 60000 BTCUSDT
  ben sell 0.1 @ 60000 BTCUSDT
  index 61000 BTCUSDT
  anna has unrealized 100
  after 3600000
  shows restriction halted
  # The refused prices after the gap change nothing either.
  index 70000 BTCUSDT
  anna has unrealized 100
  steady 3000 for 3000 ETHUSDT
  shows status TRADING ETHUSDT
  anna has unrealized 100
  anna buy 0.1 @ 3000 ETHUSDT -> NEW
  `,
);

const twoMarkets = `
  market BTCUSDT
  market ETHUSDT
  credit anna 2600
  credit ben 100000
  index 60000 BTCUSDT
  index 3000 ETHUSDT
  anna leverage 50 BTCUSDT
  anna leverage 50 ETHUSDT
  anna buy 1 @ 60000 BTCUSDT
  ben sell 1 @ 60000 BTCUSDT
  anna buy 20 @ 3000 ETHUSDT
  ben sell 20 @ 3000 ETHUSDT
  ben buy 1 @ 59000 BTCUSDT
  ben buy 20 @ 2925 ETHUSDT
`;

scenario(
  'PRC-4 positions in a stale market are never closed, even if they need the most margin',
  `
  ${twoMarkets}
  after 5001
  shows live false BTCUSDT
  # Anna has paid 24 of fees. At 2930 she has 2600 - 24 - 1400 = 1176 against 600 + 586.
  index 2931 ETHUSDT
  index 2930 ETHUSDT
  anna has position 0 ETHUSDT
  anna has position 1 BTCUSDT
  events liquidationFlagged 2
  `,
);

scenario(
  'PRC-4 an account is tested whenever a live market of it ticks, with the others at their last mark',
  `
  ${twoMarkets}
  change status HALT BTCUSDT
  # 2600 - 24 - 1389 = 1187 against 586.11 + 600: she holds at 58611, not at 58610.
  index 58611 BTCUSDT
  index 3000 ETHUSDT
  events liquidationFlagged 0
  index 58610 BTCUSDT
  events liquidationFlagged 0
  ben buy 20 @ 2980 ETHUSDT
  index 3000 ETHUSDT
  anna has position 0 ETHUSDT
  anna has position 1 BTCUSDT
  # 1186 - 400 of loss; of a fee of 298 only half of 786 - 586.1. The rest waits until it is live; at
  # 58460 536.05 are left of 584.6.
  steady 3000 for 31000 ETHUSDT
  change status TRADING BTCUSDT
  anna has position 1 BTCUSDT equity 686.05 maintenance 586.1
  index 58460 BTCUSDT
  anna has position 0 BTCUSDT
  `,
);
