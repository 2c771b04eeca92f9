// What legs need from the beginning (ATT-6), and what their owner may do with them (ATT-8).

import { scenario } from './scenario.ts';
import { richTwoMarkets } from './stages.ts';

/** Nine pairs of two legs: 18 of the 20 triggers that only reduce and need no equity. */
const nine = Array.from(
  { length: 9 },
  (_, n) => `carl buy 0.001 @ ${59000 - n} id p${n} profit 61000 loss 50000`,
).join('\n  ');

scenario(
  'ATT-6 equityInsufficient: legs count in the equity that triggers need, before their parent fills',
  `
  market BTCUSDT
  credit carl 100
  credit ben 1000000
  index 60000
  ${nine}
  # Two more are free, and each leg after them needs 10 USDT. A trigger that opens needs 10 itself.
  carl buy 0.001 @ 58000 id q profit 61000 loss 50000 -> NEW
  carl withdraw 60
  carl buy 0.001 @ 57000 profit 61000 loss 50000 -> NEW
  carl trigger buy 0.001 STOP_MARKET stop 62000 profit 63000 loss 61000 -> equityInsufficient 50000000
  carl trigger buy 0.001 STOP_MARKET stop 62000 loss 61000 id s -> NEW
  carl buy 0.001 @ 57001 loss 50000 -> equityInsufficient 50000000
  carl buy 0.001 @ 57001 -> NEW
  carl cancelTrigger s
  carl buy 0.001 @ 57002 profit 61000 loss 50000 -> NEW
  `,
);

scenario(
  'ATT-6 TRG-7 a withdrawal ends parents with their legs, and what is left then stays',
  `
  market BTCUSDT
  credit carl 130
  credit ben 1000000
  index 60000
  ${nine}
  carl buy 0.001 @ 58000 id q profit 61000 loss 50000
  # Twenty legs are free. A trigger with two legs needs 30, and one more after it 10.
  carl trigger buy 0.001 STOP_MARKET stop 62000 id s profit 63000 loss 61000 -> NEW
  carl trigger buy 0.001 STOP_MARKET stop 62500 id t -> NEW
  carl withdraw 90
  carl triggers s t
  carl withdraw 0.000001
  carl triggers s
  carl withdraw 9.999999
  carl triggers s
  carl withdraw 0.000001
  carl trigger s status CANCELED
  carl trigger s.profit status EXPIRED
  carl trigger s.loss status EXPIRED
  carl trigger q.loss status PENDING
  carl trigger p0.loss status PENDING
  `,
);

scenario(
  'ATT-6 MAR-7 the margin mode cannot change while legs are pending or wait',
  `
  ${richTwoMarkets}
  anna trigger buy 0.1 STOP_MARKET stop 61000 id a loss 60000
  anna mode isolated -> openOrdersPresent
  anna cancelTrigger a
  anna mode isolated
  ben sell 1 @ 60000
  anna buy 0.1 @ 60000 id b loss 59000 -> FILLED
  anna has position 0.1
  anna trigger b.loss status NEW quantity 0.1
  anna mode cross -> openOrdersPresent
  ben buy 1 @ 58700
  index 58800
  anna trigger b.loss status FINISHED
  anna has position 0
  anna mode cross
  `,
);

scenario(
  'ATT-8 either leg can be cancelled, pending or waiting, and the other one stays',
  `
  ${richTwoMarkets}
  anna buy 1 @ 60000 id a profit 61000 loss 59000
  ben cancelTrigger unknown -> orderNotFound
  anna cancelTrigger a.profit -> CANCELED
  anna cancelTrigger a.profit -> orderNotFound
  ben sell 0.5 @ 60000
  anna trigger a.loss status NEW quantity 0.5
  anna trigger a.profit status CANCELED quantity 0
  anna cancelTrigger a.loss -> CANCELED
  ben sell 0.5 @ 60000
  anna order a status FILLED
  anna triggers
  events triggerResized 1
  `,
);

scenario(
  'ATT-8 TRG-2 mass cancels end legs that wait and leave those that are pending to their parent',
  `
  ${richTwoMarkets}
  ben sell 0.5 @ 60000
  anna buy 0.5 @ 60000 id a profit 61000 loss 59000
  anna buy 0.5 @ 59000 id b profit 61000 loss 58000
  anna cancelAll -> cancelled 1
  anna trigger b.loss status EXPIRED
  anna triggers a.profit a.loss
  anna buy 0.5 @ 59000 id c profit 61000 loss 58000
  anna cancelTriggers -> cancelled 2
  anna trigger a.loss status CANCELED
  anna trigger c.loss status PENDING
  ben sell 0.5 @ 59000
  anna trigger c.loss status NEW quantity 0.5
  `,
);

scenario(
  'ATT-6 ORD-10 asking with order/test checks the legs and changes nothing',
  `
  ${richTwoMarkets}
  anna test buy 1 @ 59000 profit 58000 -> takeProfitWrongSide
  anna test buy 1 @ 59000 profit 61000 loss 58000 -> NEW
  ben sell 1 @ 60000
  anna test buy 1 @ 60000 profit 61000 loss 58000 -> NEW
  anna test trigger buy 1 STOP_MARKET stop 61000 loss 60000 -> NEW
  anna has orders 0
  anna triggers
  events triggerPlaced 0
  `,
);

scenario(
  'ATT-8 TRG-9 the prices of a leg can be changed, pending or waiting',
  `
  ${richTwoMarkets}
  anna buy 1 @ 59000 id a profit 61000 loss 58000 lossAt 57900
  anna modifyTrigger a.loss stop 59000 -> stopLossWrongSide 59000.0
  anna modifyTrigger a.loss stop 58500 @ 58400 -> PENDING
  anna modifyTrigger a.profit stop 59000 -> takeProfitWrongSide
  anna modifyTrigger a.profit stop 60500 -> PENDING
  anna trigger a.loss status PENDING stop 58500 price 58400
  ben sell 0.5 @ 59000
  anna trigger a.loss status NEW quantity 0.5 stop 58500
  anna modifyTrigger a.profit stop 59500 -> wouldTrigger
  anna modifyTrigger a.profit stop 62000 -> NEW
  anna trigger a.profit quantity 0.5 stop 62000
  ben sell 0.5 @ 59000
  anna trigger a.profit quantity 1
  # The legs of a trigger count from its stop price, also from its new one.
  anna trigger buy 1 STOP_MARKET stop 61000 id b loss 60500
  anna modifyTrigger b stop 60400 -> stopLossWrongSide 60400.0
  anna modifyTrigger b.loss stop 61500 -> stopLossWrongSide 61000.0
  anna modifyTrigger b stop 60900 -> NEW
  `,
);

scenario(
  'ATT-1 ORD-5 TRG-9 notionalAboveMax: legs must be countable at new lots of their parent, too',
  `
  market BTCUSDT maxOrderSize 1000000000 openInterestCap 1000000000
  credit anna 1000000000
  index 60000
  anna buy 1 @ 60000 id a profit 600000 loss 50000 -> NEW
  anna modify a 1667 @ 60000 -> notionalAboveMax
  anna order a quantity 1
  anna modify a 1666 @ 60000 -> NEW
  anna trigger buy 1 STOP_MARKET stop 61000 id b profit 600000 -> NEW
  anna modifyTrigger b quantity 1667 -> notionalAboveMax
  anna modifyTrigger b quantity 1666 -> NEW
  # A leg that has ended bounds nothing.
  anna cancelTrigger a.profit
  anna modify a 1667 @ 60000 -> NEW
  `,
);
