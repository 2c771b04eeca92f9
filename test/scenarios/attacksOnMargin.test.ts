// Attacks on margin: an account strips itself of it for another one, adds risk without it, or takes
// a whole market (MAR-4e, MAR-9, MAR-11). With each attack the honest trader whom its rule must
// serve.

import { scenario } from './scenario.ts';
import { free } from './stages.ts';

/** Ava long 0.4 on 600 at leverage 50, her other account Bob short; there is no other account. */
const pair = (terms = '') => `
  market BTCUSDT ${terms}
  insurance 100000
  credit ava 600
  credit bob 20000
  index 60000
  ava leverage 50
  bob sell 0.4 @ 60000
  ava buy 0.4 @ 60000 -> FILLED
  ava has equity 588 maintenance 240
`;

scenario(
  'MAR-4e attack: no account sells far below the mark to another one and leaves the loss to the fund',
  `
  # Without the rule: 0.39 stand on 0.49, and a fall of 0.5 % costs the fund 116.5.
  ${pair('priceBand 0.99')}
  bob buy 0.01 @ 1250
  ava sell 0.01 @ 1250 reduceOnly IOC -> marginInsufficient
  ava sell 0.01 market -> REJECTED
  bob cancelAll
  # Nor as the maker: her ask is not accepted, and one of before does not stand the fill.
  ava sell 0.01 @ 1250 reduceOnly -> marginInsufficient
  ava test sell 0.01 @ 1250 reduceOnly -> marginInsufficient
  ava sell 0.01 @ 60000 reduceOnly id ask -> NEW
  ava modify ask 0.01 @ 1250 -> marginInsufficient
  index 58800
  funds insurance 100000 shortfall 0
  wealth ava bob atMost 20600
  `,
);

scenario(
  'MAR-4e attack: nor stop by stop to its maintenance, which a fall of 2 % would turn into a debt',
  `
  # If once the maintenance were enough, 0.143 could go at 57000: 154.9 would be left for 0.257, and a
  # fall of 2 % would cost the fund 153.5. At 57000 the ratio falls, and what is left must have twice
  # its maintenance: 588 - 3028.5 q >= 1200 (0.4 - q) holds up to 0.059.
  ${pair()}
  bob buy 0.4 @ 57000
  ava sell 0.06 @ 57000 reduceOnly IOC -> marginInsufficient
  ava sell 0.059 @ 57000 reduceOnly IOC -> FILLED
  ava has equity 409.3185 maintenance 204.6
  # Not a lot more at that price, nor the rest lot by lot.
  ava sell 0.001 @ 57000 reduceOnly IOC -> marginInsufficient
  bob cancelAll
  index 58800
  funds shortfall 0
  wealth ava bob atMost 20600
  `,
);

scenario(
  'MAR-4e attack: nor in a chain of the smallest fills, each rounded',
  `
  # 1 DUST stands on 0.015 at 0.988: 0.973 uses it up. Half at 0.973 loses half. A single lot there is
  # refused, because the maintenance of the rest is rounded up; two ticks higher it is not. So what
  # small fills leave is never less than what one large fill leaves.
  market DUSTUSDT ${free} minOrderSize 0.000001
  credit ava 0.03
  credit bob 1000
  index 1.003
  ava leverage 50
  bob sell 1 @ 1.003
  ava buy 1 @ 1.003
  index 0.988
  ava has equity 0.015 maintenance 0.00988
  bob buy 0.001 @ 0.974
  ava sell 0.001 @ 0.974 reduceOnly IOC -> marginInsufficient
  bob buy 0.001 @ 0.975
  ava sell 0.001 @ 0.975 reduceOnly IOC -> FILLED
  ava has equity 0.014987 maintenance 0.009871
  bob cancelAll
  bob buy 0.5 @ 0.972
  ava sell 0.5 @ 0.972 reduceOnly IOC -> marginInsufficient
  bob buy 0.499 @ 0.973
  ava sell 0.499 @ 0.973 reduceOnly IOC -> FILLED
  ava has position 0.5 equity 0.007502 maintenance 0.00494
  `,
);

scenario(
  'MAR-4e LIQ-1 attack: an account in liquidation sells nothing below its bankruptcy price',
  `
  # Flagged at 59200 with 268 - 12 of fees: bankrupt at 58560. No bid is in the book when it is tested.
  market BTCUSDT makerFee 0 takerFee 0
  credit ava 480
  credit bob 20000
  index 60000
  ava leverage 50
  bob sell 0.4 @ 60000
  ava buy 0.395 @ 60000
  index 59300
  ava has equity 203.5 flagged yes
  bob buy 0.1 @ 58784.7
  ava sell 0.1 @ 58784.7 reduceOnly IOC -> marginInsufficient
  bob buy 0.1 @ 58784.9
  ava sell 0.1 @ 58784.9 reduceOnly IOC -> FILLED
  `,
);

scenario(
  'MAR-4e a trader closes at a loss in a thin book, in parts and at last all of it',
  `
  # Long 1 from 60000 with 3015; the best bids are 1 % to 4 % below the mark.
  market BTCUSDT
  credit tom 3045
  credit ben 100000
  index 60000
  ben sell 1 @ 60000
  tom buy 1 @ 60000 -> FILLED
  tom has equity 3015 maintenance 600
  ben buy 0.3 @ 59400
  ben buy 0.3 @ 58800
  ben buy 0.4 @ 57600
  tom sell 0.5 @ 58000 reduceOnly -> FILLED
  tom sell 1 market reduceOnly -> FILLED
  tom has position 0 equity 1485.75
  `,
);

scenario(
  'MAR-4e a fill at the mark or better asks only for equity, whatever the ratio',
  `
  # 0.1 stand on 0.5: the fee of a close at the mark lowers the ratio, and the close is served.
  market BTCUSDT makerFee 0 takerFee 0.0005
  credit tom 304.5
  credit ben 100000
  index 60000
  ben sell 0.1 @ 60000
  tom buy 0.1 @ 60000
  drift 56990
  tom has equity 0.5
  ben buy 0.01 @ 56990
  tom sell 0.01 @ 56990 reduceOnly IOC -> FILLED
  ben buy 0.01 @ 56989.9
  tom sell 0.01 @ 56989.9 reduceOnly IOC -> marginInsufficient
  `,
);

/** Tom long 0.2 BTC and 2 ETH on 1,228, 1,200 at the prices of the start; then BTC falls silent. */
const silent = `
  market BTCUSDT
  market ETHUSDT
  credit tom 1219
  credit ben 100000
  tick BTCUSDT=60000 ETHUSDT=3000
  tom leverage 50
  tom leverage 50 ETHUSDT
  ben sell 0.2 @ 60000
  tom buy 0.2 @ 60000
  ben sell 2 @ 3000 ETHUSDT
  tom buy 2 @ 3000 ETHUSDT
  tom has equity 1210 maintenance 180
`;

scenario(
  'MAR-4e MAR-4c while the price of one market is late a stop and a close below the mark of another are served',
  `
  # Before, both needed 1,320 for BTC: the stop was used up, and ETH fell by 16 % with the account.
  ${silent}
  tom trigger sell 1 STOP_MARKET stop 2960 reduceOnly id stop ETHUSDT
  after 5500
  index 2970 ETHUSDT
  ben buy 1 @ 2940 ETHUSDT
  ben buy 1 @ 2939.99 ETHUSDT
  index 2950 ETHUSDT
  tom trigger stop status FINISHED
  tom has position 1 ETHUSDT
  tom sell 1 @ 2939.99 IOC ETHUSDT -> FILLED
  tom has position 0 ETHUSDT
  `,
);

scenario(
  'MAR-4e MAR-4c the band of the mark is the bound: beyond it the silent market keeps its margin',
  `
  # 2 % below 3000 is 2940. A lower fill must leave 1,200 and 120 for BTC.
  ${silent}
  after 5500
  index 3000 ETHUSDT
  ben buy 1 @ 2939.99 ETHUSDT
  tom sell 1 @ 2939.99 IOC ETHUSDT -> marginInsufficient
  ben buy 1 @ 2940 ETHUSDT
  tom sell 1 @ 2940 IOC ETHUSDT -> FILLED
  # In the silent market itself a part at a loss leaves the 10 % of the rest; all of it may go.
  ben buy 0.2 @ 59999.9
  tom sell 0.02 @ 59999.9 IOC -> marginInsufficient
  tom sell 0.2 @ 59999.9 IOC -> FILLED
  `,
);

scenario(
  'MAR-9 attack: no account adds to a position that has fallen below its initial margin',
  `
  # Before, 0.4 at 87.6 times the equity could be added to, up to 99.1 times.
  ${pair()}
  index 59220
  ava has equity 276 maintenance 236.88 available 108 usable 0
  bob sell 0.05 @ 59220
  ava buy 0.03 @ 59220 -> marginInsufficient
  ava buy 0.03 @ 59000 -> marginInsufficient
  ava test buy 0.03 market -> marginInsufficient
  # With the initial margin of all of it, the fee and the freeze counted, it may.
  credit ava 260
  ava has usable 62.24
  ava buy 0.03 @ 59220 -> FILLED
  `,
);

scenario(
  'MAR-9 attack: nor does an order of before, as the maker',
  `
  market BTCUSDT ${free}
  credit ava 700
  credit bob 20000
  index 60000
  ava leverage 50
  bob sell 0.4 @ 60000
  ava buy 0.4 @ 60000
  ava buy 0.1 @ 59300 id bid -> NEW
  index 59300
  ava has equity 420
  bob sell 0.1 @ 59300
  ava order bid status CANCELED reason MARGIN filled 0
  `,
);

scenario(
  'MAR-9 at a fill the freezes of other orders do not count: a maker keeps what it can bear',
  `
  # Two bids freeze 1,206 each of 2,500. Filled at 60000 with a mark of 59900 the first costs 100: of
  # 2,400 its 1 BTC needs 1,198. The second would leave 2,300 for 2,396.
  market BTCUSDT ${free}
  credit mia 2500
  credit ben 100000
  index 60000
  mia leverage 50
  mia buy 1 @ 60000 id first
  mia buy 1 @ 60000 id second
  index 59900
  ben sell 2 @ 60000 IOC
  mia order first status FILLED
  mia order second status CANCELED reason MARGIN
  mia has position 1 equity 2400 usable 1202
  `,
);

scenario(
  'MAR-9 profit against the mark counts: who buys below it is not refused for the higher mark',
  `
  # 1,206 carry a bid at 59000; at the mark 1 BTC needs 1,200, and the fill has gained 1,000.
  market BTCUSDT ${free}
  credit mia 1186
  credit ben 100000
  index 60000
  mia leverage 50
  mia buy 1 @ 59000 id bid
  ben sell 1 @ 59000
  mia order bid status FILLED
  mia has equity 2186 usable 6
  `,
);

scenario(
  'MAR-9 BAL-4 collateral that debits have taken does not lower the initial margin below twice maintenance',
  `
  # The loss in ETH is 270: 10 were available, 180 were held there, 80 come from BTC.
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit ava 430
  credit bob 20000
  tick BTCUSDT=60000 ETHUSDT=3000
  ava leverage 50
  ava leverage 50 ETHUSDT
  bob sell 0.21 @ 60000
  ava buy 0.2 @ 60000
  bob sell 3 @ 3000 ETHUSDT
  ava buy 3 @ 3000 ETHUSDT
  drift 2910 ETHUSDT
  bob buy 3 @ 2910 ETHUSDT
  ava sell 3 @ 2910 ETHUSDT -> FILLED
  ava has held 160 available 0 equity 160
  credit ava 100
  # 260 less twice the maintenance of 120.
  ava has available 100 usable 20
  ava buy 0.01 @ 60000 -> FILLED
  ava buy 0.01 @ 59000 -> marginInsufficient
  `,
);

scenario(
  'MAR-11 attack: 490,000 do not take all of a side of a market from everybody else',
  `
  # A quarter of 20,000,000: 83.333 BTC at 60000 are 4,999,980.
  market BTCUSDT ${free} accountShareMax 0.25 maxOrderSize 100000000
  credit ava 490000
  credit bob 490000
  credit mm 10000000
  house mm
  index 60000
  ava leverage 50
  mm sell 300 @ 60000 -> NEW
  ava buy 333 @ 60000 -> positionLimitExceeded 0 5000000000000 19980000000000
  ava buy 83.334 @ 60000 -> positionLimitExceeded
  ava buy 83.333 @ 60000 -> FILLED
  ava buy 0.001 @ 60000 -> positionLimitExceeded
  ava buy 0.001 market -> positionLimitExceeded
  ava test buy 0.001 @ 60000 -> positionLimitExceeded
  # The other side, what closes, and other accounts are free; so is the house.
  ava sell 166.666 @ 60000 -> NEW
  bob buy 1 @ 60000 -> FILLED
  `,
);
