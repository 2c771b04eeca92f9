// The operator's own price (PRC-2): accepted at once, before all other sources, while it is
// stated; and what the other sources must show when it is withdrawn.

import { scenario } from './scenario.ts';

scenario(
  'PRC-2 an operator price is accepted at once, with any jump and after any gap',
  `
  market BTCUSDT indexSources manual:1
  index 60000 source manual
  index 10 source manual
  shows index 10 pending 0
  index 99999999.9 source manual
  shows index 99999999.9 status CLOSE restriction breaker
  after 28800000
  index 60000 source manual
  shows index 60000 status TRADING age 0
  events indexRefused 0
  `,
);

scenario(
  'PRC-2 an operator price replaces every other source and is no part of their median',
  `
  market BTCUSDT indexSources a:1000,b:1000,manual:1
  prices a=60000 b=60000
  shows index 60000
  prices a=60000 b=60000 manual=50000
  shows index 50000
  # While it is fresh it is the index, whatever the others say and though it says nothing new.
  prices a=60000 b=60000 after 4000
  shows index 50000
  prices a=60000 b=60000 after 1000
  shows index 50000
  # It was withdrawn: 5 s after its last statement the others are the index again, and as both
  # show the same jump it is believed at once.
  prices a=60000 b=60000 after 1
  shows index 60000
  events indexRefused 0
  `,
);

scenario(
  'PRC-2 an operator price that is not configured is ignored like any other source',
  `
  market BTCUSDT
  index 60000
  index 10 source manual -> prices 0
  shows index 60000
  change indexSources sim:1,manual:1
  index 50000 source manual -> prices 1
  shows index 50000
  # Taking the source away takes its price away; the next tick is judged like any other.
  change indexSources sim:1
  index 50100
  shows index 50100
  `,
);

scenario(
  'PRC-2 after an operator price is withdrawn, a distant single source is refused for 120 s',
  `
  market BTCUSDT indexSources a:1,manual:1
  prices a=60000
  prices a=60000 manual=50000
  steady 60000 for 5000 source a
  shows index 50000 age 0
  steady 60000 for 120000 source a
  shows index 50000 age 120000 pending 2
  # Two that agree have waited: the next is the third.
  steady 60000 for 1000 source a
  shows index 60000 age 0
  `,
);

scenario(
  'PRC-2 after an operator price is withdrawn, near sources are accepted with their next tick',
  `
  market BTCUSDT indexSources a:1,manual:1
  prices a=60000
  prices a=60000 manual=58000
  shows index 58000
  prices a=60000 after 5001
  shows index 60000
  `,
);

scenario(
  'PRC-2c UNIT-1 an index at which positions exceed the largest number is refused from any source',
  `
  # 2000 BTC, both sides together: at 2251799.8 4503599600 USDT, within half of 2^53 - 1 units.
  market BTCUSDT indexSources manual:1 makerFee 0 takerFee 0
  credit anna 100000
  credit ben 100000
  index 100 source manual
  anna buy 1000 @ 100
  ben sell 1000 @ 100
  index 2251799.9 source manual
  shows index 100 pending 0 restriction none
  events indexRefused 1
  index 2251799.8 source manual
  shows index 2251799.8
  # Ben is closed where his money ends, against Anna.
  deleveraged ben anna 1000@200
  wealth anna ben 200000
  `,
);

scenario(
  'PRC-2c SYM-2c a mark that a delivery holds far above the index stops no price',
  `
  # 2000 BTC at 2476978.9 are more than half of 2^53 - 1 units, reached by a slow move. Then the index
  # falls by 20 %, and the mark stays near the mean of the hour.
  market BTCUSDT indexSources manual:1 makerFee 0 takerFee 0 fundingFactor 0
  credit anna 1000000000
  credit ben 3500000000
  index 100 source manual
  anna buy 1000 @ 100
  ben sell 1000 @ 100
  index 2251799 source manual
  index 2476978.9 source manual
  change status CLOSE deliveryTime 1760000040000
  steady 2476978.9 for 30000 source manual
  index 1981584 source manual
  index 1981584 source manual
  events indexRefused 0
  shows index 1981584
  steady 1981584 for 9000 source manual
  # (100 x 250 + 2251799 x 250 + 2476978.9 x 30250 + 1981584 x 9000) / 39750 ms.
  settled 2347819.9
  `,
);

scenario(
  'PRC-2c PRC-2 a move of at most 10 % is accepted, at any value of the positions',
  `
  # Both have enough for every price here. 2000 x 2251799 are within half of 2^53 - 1 units.
  market BTCUSDT indexSources manual:1 makerFee 0 takerFee 0
  credit anna 1000000000
  credit ben 3500000000
  index 100 source manual
  anna buy 1000 @ 100
  ben sell 1000 @ 100
  index 2251799 source manual
  # A tenth more is 2476978.9, and of that 2724676.79.
  index 2476978.9 source manual
  shows index 2476978.9
  index 2724676.8 source manual
  events indexRefused 1
  index 2724676.7 source manual
  shows index 2724676.7
  wealth anna ben 4500000000
  `,
);
