// Modifying a resting LIMIT order (spec, PUT /fapi/v1/order; ORD-5).

import { scenario } from './scenario.ts';
import { threeTraders } from './stages.ts';

scenario(
  'ORD-5 a modified order loses its priority, even without a change',
  `
  ${threeTraders}
  anna buy 0.1 @ 60000 id x
  ben buy 0.1 @ 60000 id y
  anna modify x 0.1 @ 60000 -> NEW
  cleo sell 0.1 @ 60000
  ben order y status FILLED
  anna order x status NEW
  `,
);

scenario(
  'ORD-5 MAR-1 the freeze follows the modified order: remaining x price / leverage x 1.005',
  `
  # 6000 / 20 x 1.005 = 301.5; 11800 / 20 x 1.005 = 592.95; after a fill of 0.05 at 59000
  # (collateral 147.5, fee 0.59) 0.35 of 0.4 are left: 21000 / 20 x 1.005 = 1055.25.
  ${threeTraders}
  anna buy 0.1 @ 60000 id x
  anna has freezes 301.5 available 9698.5
  anna modify x 0.2 @ 59000 -> NEW
  anna has freezes 592.95 available 9407.05
  cleo sell 0.05 @ 59000
  anna order x open 0.15 filled 0.05
  anna modify x 0.4 @ 60000 -> PARTIALLY_FILLED
  anna order x open 0.35 filled 0.05 quantity 0.4 freeze 1055.25
  anna has freezes 1055.25 collateral 147.5 balance 9999.41 available 8796.66
  anna modify x 0.06 @ 59000
  # 590 / 20 x 1.005 = 29.6475
  anna has freezes 29.6475
  `,
);

scenario(
  'ORD-5 a quantity equal to what is filled ends the order FILLED',
  `
  ${threeTraders}
  anna buy 0.1 @ 60000 id x
  cleo sell 0.04 @ 60000
  anna modify x 0.04 @ 59000 -> FILLED
  anna order x quantity 0.04 filled 0.04 open 0 price 60000
  anna has freezes 0 orders 0
  book bids asks
  `,
);

scenario(
  'ORD-5 UNIT-5 quantityBelowLot: a quantity of zero does not end an unfilled order',
  `
  ${threeTraders}
  anna buy 0.1 @ 60000 id x
  anna modify x 0 @ 60000 -> quantityBelowLot
  anna order x status NEW open 0.1
  `,
);

scenario(
  'ORD-5 sideMismatch, quantityBelowFilled, orderNotFound',
  `
  ${threeTraders}
  anna buy 0.1 @ 60000 id x
  anna modify x sell 0.1 @ 60000 -> sideMismatch
  anna modify x buy 0.1 @ 60000 -> NEW
  cleo sell 0.04 @ 60000
  anna modify x 0.039 @ 60000 -> quantityBelowFilled
  anna modify never 0.1 @ 60000 -> orderNotFound
  ben modify x 0.1 @ 60000 -> orderNotFound
  anna cancel x
  anna modify x 0.1 @ 60000 -> orderNotFound
  `,
);

scenario(
  'ORD-5 ORD-11 a modified order must keep the bounds of notional unless it only reduces',
  `
  ${threeTraders}
  change minOrderSize 60 maxOrderSize 1000000
  anna buy 0.1 @ 59000 id x
  anna modify x 0.001 @ 59000 -> notionalBelowMin
  anna modify x 17 @ 59000 -> notionalAboveMax
  anna modify x 1000000000.001 @ 59000 -> quantityAboveMax
  ben buy 0.1 @ 60000
  cleo sell 0.1 @ 60000
  ben sell 0.1 @ 61000 id y
  # 61 is enough; at 59000 it would not be, were it not covered.
  change minOrderSize 100
  ben modify y 0.001 @ 61000 -> NEW
  `,
);

scenario(
  'ORD-5 a failed modify leaves order, freeze and priority unchanged',
  `
  # Ten times as much would freeze 30150 of a balance of 10000.
  ${threeTraders}
  anna buy 0.1 @ 60000 id x
  ben buy 0.1 @ 60000 id y
  anna modify x 10 @ 60000 -> marginInsufficient
  anna order x status NEW open 0.1 freeze 301.5
  cleo sell 0.1 @ 60000
  anna order x status FILLED
  ben order y status NEW
  `,
);

scenario(
  'ORD-5 a modified order that crosses trades as taker under its old id',
  `
  # 0.1 at 60100: 3.005 taker fee; the rest of 0.1 freezes 60200 x 0.1 / 20 x 1.005 = 302.505.
  ${threeTraders}
  anna buy 0.1 @ 59000 id x
  cleo sell 0.1 @ 60100
  anna modify x 0.2 @ 60200 -> PARTIALLY_FILLED
  trades 0.1@60100
  anna order x filled 0.1 open 0.1 paid 6010 freeze 302.505
  anna has balance 9996.995 collateral 300.5
  book bids 0.1@60200 asks
  `,
);

scenario(
  'ORD-5 ORD-6 a modified reduceOnly order is capped at the position again',
  `
  ${threeTraders}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna sell 0.05 @ 61000 reduceOnly id r
  anna modify r 0.5 @ 62000 -> NEW
  anna order r quantity 0.1 open 0.1 freeze 0
  `,
);

scenario(
  'ORD-5 MAR-1 SYM-1 a modified order is the newest: the others get its cover first',
  `
  # Anna is long 1. Her older ask of 0.8 has all its cover, the younger one of 0.5 has 0.2. Once
  # modified the older would be the newest: 0.5 for the other, 0.5 for itself, 0.3 opening. On a
  # market that only reduces that is refused; when open, it is done so.
  ${threeTraders}
  anna buy 1 @ 60000
  ben sell 1 @ 60000
  anna sell 0.8 @ 61000 id old
  anna sell 0.5 @ 62000 id young
  anna order old cover 0.8 freeze 0
  # 0.3 x 62000 / 20 x 1.005
  anna order young cover 0.2 freeze 934.65
  change status CLOSE
  anna modify old 0.8 @ 61500 -> marketReduceOnly
  anna modify old 0.5 @ 61500 -> NEW
  change status TRADING
  anna modify old 0.8 @ 61500 -> NEW
  anna order young cover 0.5 freeze 0
  # 0.3 x 61500 / 20 x 1.005
  anna order old cover 0.5 freeze 927.1125
  `,
);

scenario(
  'ORD-5 OI-1 the opening part of a modified order counts against the cap as that of the newest order',
  `
  # Cap 66000: 1 BTC is long and short at 60000. Modified, the older ask opens 0.3 (18450).
  market BTCUSDT openInterestCap 66000
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 1 @ 60000
  ben sell 1 @ 60000
  anna sell 0.8 @ 61000 id old
  anna sell 0.2 @ 62000 id young
  anna modify young 0.29 @ 62000 -> NEW
  anna order young cover 0.2
  anna modify old 0.9 @ 61500 -> openInterestCapExceeded
  anna modify old 0.8 @ 61500 -> NEW
  anna order old cover 0.71
  `,
);

scenario(
  'ORD-5 MAR-1 SYM-1 a short covers a modified order to the last lot, and nothing beyond it',
  `
  # Short 0.1: the bid that covers all of it may move in CLOSE; one that others leave no cover may
  # not, not even for one lot.
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000
  anna buy 0.05 @ 59000 id x
  change status CLOSE
  anna modify x 0.101 @ 58000 -> marketReduceOnly
  anna modify x 0.1 @ 58000 -> NEW
  anna order x cover 0.1 freeze 0
  change status TRADING
  anna buy 0.1 @ 57000 id y
  change status CLOSE
  anna modify y 0.001 @ 57500 -> marketReduceOnly
  `,
);

/** Long 0.1, which covers the older of two sales; the newer freezes all of available. */
const covered = `
  market BTCUSDT makerFee 0 takerFee 0
  credit anna 602.505
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna sell 0.1 @ 60100 id older
  anna sell 0.1 @ 60200 id newer
  anna has available 0 freezes 302.505
`;

scenario(
  'ORD-5 MAR-1 cover that a modified order gives up releases the money that it must freeze',
  `
  # 6015 x 1.005 / 20 = 302.25375: it is the newest, and the other one is covered.
  ${covered}
  anna modify older 0.1 @ 60150 -> NEW
  anna order older cover 0 freeze 302.25375
  anna order newer cover 0.1 freeze 0
  anna has available 0.25125
  `,
);

scenario(
  'ORD-5 MAR-1 an order that a modify ends as FILLED passes its cover to the next',
  `
  ${covered}
  ben buy 0.04 @ 60100
  anna order older open 0.06 cover 0.06
  anna modify older 0.04 @ 60100 -> FILLED
  # 0.04 of 0.1: 6020 x 0.4 x 1.005 / 20.
  anna order newer cover 0.06 freeze 121.002
  `,
);

scenario(
  'ORD-5 MAR-1 a modify that must freeze more than the released cover changes nothing',
  `
  # 6110 x 1.005 / 20 = 307.0275: the cover that it leaves frees 302.505.
  ${covered}
  anna modify older 0.1 @ 61100 -> marginInsufficient
  anna order older cover 0.1 freeze 0 price 60100
  anna order newer cover 0 freeze 302.505
  `,
);

scenario(
  'ORD-5 MAR-1 SYM-1 only the open part of a partly filled order counts as opening',
  `
  # 0.06 are left of the position and of the order: the cover is whole.
  ${threeTraders}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna sell 0.1 @ 61000 id x
  ben buy 0.04 @ 61000
  change status CLOSE
  anna modify x 0.101 @ 61500 -> marketReduceOnly
  anna modify x 0.1 @ 61500 -> PARTIALLY_FILLED
  anna order x open 0.06 cover 0.06
  `,
);

scenario(
  'ORD-5 ORD-6 SYM-1 a reduce-only order without cover can be modified in a closing market',
  `
  ${threeTraders}
  anna buy 0.001 @ 60000
  ben sell 0.001 @ 60000
  anna sell 0.001 @ 61000 id covered
  anna sell 0.001 @ 62000 reduceOnly id r
  change status CLOSE
  anna modify r 0.001 @ 61500 -> NEW
  anna order covered cover 0.001
  `,
);

scenario(
  'ORD-5 ORD-6 a modify ends a reduce-only order FILLED, in a closing market too, not in a halted one',
  `
  ${threeTraders}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna sell 0.1 @ 60100 reduceOnly id x
  ben buy 0.04 @ 60100
  change status HALT
  anna modify x 0.04 @ 60100 -> marketHalted
  # The market comes before the order.
  anna modify x buy 0.039 @ 60100 -> marketHalted
  change status CLOSE
  anna modify x 0.04 @ 60100 -> FILLED
  `,
);

scenario(
  'ORD-5 ORD-6 the modified quantity of a reduce-only order is filled plus still allowed lots',
  `
  ${threeTraders}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna sell 0.1 @ 60100 reduceOnly id x
  ben buy 0.04 @ 60100
  anna modify x 0.08 @ 60200 -> PARTIALLY_FILLED
  anna order x quantity 0.08 filled 0.04 open 0.04
  anna modify x 0.2 @ 60200 -> PARTIALLY_FILLED
  anna order x quantity 0.1 filled 0.04 open 0.06
  `,
);

scenario(
  'UNIT-1 quantityAboveMax: the largest quantity is accepted, in placing and in modifying',
  `
  market DUSTUSDT makerFee 0 takerFee 0
  credit anna 1000000
  index 0.001
  anna buy 1000000000.001 @ 0.001 -> quantityAboveMax
  anna buy 1000000000 @ 0.001 id x -> NEW
  anna modify x 1000000000.001 @ 0.001 -> quantityAboveMax
  anna modify x 1000000000 @ 0.001 -> NEW
  `,
);
