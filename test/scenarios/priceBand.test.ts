// The price band (PRC-6): how far from the mark a LIMIT order may be priced against its own
// account.

import { scenario } from './scenario.ts';

const start = `
  market BTCUSDT
  credit anna 100000
  credit ben 100000
  index 60000.1
`;

scenario(
  'PRC-6 priceAboveBand: a buy is priced at most at mark x (1 + band), rounded down to a tick',
  `
  # 60000.1 x 1.05 = 63000.105
  ${start}
  anna buy 0.1 @ 63000.2 -> priceAboveBand 63000.1
  anna buy 0.1 @ 63000.1 -> NEW
  # Nothing bounds a buy from below.
  anna buy 0.1 @ 1000 -> NEW
  `,
);

scenario(
  'PRC-6 priceBelowBand: a sell is priced at least at mark x (1 - band), rounded up to a tick',
  `
  # 60000.1 x 0.95 = 57000.095
  ${start}
  ben sell 0.1 @ 57000 -> priceBelowBand 57000.1
  ben sell 0.1 @ 57000.1 -> NEW
  ben sell 0.1 @ 500000 -> NEW
  `,
);

scenario(
  'PRC-6 the mark itself is within the band of any width and any mark',
  `
  market DUSTUSDT priceBand 0.00000001
  credit anna 1000
  credit ben 1000
  index 0.001
  anna buy 10000 @ 0.002 -> priceAboveBand 0.001
  anna buy 10000 @ 0.001 -> NEW
  ben sell 10000 @ 0.001 -> FILLED
  `,
);

scenario(
  'PRC-6 it holds for every LIMIT order, tested, modified, reducing or posted',
  `
  market BTCUSDT
  credit anna 100000
  credit ben 100000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 63000.1 IOC -> priceAboveBand 63000.0
  anna buy 0.1 @ 63000.1 FOK -> priceAboveBand 63000.0
  anna buy 0.1 @ 63000.1 GTX -> priceAboveBand 63000.0
  anna test buy 0.1 @ 63000.1 -> priceAboveBand 63000.0
  anna sell 0.1 @ 56999.9 -> priceBelowBand 57000.0
  anna sell 0.1 @ 56999.9 reduceOnly -> priceBelowBand 57000.0
  anna buy 0.1 @ 59000 id bid -> NEW
  anna modify bid 0.1 @ 63000.1 -> priceAboveBand 63000.0
  anna order bid status NEW price 59000 quantity 0.1
  anna modify bid 0.1 @ 63000 -> NEW
  # The operator changes the band for what is placed from now on.
  change priceBand 0.1
  anna buy 0.1 @ 66000 -> NEW
  anna buy 0.1 @ 66000.1 -> priceAboveBand 66000.0
  `,
);

scenario(
  'PRC-6 without an index the market is halted, and no band is asked',
  `
  market BTCUSDT
  credit anna 10000
  anna buy 0.1 @ 60000 -> priceUnavailable
  index 60000
  anna buy 0.1 @ 63000 -> NEW
  `,
);

scenario(
  'PRC-6 while the mark is in doubt a reducing order keeps the band of the last mark',
  `
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  index 48000
  shows restriction stale mark 60000.1
  anna sell 0.1 @ 48000 reduceOnly -> priceBelowBand 57000.1
  anna sell 0.1 @ 57000.1 reduceOnly -> NEW
  `,
);

scenario(
  'PRC-6 ORD-3 a MARKET has its own bound, and never one beyond the band',
  `
  market BTCUSDT priceBand 0.02
  credit anna 100000
  credit ben 100000
  index 60000
  ben buy 0.1 @ 58799.9 id far
  anna sell 0.1 market id none
  anna order none status REJECTED
  ben buy 0.1 @ 58800
  anna sell 0.1 market -> FILLED
  trades 0.1@58800
  `,
);

scenario(
  'PRC-6 PRC-6a TRG-1 the limit of a trigger that fires beyond the band is placed at its edge',
  `
  market BTCUSDT
  credit anna 100000
  credit ben 100000
  index 60000
  anna trigger buy 0.1 STOP stop 61000 @ 70000 id buys -> NEW
  anna trigger sell 0.1 STOP stop 59000 @ 50000 algo id sells -> NEW
  anna trigger buy 0.1 STOP stop 61000 @ 62000 id within
  ben sell 0.04 @ 61500
  index 61000
  # 61000 x 1.05
  anna order buys status PARTIALLY_FILLED filled 0.04 price 64050
  anna trigger buys status TRIGGERED price 70000
  anna order within price 62000
  anna cancelAll
  index 58000
  # 58000 x 0.95
  anna trigger sells status TRIGGERED price 50000
  book bids asks 0.1@55100
  `,
);

scenario(
  'PRC-6 LIQ-1 an account that is being liquidated can still close within the band',
  `
  market BTCUSDT
  credit anna 700
  credit ben 100000
  index 60000
  anna leverage 50
  anna buy 0.5 @ 60000
  ben sell 0.5 @ 60000
  index 59150
  flags anna yes
  anna sell 0.5 @ 59100 -> NEW
  ben buy 0.5 @ 59100 -> FILLED
  anna has position 0 flagged no
  `,
);

scenario(
  'PRC-6 attack A1: no sale far below the mark strips a position of its margin',
  `
  # Bob may bid what he likes; Ava, long 0.4, cannot sell there, nor can she rest so far below.
  market BTCUSDT
  credit ava 600
  credit bob 20000
  index 60000
  ava leverage 50
  ava buy 0.4 @ 60000
  bob sell 0.4 @ 60000
  bob buy 0.01 @ 1250 -> NEW
  ava sell 0.01 @ 1250 reduceOnly -> priceBelowBand 57000.0
  ava sell 0.01 market reduceOnly id none
  ava order none status REJECTED
  ava has position 0.4
  `,
);

scenario(
  'PRC-6b attack: an older bid that the mark has left gives another account only what its owner can bear',
  `
  # 60000 is 9 % above the new mark. Ava loses 1000 to Bob, with her own money; Cyd could not pay it.
  market BTCUSDT makerFee 0 takerFee 0
  credit ava 5000
  credit bob 5000
  credit cyd 700
  insurance 100000
  index 60000
  cyd buy 0.2 @ 60000 id older
  ava buy 0.2 @ 60000
  index 55000
  shows restriction none
  ava buy 0.01 @ 57750.1 -> priceAboveBand 57750.0
  bob sell 0.2 @ 55000 IOC -> FILLED
  trades 0.2@60000
  cyd order older status CANCELED reason MARGIN
  ava has equity 4000 position 0.2
  bob has equity 6000 position -0.2
  index 50000
  wealth ava bob 10000
  funds insurance 100000 shortfall 0
  `,
);
