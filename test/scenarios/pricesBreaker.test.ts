// The breaker (PRC-3): for 30 s after a mark that moves more than 10 % within 60 s no taker opens
// (PRC-3b has what rests). Without a book the mark is the index, and a tick moves it by 10 % at
// most (PRC-2).

import { scenario } from './scenario.ts';

const start = `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy 0.01 @ 50000 id x
`;

scenario(
  'PRC-3 the mark may move by 10 % in 60 s and no further: the next tick trips the breaker',
  `
  market BTCUSDT
  index 60000
  index 66000
  shows restriction none breaker 0
  # 11 x 60000 = 660000.
  index 66000.1
  shows restriction breaker breaker 30000 status CLOSE mark 66000.1
  events breakerTripped 1
  `,
);

scenario(
  'PRC-3 a fall trips the breaker at 10 % below the highest mark',
  `
  market BTCUSDT
  index 60000
  index 54000
  shows restriction none
  index 53999.9
  shows restriction breaker mark 53999.9
  events breakerTripped 1
  `,
);

scenario(
  'PRC-3 marketReduceOnly: for 30 s no taker opens, and reducing orders and cancels pass',
  `
  ${start}
  prices sim=64000 after 1000
  prices sim=67000 after 1000
  shows status CLOSE restriction breaker live true
  anna buy 0.01 @ 60000 IOC -> marketReduceOnly
  anna buy 0.01 market -> marketReduceOnly
  anna sell 0.05 @ 70000 -> NEW
  anna sell 0.05 @ 70000 reduceOnly -> NEW
  ben buy 0.01 @ 55000 -> NEW
  anna cancel x -> CANCELED USER
  steady 67000 for 29000
  after 999
  shows breaker 1 status CLOSE
  anna buy 0.01 @ 60000 IOC -> marketReduceOnly
  after 1
  shows breaker 0 status TRADING restriction none
  anna buy 0.01 @ 60000 IOC -> CANCELED IOC
  events breakerTripped 1
  `,
);

scenario(
  'PRC-3 the window starts again with the mark that tripped it, and another trip prolongs the pause',
  `
  market BTCUSDT
  index 60000
  prices sim=65000 after 1000
  prices sim=66500 after 1000
  shows restriction breaker breaker 30000
  # 73150 is 10 % of 66500: nothing of before counts any more.
  prices sim=71000 after 1000
  prices sim=73150 after 1000
  events breakerTripped 1
  shows breaker 28000
  prices sim=73150.1 after 1000
  events breakerTripped 2
  shows breaker 30000
  `,
);

scenario(
  'PRC-3 a move that takes more than 60 s trips nothing, even a large one',
  `
  market BTCUSDT
  index 60000
  steady 60000 for 5000
  # 9 % every 61 s.
  steady 65400 for 61000
  steady 71286 for 61000
  steady 77701.7 for 61000
  steady 84694.8 for 61000
  events breakerTripped 0
  shows mark 84694.8
  # Twice down by 5 % trips nothing, a third time within 60 s does.
  steady 80460 for 20000
  steady 76437 for 20000
  events breakerTripped 0
  steady 72615 for 1000
  events breakerTripped 1
  `,
);

scenario(
  'PRC-3 PRC-3a the window goes back 60 whole seconds, including the second in which they began',
  `
  # The marks of 60000 belong to the second 0.250 … 0.999.
  market BTCUSDT
  index 60000
  after 59749
  index 66000
  shows breaker 0
  # At 60.999 s the mark of 0.250 s still counts, at 61 s it would no longer.
  prices sim=66000.1 after 750
  shows breaker 30000
  `,
);

scenario(
  'PRC-3 a mark older than the window does not trip the breaker, nor does a gap',
  `
  market BTCUSDT
  index 60000
  after 60749
  index 66000
  index 66100
  shows breaker 0 mark 66100
  after 28800000
  steady 20000 for 3000
  shows mark 20000 breaker 0
  events breakerTripped 0
  `,
);

scenario(
  'PRC-3 a confirmed jump and an operator price trip the breaker too, and the index still counts',
  `
  market BTCUSDT indexSources a:1,b:1,manual:1
  prices a=60000 b=60000
  prices a=90000 b=90000
  shows index 90000 mark 90000 status CLOSE breaker 30000
  prices manual=60000 after 1000
  shows index 60000 mark 60000 breaker 30000
  events breakerTripped 2
  `,
);

scenario(
  'PRC-3 a refused index moves no mark and trips nothing',
  `
  market BTCUSDT
  index 60000
  index 90000
  index 30000
  shows mark 60000 breaker 0
  events breakerTripped 0 indexRefused 2
  `,
);

scenario(
  'PRC-3 SYM-1 the stricter of breaker and operator holds, and neither overwrites the other',
  `
  ${start}
  prices sim=64000 after 1000
  prices sim=67000 after 1000
  change status HALT
  shows status HALT
  anna sell 0.01 @ 70000 -> marketHalted
  change status TRADING
  shows status CLOSE
  anna buy 0.01 @ 60000 IOC -> marketReduceOnly
  # Past 30 s without a price the age is the reason; it does not end the breaker's earlier.
  after 30001
  shows restriction stale
  anna buy 0.01 @ 60000 -> priceUnavailable
  `,
);
