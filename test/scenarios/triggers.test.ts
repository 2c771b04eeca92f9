// When a trigger fires and what becomes of it (TRG-1): direction, price, the order that comes of
// it, its failure. What refuses a trigger is in triggerRejections.test.ts, how one ends in
// triggerEnds.test.ts, trailing ones in trailing.test.ts, many at once in triggerOrder.test.ts.

import { test } from 'vitest';
import { openOrdersPerMarketMax } from '../../src/engine/limits.ts';
import { play, scenario } from './scenario.ts';
import { createWorld } from './world.ts';

const start = `
  market BTCUSDT
  market ETHUSDT
  credit anna 10000
  credit ben 1000000
  index 60000
  index ETHUSDT 3000
`;

scenario(
  'TRG-1 a stop that buys fires when the mark is at or above it, not one tick below',
  `
  ${start}
  anna trigger buy 0.1 STOP_MARKET stop 61000 id s -> NEW
  anna has freezes 0 available 10000 orders 0
  anna trigger s status NEW fired never order none stop 61000 quantity 0.1 mark 60000
  ben sell 0.1 @ 61050
  index 60999.9
  anna trigger s status NEW
  index 61000
  anna trigger s status FINISHED fired 0 order same failure none
  anna order s status FILLED filled 0.1 price 0
  trades 0.1@61050
  anna has position 0.1
  `,
);

scenario(
  'TRG-1 a stop that sells fires when the mark is at or below it, not one tick above',
  `
  ${start}
  anna trigger sell 0.1 STOP_MARKET stop 59000 id s
  ben buy 0.1 @ 58950
  index 59000.1
  anna trigger s status NEW
  index 59000
  anna trigger s status FINISHED
  trades 0.1@58950
  anna has position -0.1
  `,
);

scenario(
  'TRG-1 a take-profit that sells fires when the mark is at or above it',
  `
  ${start}
  anna trigger sell 0.1 TAKE_PROFIT_MARKET stop 61000 id t
  ben buy 0.1 @ 59990
  index 60999.9
  anna trigger t status NEW
  index 61000
  anna trigger t status FINISHED
  anna order t status FILLED
  `,
);

scenario(
  'TRG-1 a take-profit that buys fires when the mark is at or below it',
  `
  ${start}
  anna trigger buy 0.1 TAKE_PROFIT_MARKET stop 59000 id t
  ben sell 0.1 @ 60010
  index 59000.1
  anna trigger t status NEW
  index 59000
  anna trigger t status FINISHED
  anna order t status FILLED
  `,
);

scenario(
  'TRG-1 a gap over the stop does not skip it',
  `
  ${start}
  anna trigger buy 0.1 STOP_MARKET stop 61000 id s
  anna trigger buy 0.1 STOP stop 61500 @ 61400 id limit
  ben sell 0.1 @ 64010
  index 64000
  anna trigger s status FINISHED
  trades 0.1@64010
  # The limit holds though the mark has gone beyond it.
  anna trigger limit status TRIGGERED
  anna order limit status NEW price 61400
  `,
);

scenario(
  'TRG-1 a limit type becomes a LIMIT order: it freezes now, rests, and fills later',
  `
  ${start}
  anna leverage 10
  anna trigger sell 0.1 STOP stop 59000 @ 58990 id s
  index 58995
  anna trigger s status TRIGGERED fired 0 order same
  # 5899 / 10 x 1.005
  anna order s status NEW price 58990 freeze 592.8495 leverage 10 tif GTC
  anna has freezes 592.8495
  book bids asks 0.1@58990
  ben buy 0.06 @ 58990
  anna order s status PARTIALLY_FILLED
  anna trigger s status TRIGGERED
  after 1000
  ben buy 0.04 @ 58990
  anna order s status FILLED
  anna trigger s status FINISHED fired 1000
  `,
);

scenario(
  'TRG-1 MAR-5 the order gets the leverage setting of the moment it fires, and the mark of its creation',
  `
  ${start}
  anna trigger buy 0.1 TAKE_PROFIT stop 59000 @ 59000 id t
  anna leverage 5
  index 58000
  anna order t leverage 5 mark 60000
  anna trigger t mark 60000
  `,
);

scenario(
  'TRG-1 its order gets the time in force of the trigger',
  `
  ${start}
  anna trigger sell 0.1 STOP stop 59000 @ 58990 IOC id ioc
  anna trigger sell 0.1 STOP stop 59000 @ 58990 FOK id fok
  anna trigger sell 0.1 STOP stop 59000 @ 58990 GTX id gtx
  index 59000
  anna order ioc status CANCELED reason IOC
  anna trigger ioc status FINISHED
  # A killed FOK was accepted: it is an order, and the trigger has done its work.
  anna order fok status REJECTED
  anna trigger fok status FINISHED failure none
  anna order gtx status NEW tif GTC
  anna trigger gtx status TRIGGERED tif GTX
  `,
);

scenario(
  'TRG-1 a market type has no time in force: its order fills what it can and ends',
  `
  ${start}
  ben buy 0.04 @ 58990
  anna trigger sell 0.1 STOP_MARKET stop 59000 FOK id fok
  index 59000
  anna trigger fok status FINISHED
  anna order fok status CANCELED reason MARKET filled 0.04 tif GTC
  ben buy 0.1 @ 58890
  anna trigger sell 0.1 STOP_MARKET stop 58900 GTX id gtx
  index 58900
  anna order gtx status FILLED tif GTC
  `,
);

scenario(
  'TRG-1 wouldMatch: a GTX trigger fails when its order would take',
  `
  ${start}
  ben buy 0.1 @ 58995
  anna trigger sell 0.1 STOP stop 59000 @ 58990 GTX id s
  index 59000
  anna trigger s status FAILED failure wouldMatch fired never order none
  anna has orders 0 freezes 0
  trades
  `,
);

scenario(
  'TRG-1 TRG-2b ORD-2 a market type that finds no order becomes an order that ends REJECTED',
  `
  ${start}
  anna trigger sell 0.1 STOP_MARKET stop 59000 id s
  index 59000
  anna order s status REJECTED filled 0
  anna trigger s status FINISHED failure none fired 0
  `,
);

scenario(
  'TRG-1 ORD-3 a market type takes only up to the bound of its market, and the rest is cancelled',
  `
  ${start}
  ben buy 0.05 @ 58000
  ben buy 0.05 @ 56000
  anna trigger sell 0.1 STOP_MARKET stop 59000 id s
  index 59000
  # 59000 x 0.95 = 56050
  trades 0.05@58000
  anna order s status CANCELED reason MARKET filled 0.05
  anna trigger s status FINISHED
  `,
);

scenario(
  'TRG-1 TRG-1a MAR-4 marginInsufficient: a trigger needs margin when it fires, or it fails',
  `
  ${start}
  ben sell 10 @ 61000
  # 610000 at leverage 20 is 30500.
  anna trigger buy 10 STOP_MARKET stop 61000 id s -> NEW
  anna trigger buy 10 STOP stop 61000 @ 60500 id limit algo -> NEW
  anna has available 10000
  index 61000
  anna trigger s status FAILED failure marginInsufficient fired never order none
  anna trigger limit status FAILED failure marginInsufficient order none
  events triggerFired 0 triggerEnded 2 orderPlaced 1
  anna has available 10000 freezes 0 position 0 orders 0
  trades
  # Both ids are free again.
  anna buy 0.1 @ 60000 id s -> NEW
  anna buy 0.1 @ 60000 id limit -> NEW
  `,
);

scenario(
  'TRG-1 after a failing trigger the next of the same tick still fires',
  `
  ${start}
  ben sell 11 @ 61000
  anna trigger buy 10 STOP_MARKET stop 61000 id big
  anna trigger buy 0.1 STOP_MARKET stop 61000 id small
  index 61000
  anna trigger big status FAILED
  anna trigger small status FINISHED
  anna has position 0.1
  `,
);

scenario(
  'TRG-1 OI-1 openInterestCapExceeded: every rule of an order holds for the order of a trigger',
  `
  ${start}
  market AVAXUSDT openInterestCap 5000 maxLeverage 25 maintenanceMarginRate 0.02 markClamp 0.005
  index AVAXUSDT 20
  anna trigger buy 300 AVAXUSDT STOP stop 21 @ 21 id s
  index AVAXUSDT 21
  anna trigger s status FAILED failure openInterestCapExceeded
  `,
);

scenario(
  'TRG-2 ORD-6 a reduceOnly trigger fails when it fires without a position',
  `
  ${start}
  anna trigger sell 0.1 STOP_MARKET stop 59000 reduceOnly -> reduceOnlyRejected
  anna trigger sell close STOP_MARKET stop 59000 -> reduceOnlyRejected
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  # Not one of its own direction either.
  anna trigger buy 0.1 STOP_MARKET stop 61000 reduceOnly -> reduceOnlyRejected
  anna trigger buy close STOP_MARKET stop 61000 -> reduceOnlyRejected
  anna trigger sell 0.1 STOP_MARKET stop 59000 reduceOnly id s
  ben buy 0.1 @ 60000
  anna sell 0.1 @ 60000
  # It is kept while there is nothing to reduce: the position may come back.
  anna trigger s status NEW
  index 59000
  anna trigger s status FAILED failure reduceOnlyRejected
  `,
);

scenario(
  'TRG-1 ORD-6 the reduceOnly order of a trigger is capped at the position, for target and stop',
  `
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna trigger sell 0.3 STOP stop 59000 @ 58000 reduceOnly id stop
  anna trigger sell 0.1 TAKE_PROFIT_MARKET stop 62000 reduceOnly id target
  anna trigger stop quantity 0.3
  ben buy 0.04 @ 58500
  index 59000
  anna order stop quantity 0.1 filled 0.04 open 0.06 freeze 0
  anna has position 0.06 freezes 0
  anna trigger target status NEW
  `,
);

scenario(
  'TRG-1 a covered order freezes nothing, so a stop without reduceOnly closes too',
  `
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna trigger sell 0.1 STOP stop 59000 @ 59000 id s
  index 58900
  anna order s status NEW cover 0.1 freeze 0
  anna has freezes 0
  `,
);

scenario(
  'TRG-1 ORD-4 the self-trade mode is that of the trigger, or else the market default of its creation',
  `
  ${start}
  anna buy 0.1 @ 58950 id mine
  anna trigger sell 0.1 STOP_MARKET stop 59000 stp EXPIRE_TAKER id s
  index 59000
  anna order s status CANCELED reason SELF_TRADE
  anna order mine status NEW
  anna trigger sell 0.1 STOP_MARKET stop 58980 id t
  index 58980
  anna order mine status CANCELED reason SELF_TRADE
  `,
);

test('TRG-1 ORD-9 openOrdersLimit: a trigger fails when its limit order would exceed the limit of its market', () => {
  const world = play(createWorld(), start);
  play(world, 'anna trigger buy 0.001 TAKE_PROFIT stop 59000 @ 50000 id t');
  play(world, 'anna trigger buy 0.001 TAKE_PROFIT_MARKET stop 59000 id m');
  play(world, 'anna buy 0.001 @ 50000\n'.repeat(openOrdersPerMarketMax));
  play(
    world,
    `
    index 59000
    anna trigger t status FAILED failure openOrdersLimit
    anna trigger m status FINISHED
    `,
  );
});
