// New orders: price-time priority, MARKET and its bound, quoteOrderQty, slippage, sizes.

import { scenario } from './scenario.ts';

scenario(
  'ORD-1 the best price trades first, then the oldest, at the price of the maker',
  `
  # Three asks, two of them at one price. A bid above all of them pays what each maker asked.
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  credit cleo 10000
  index 60000
  anna sell 0.1 @ 60010 id a1 -> NEW
  ben sell 0.1 @ 60000 id b1 -> NEW
  anna sell 0.1 @ 60000 id a2 -> NEW
  book bids asks 0.2@60000 0.1@60010
  cleo buy 0.25 @ 60020 id c -> FILLED
  trades 0.1@60000 0.1@60000 0.05@60010
  ben order b1 status FILLED
  anna order a2 status FILLED
  anna order a1 status PARTIALLY_FILLED open 0.05 filled 0.05
  # 0.2 x 60000 + 0.05 x 60010 = 15000.5
  cleo order c paid 15000.5
  cleo has position 0.25 entry 15000.5 entryPrice 60002
  shows last 60010 tradeId 3
  `,
);

scenario(
  'ORD-1 the older of two orders at one price trades first, partly filled or not',
  `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  credit cleo 10000
  index 60000
  anna sell 0.2 @ 60000 id a
  ben sell 0.1 @ 60000 id b
  cleo buy 0.1 @ 60000 -> FILLED
  cleo buy 0.1 @ 60000 -> FILLED
  anna order a status FILLED
  ben order b status NEW open 0.1
  `,
);

scenario(
  'ORD-7 the answer to an order always states the final known state',
  `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna sell 0.1 @ 60000 -> NEW
  ben buy 0.3 @ 60000 -> PARTIALLY_FILLED
  anna sell 0.2 @ 60000 -> FILLED
  ben buy 0.1 @ 60000 IOC -> CANCELED IOC
  ben buy 0.1 @ 60000 FOK -> REJECTED
  `,
);

scenario(
  'ORD-1 ORD-1a quoteOrderQty is converted at the best opposite price and floored to lots',
  `
  # 1000 / 60000 = 0.01666.. BTC: 16 lots of 0.001, though the next ask is dearer, and though at the
  # mark of 63000 they would be 15.
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 63000
  anna sell 0.01 @ 60000
  anna sell 1 @ 60100
  ben buy quote 1000 market id q -> FILLED
  # 0.01 x 60000 + 0.006 x 60100 = 960.6
  ben order q quantity 0.016 paid 960.6
  # 59 USDT are less than one lot at 60100.
  ben buy quote 59 market -> quantityBelowLot
  # No bid: the mark, 63000, converts, and the order finds no counterparty.
  anna cancelAll
  ben sell quote 1000 market id r -> REJECTED
  ben order r quantity 0.015 filled 0
  `,
);

scenario(
  'ORD-2 ORD-2a a MARKET order against an empty book is REJECTED, with a row and without a freeze',
  `
  market BTCUSDT
  credit anna 10000
  index 60000
  anna buy 0.1 market id m -> REJECTED NONE
  anna order m status REJECTED filled 0
  anna has available 10000 freezes 0 orders 0
  `,
);

scenario(
  'ORD-3 a MARKET order trades up to mark x (1 + max_market_slippage) and not beyond',
  `
  # Mark 60000, 5 %: 63000 is the last price that a buyer takes, 57000 the last of a seller.
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  credit cleo 10000
  index 60000
  anna sell 0.1 @ 62999.9
  anna sell 0.1 @ 63000
  anna sell 0.1 @ 63000.1
  ben buy 0.3 market id m -> CANCELED MARKET
  # 6299.99 + 6300
  ben order m filled 0.2 paid 12599.99
  book bids asks 0.1@63000.1
  # All that is left lies beyond the bound: as if the book were empty.
  ben buy 0.1 market -> REJECTED
  cleo buy 0.1 @ 57000
  cleo buy 0.1 @ 56999.9
  ben sell 0.2 market id n -> CANCELED MARKET
  ben order n filled 0.1 paid 5700
  book bids 0.1@56999.9 asks 0.1@63000.1
  `,
);

scenario(
  'ORD-3 the price bound of a MARKET order is rounded towards the mark',
  `
  # Mark 60000.1: x 1.05 = 63000.105, so 63000.1 still trades; x 0.95 = 57000.095: 57000.1 is
  # the last price of a seller.
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000.1
  anna sell 0.1 @ 63000.1
  anna sell 0.1 @ 63000.2
  ben buy 0.2 market id m -> CANCELED MARKET
  ben order m filled 0.1
  anna buy 0.1 @ 57000.1
  anna buy 0.1 @ 57000
  ben sell 0.2 market id n -> CANCELED MARKET
  ben order n filled 0.1
  `,
);

scenario(
  'ORD-3 slippageExceeded: |average - mark| / mark above max_slippage, before anything is frozen',
  `
  # Averages: 0.1 at 60000 and 0.1 at 60600 make 60300, exactly 0.5 % off the mark.
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna sell 0.1 @ 60000
  anna sell 0.1 @ 60600
  ben buy 0.2 market slippage 0.00499999 -> slippageExceeded
  ben has available 10000 freezes 0
  ben buy 0.2 market slippage 0.005 -> FILLED
  # A price better than the mark counts too: a bid at 60600 is 1 % away.
  anna buy 0.1 @ 60600
  ben sell 0.1 market slippage 0.005 -> slippageExceeded
  ben sell 0.1 market slippage 0.01 -> FILLED
  `,
);

scenario(
  'UNIT-5 quantityBelowLot, quantityAboveMax: a quantity is below one lot, or too large',
  `
  market BTCUSDT
  credit anna 10000
  index 60000
  anna buy 0 @ 60000 -> quantityBelowLot
  # The bound of any order is 10^12 lots.
  anna buy 1000000000.001 @ 0.1 -> quantityAboveMax
  `,
);

scenario(
  'ORD-11 notionalBelowMin, notionalAboveMax: LIMIT counts at its price',
  `
  market BTCUSDT minOrderSize 5 maxOrderSize 1000000
  credit anna 100000
  index 60000
  anna buy 0.001 @ 4999.9 -> notionalBelowMin 5000000
  anna buy 0.001 @ 5000 -> NEW
  anna buy 20 @ 50000.1 -> notionalAboveMax 1000000000000
  anna buy 20 @ 50000 -> NEW
  `,
);

scenario(
  'ORD-11 MARKET counts at the mark',
  `
  # 16.667 x 60000 = 1000020; 16.666 x 60000 = 999960.
  market BTCUSDT minOrderSize 5 maxOrderSize 1000000
  credit anna 100000
  index 60000
  anna buy 16.667 market -> notionalAboveMax
  anna buy 16.666 market -> REJECTED
  change minOrderSize 60.1
  anna buy 0.001 market -> notionalBelowMin
  `,
);

scenario(
  'ORD-11 orders that only reduce have no bound of notional',
  `
  # A rest of 0.001 BTC (60 USDT) under a minimum of 100 can still be closed, covered or reduceOnly;
  # a position of 120000 USDT is closed at once although an order may have 100000.
  market BTCUSDT minOrderSize 100 maxOrderSize 100000
  credit anna 100000
  credit ben 100000
  index 60000
  anna buy 1.001 @ 60000
  ben sell 1.001 @ 60000
  anna buy 1 @ 60000
  ben sell 1 @ 60000
  anna has position 2.001
  anna sell 0.001 @ 61000 id covered -> NEW
  anna order covered cover 0.001 freeze 0
  anna cancel covered
  anna sell 0.001 @ 61000 reduceOnly id reducing -> NEW
  anna sell 2.001 @ 61000 id all -> NEW
  anna cancel all
  anna sell 2.002 @ 61000 -> notionalAboveMax
  `,
);

scenario(
  'ORD-11a no order has a notional above one billion USDT, not even a reducing one',
  `
  # 91 BTC are short. Closing them at 11 million each would be 1001 million USDT, at 10 million
  # 910 million: that is a matter of the price band only.
  market BTCUSDT maxOrderSize 10000000
  credit anna 10000000
  credit ben 10000000
  index 60000
  anna sell 91 @ 60000
  ben buy 91 @ 60000
  anna buy 91 @ 11000000 reduceOnly -> notionalAboveMax 1000000000000000
  anna buy 91 @ 11000000 -> notionalAboveMax 1000000000000000
  anna buy 91 @ 10000000 reduceOnly -> priceAboveBand 63000.0
  anna buy 91 @ 59000 reduceOnly id x -> NEW
  anna modify x 91 @ 11000000 -> notionalAboveMax 1000000000000000
  `,
);

scenario(
  'ORD-1 ORD-1a a quoteOrderQty of a single unit buys the lot that it pays for',
  `
  market DUSTUSDT minOrderSize 0.000001 makerFee 0 takerFee 0
  credit anna 10
  credit ben 10
  index 0.001
  ben sell 0.001 @ 0.001
  anna buy quote 0.000001 market -> FILLED
  anna has position 0.001
  `,
);

scenario(
  'SYM-1 UNIT-5 marketReduceOnly: an order without a quantity does not reduce',
  `
  market BTCUSDT
  credit anna 10000
  index 60000
  anna buy 0 @ 59000 -> quantityBelowLot
  change status CLOSE
  anna buy 0 @ 59000 -> marketReduceOnly
  `,
);
