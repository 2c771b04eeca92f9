// Take-profit and stop-loss of an order (ATT-1 … ATT-3): when they wait, with how many lots, and
// how they end with their parent.

import { scenario } from './scenario.ts';
import { richTwoMarkets } from './stages.ts';

scenario(
  'ATT-1 ATT-3 a limit order brings its legs: they wait with what it has filled, and one closes it',
  `
  ${richTwoMarkets}
  anna buy 1 @ 60000 id a profit 61000 profitAt 61010 loss 59000 -> NEW
  anna trigger a.profit status PENDING type TAKE_PROFIT quantity 0 stop 61000 price 61010 route algo
  anna trigger a.loss status PENDING type STOP_MARKET quantity 0 stop 59000 price 0 tif GTC
  anna triggers
  ben sell 0.4 @ 60000
  anna trigger a.profit status NEW quantity 0.4
  anna trigger a.loss status NEW quantity 0.4
  anna triggers a.profit a.loss
  ben sell 0.6 @ 60000
  anna trigger a.loss quantity 1
  ben buy 1 @ 58990
  index 59000
  anna trigger a.loss status FINISHED quantity 1 fired 0
  anna trigger a.profit status EXPIRED
  anna has position 0
  anna triggers
  `,
);

scenario(
  'ATT-1 a market order and a trigger bring legs, too, and a selling parent has them on the other side',
  `
  ${richTwoMarkets}
  ben buy 5 @ 59990
  anna sell 1 market id a profit 59000 loss 61000 -> FILLED
  anna trigger a.profit status NEW quantity 1 type TAKE_PROFIT_MARKET
  anna trigger a.loss status NEW quantity 1 type STOP_MARKET
  anna trigger sell 0.5 STOP_MARKET stop 59500 id b profit 58000 loss 60500 lossAt 60600 -> NEW
  anna trigger b.loss status PENDING quantity 0 type STOP
  anna triggers a.profit a.loss b
  index 59500
  anna trigger b status FINISHED
  anna trigger b.profit status NEW quantity 0.5
  anna trigger b.loss status NEW quantity 0.5
  anna has position -1.5
  `,
);

scenario(
  'ATT-1 takeProfitWrongSide, stopLossWrongSide: a leg must be on its side of the price of a limit order',
  `
  ${richTwoMarkets}
  anna buy 1 @ 59000 profit 59000 -> takeProfitWrongSide 59000.0
  anna buy 1 @ 59000 loss 59000 -> stopLossWrongSide 59000.0
  anna buy 1 @ 59000 id a profit 59000.1 loss 58999.9 -> NEW
  anna sell 1 @ 61000 profit 61000 -> takeProfitWrongSide
  anna sell 1 @ 61000 loss 61000 -> stopLossWrongSide
  anna sell 1 @ 61000 profit 60999.9 loss 61000.1 -> NEW
  # The mark has reached the price, so the order counts from the mark.
  anna buy 1 @ 61000 profit 60000 -> takeProfitWrongSide 60000.0
  anna buy 1 @ 61000 loss 60500 -> stopLossWrongSide 60000.0
  anna buy 1 @ 61000 profit 60500 loss 59000 -> NEW
  anna sell 1 @ 59000 loss 59500 -> stopLossWrongSide 60000.0
  `,
);

scenario(
  'ATT-1 takeProfitWrongSide: a market order counts from the mark, a trigger from its stop price',
  `
  ${richTwoMarkets}
  ben sell 5 @ 60010
  anna buy 1 market profit 60000 -> takeProfitWrongSide 60000.0
  anna buy 1 market loss 60000 -> stopLossWrongSide 60000.0
  anna trigger buy 1 STOP_MARKET stop 62000 profit 62000 -> takeProfitWrongSide 62000.0
  anna trigger buy 1 STOP_MARKET stop 62000 loss 62000 -> stopLossWrongSide 62000.0
  anna trigger buy 1 STOP_MARKET stop 62000 loss 61000 profit 63000 -> NEW
  anna trigger buy 1 TAKE_PROFIT stop 59000 @ 59010 loss 59005 -> stopLossWrongSide 59000.0
  anna trigger buy 1 TRAILING_STOP_MARKET algo callback 1 loss 60000 -> stopLossWrongSide 60000.0
  anna trigger buy 1 TRAILING_STOP_MARKET algo callback 1 activation 59000 loss 59500 -> stopLossWrongSide 59000.0
  anna trigger buy 1 TRAILING_STOP_MARKET algo callback 1 activation 59000 loss 58000 -> NEW
  `,
);

scenario(
  'ATT-1 ORD-11a notionalAboveMax: a leg must be countable at the lots of its parent',
  `
  market BTCUSDT maxOrderSize 1000000000
  credit anna 100000
  index 60000
  anna buy 16000 @ 60000 profit 63000 -> notionalAboveMax
  anna trigger buy 16000 STOP_MARKET stop 61000 profit 63000 -> notionalAboveMax
  anna buy 1 @ 60000 profit 63000 -> NEW
  `,
);

scenario(
  'ATT-2 lots of the parent that close an opposite position are not protected',
  `
  ${richTwoMarkets}
  anna sell 0.5 @ 60000
  ben buy 0.5 @ 60000
  ben sell 2 @ 60000
  anna buy 0.5 @ 60000 id a profit 61000 loss 59000 -> FILLED
  anna trigger a.profit status EXPIRED quantity 0
  anna trigger a.loss status EXPIRED
  anna sell 0.5 @ 59990
  ben buy 0.5 @ 59990
  anna buy 0.8 @ 60000 id b profit 61000 loss 59000 -> FILLED
  anna has position 0.3
  anna trigger b.profit status NEW quantity 0.3
  anna trigger b.loss status NEW quantity 0.3
  `,
);

scenario(
  'ATT-2 a position that becomes smaller cuts the legs, and what the parent opens then is added',
  `
  ${richTwoMarkets}
  anna buy 1 @ 60000 id a profit 61000 loss 59000
  ben sell 0.3 @ 60000
  ben buy 1 @ 60010
  anna sell 0.1 @ 60010 IOC
  anna trigger a.loss quantity 0.2
  ben cancelAll
  ben sell 0.4 @ 60000
  anna has position 0.6
  anna trigger a.profit quantity 0.6
  anna trigger a.loss quantity 0.6
  # Lots that another order opened are not the legs' own.
  ben sell 1 @ 60100
  anna buy 0.5 @ 60100
  anna trigger a.loss quantity 0.6
  ben cancelAll
  ben buy 1 @ 60010
  anna sell 0.4 @ 60010 IOC
  anna has position 0.7
  anna trigger a.loss quantity 0.6
  `,
);

scenario(
  'ATT-2 the legs of two parents count each alone, and the second ends when the first has closed',
  `
  ${richTwoMarkets}
  ben sell 2 @ 60000
  anna buy 0.6 @ 60000 id a loss 59000
  anna buy 0.4 @ 60000 id b loss 58500
  ben buy 5 @ 58400
  anna sell 0.3 @ 58400 IOC
  anna has position 0.7
  anna trigger a.loss quantity 0.6
  anna trigger b.loss quantity 0.4
  index 59000
  anna has position 0.1
  anna trigger a.loss status FINISHED
  anna trigger b.loss status NEW quantity 0.1
  index 58500
  anna has position 0
  anna trigger b.loss status FINISHED
  `,
);

scenario(
  'ATT-2 attack: legs of a position that was closed do not close the next one',
  `
  ${richTwoMarkets}
  ben sell 5 @ 60000
  ben buy 5 @ 59900
  anna buy 1 @ 60000 id a profit 61000 loss 59000
  anna sell 1 @ 59900 IOC
  anna trigger a.loss status EXPIRED quantity 1
  anna trigger a.profit status EXPIRED
  anna buy 1 @ 60000
  index 59000
  anna has position 1
  # The same when one order turns the position.
  anna buy 1 @ 60000 id b loss 58000 -> FILLED
  anna sell 3 @ 59900 IOC
  anna has position -1
  anna trigger b.loss status EXPIRED
  anna triggers
  `,
);

scenario(
  'ATT-2 ORD-4 attack: trading with oneself adds nothing to what the legs may close',
  `
  ${richTwoMarkets}
  anna sell 1 @ 60000 id own
  anna buy 1 @ 60000 id a stp NONE profit 61000 loss 59000 -> FILLED
  anna has position 0
  anna trigger a.profit status EXPIRED
  ben sell 1 @ 60000
  anna buy 1 @ 60000 id b loss 59000
  anna trigger b.loss quantity 1
  # Its position is smaller for the half of a trade.
  anna buy 0.4 @ 60010 id c loss 59500
  anna sell 0.4 @ 60010 stp NONE -> FILLED
  anna has position 1
  anna trigger b.loss quantity 0.6
  anna trigger c.loss status NEW quantity 0.4
  # And here it is gone for the half of a trade.
  anna sell 2 @ 60020 id d profit 59000
  anna buy 2 @ 60020 stp NONE -> FILLED
  anna has position 1
  anna trigger d.profit status EXPIRED
  `,
);

scenario(
  'ATT-3 a parent without a fill takes its legs along, however it ends',
  `
  ${richTwoMarkets}
  anna buy 1 @ 59000 id a profit 61000 loss 58000
  anna cancel a -> CANCELED USER
  anna trigger a.profit status EXPIRED quantity 0
  anna trigger a.loss status EXPIRED
  anna buy 1 @ 59000 FOK id b loss 58000 -> REJECTED
  anna trigger b.loss status EXPIRED
  anna buy 1 market id c loss 58000 -> REJECTED
  anna trigger c.loss status EXPIRED
  anna buy 1 @ 59000 IOC id d loss 58000 -> CANCELED IOC
  anna trigger d.loss status EXPIRED
  anna trigger buy 1 STOP_MARKET stop 61000 id e loss 60000
  anna cancelTrigger e -> CANCELED
  anna trigger e.loss status EXPIRED
  anna buy 1 @ 59000 id g loss 58000
  anna countdown 1000
  after 1000
  anna order g status CANCELED reason COUNTDOWN
  anna trigger g.loss status EXPIRED
  # No sell order is within the bound, so its order finds no counterparty.
  anna trigger buy 1 STOP_MARKET stop 60500 id h loss 60000
  index 60500
  anna trigger h status FINISHED
  anna trigger h.loss status EXPIRED
  anna trigger buy 1 STOP_MARKET stop 61000 algo gtd 600000 id f loss 60000
  after 600000
  anna trigger f status EXPIRED
  anna trigger f.loss status EXPIRED
  events triggerResized 0
  `,
);

scenario(
  'ATT-3 a parent that is cancelled after a part has filled keeps its legs for that part',
  `
  ${richTwoMarkets}
  anna buy 1 @ 60000 id a profit 61000 loss 59000
  ben sell 0.3 @ 60000
  anna cancel a -> CANCELED USER
  anna trigger a.profit status NEW quantity 0.3
  anna trigger a.loss status NEW quantity 0.3
  ben sell 0.3 @ 60000
  anna buy 1 @ 60000 IOC id b loss 59000 -> CANCELED IOC
  anna trigger b.loss status NEW quantity 0.3
  `,
);

scenario(
  'ATT-3 while the parent can still fill, legs of a closed position are pending, and wait again later',
  `
  ${richTwoMarkets}
  anna buy 1 @ 60000 id a profit 61000 loss 59000
  ben sell 0.3 @ 60000
  ben buy 0.3 @ 60010
  anna sell 0.3 @ 60010 IOC
  anna has position 0
  anna trigger a.profit status PENDING quantity 0
  anna trigger a.loss status PENDING
  index 58900
  anna trigger a.loss status PENDING
  index 60000
  ben sell 0.2 @ 60000
  anna trigger a.profit status NEW quantity 0.2
  anna trigger a.loss status NEW quantity 0.2
  events triggerResized 6
  anna cancel a
  ben buy 0.2 @ 59900
  anna sell 0.2 @ 59900 IOC
  anna trigger a.loss status EXPIRED quantity 0.2
  `,
);

scenario(
  'ATT-3 a leg that begins to wait behind the mark fires at the next tick',
  `
  ${richTwoMarkets}
  anna buy 1 @ 59500 id a profit 59700 loss 59000
  # The mark has fallen below the stop-loss before the parent fills.
  index 58900
  anna trigger a.loss status PENDING
  ben sell 1 @ 59500 IOC
  anna has position 1
  anna trigger a.loss status NEW quantity 1
  ben buy 1 @ 58000
  index 58950
  anna trigger a.loss status FINISHED
  anna trigger a.profit status EXPIRED
  `,
);

scenario(
  'ATT-3 FUND-3 a leg has its place among the stops at its price from when it begins to wait',
  `
  ${richTwoMarkets}
  credit carl 100000
  ben sell 1 @ 60000 id first
  carl buy 1 @ 60000
  anna buy 1 @ 59990 id a loss 59000
  carl trigger sell close STOP_MARKET stop 59000 id stop
  ben sell 1 @ 59990
  ben buy 1 @ 58900
  index 59000
  anna trigger a.loss status NEW failure counterpartyMissing
  carl trigger stop status FINISHED
  carl has position 0
  anna has position 1
  `,
);

scenario(
  'ATT-3 ORD-5 a modified parent keeps its legs, which must be on the right side of its new price',
  `
  ${richTwoMarkets}
  anna buy 1 @ 59000 id a profit 60500 loss 58000
  anna modify a 1 @ 57900 -> stopLossWrongSide 57900.0
  anna modify a 1 @ 60600 -> NEW
  anna modify a 2 @ 58500 -> NEW
  anna trigger a.loss status PENDING stop 58000
  ben sell 0.5 @ 58500
  anna trigger a.loss status NEW quantity 0.5
  # What waits counts from the mark.
  anna modify a 2 @ 57900 -> PARTIALLY_FILLED
  ben sell 1.5 @ 57900
  anna order a status FILLED
  anna trigger a.loss quantity 2
  anna trigger a.profit quantity 2
  `,
);

scenario(
  'ATT-3 LIQ-1 a liquidation ends parents: their legs keep what is left of the position',
  `
  market BTCUSDT maxLeverage 50
  credit anna 3000
  credit ben 1000000
  index 60000
  anna leverage 50
  anna buy 1 @ 60000 id a loss 55000
  ben sell 1 @ 60000
  anna buy 0.01 @ 58500 id b loss 55000
  ben buy 1 @ 57200
  index 57300
  anna has position 0
  anna order b status CANCELED reason LIQUIDATION
  anna trigger a.loss status EXPIRED
  anna trigger b.loss status EXPIRED quantity 0
  `,
);

scenario(
  'ATT-3 SYM-2b the legs of a settled market end with its other triggers',
  `
  ${richTwoMarkets}
  anna buy 1 @ 60000 id a profit 61000 loss 59000
  ben sell 0.5 @ 60000
  anna trigger buy 1 STOP_MARKET stop 62000 id b loss 61000
  change status CLOSE deliveryTime 1760000040000
  after 39500
  index 60000
  events marketSettled 1
  anna has position 0
  anna order a status CANCELED reason DELISTING
  anna trigger a.profit status EXPIRED
  anna trigger a.loss status EXPIRED
  anna trigger b status EXPIRED
  anna trigger b.loss status EXPIRED
  `,
);

scenario(
  'ATT-2 ORD-4 attack: a parent that trades with another parent of its account keeps no lots of a closed position',
  `
  ${richTwoMarkets}
  ben buy 0.5 @ 60000
  anna sell 0.5 @ 60000 IOC
  anna sell 1 @ 60100 id maker loss 61000
  # The first half of the trade turns the position to 0.5 long, the second one back to 0.5 short.
  anna buy 1 @ 60100 stp NONE id taker profit 62000 loss 59000 -> FILLED
  anna has position -0.5
  anna trigger taker.profit status EXPIRED
  anna trigger taker.loss status EXPIRED
  anna trigger maker.loss status NEW quantity 0.5
  `,
);
