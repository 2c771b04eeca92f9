// What happens when a leg fires (ATT-4, ATT-5, ATT-7): it cancels the other and the parent, closes
// no more than its pair may, and is not used up by an empty book.

import { scenario } from './scenario.ts';
import { richTwoMarkets } from './stages.ts';

/** Anna holds 3 lots that a parent opened and 7 others. */
const long = `
  ${richTwoMarkets}
  ben sell 1 @ 60000
  anna buy 0.7 @ 60000
  anna buy 0.3 @ 60000 id a profit 61000 profitAt 61200 loss 59000
`;

scenario(
  'ATT-4 what the take-profit fills is taken from the stop-loss',
  `
  ${long}
  index 61000
  anna trigger a.profit status TRIGGERED
  anna order a.profit status NEW open 0.3 price 61200
  anna trigger a.loss status NEW quantity 0.3
  ben buy 0.1 @ 61200
  anna trigger a.loss status NEW quantity 0.2
  ben buy 0.2 @ 61200
  anna trigger a.profit status FINISHED
  anna trigger a.loss status EXPIRED
  anna has position 0.7
  `,
);

scenario(
  'ATT-4 when the stop-loss fires, the order of the take-profit ends first, and the pair closes its lots once',
  `
  ${long}
  index 61000
  ben buy 0.1 @ 61200
  ben buy 1 @ 58700
  index 58800
  anna order a.profit status CANCELED reason PAIR filled 0.1
  anna trigger a.profit status FINISHED
  anna trigger a.loss status FINISHED quantity 0.2
  anna has position 0.7
  `,
);

scenario(
  'ATT-4 when the take-profit fires, the limit order of the stop-loss ends first',
  `
  ${richTwoMarkets}
  ben sell 1 @ 60000
  anna buy 0.3 @ 60000 id a profit 61000 loss 59000 lossAt 58990
  index 58900
  anna order a.loss status NEW open 0.3
  index 61000
  anna order a.loss status CANCELED reason PAIR
  anna trigger a.loss status FINISHED
  anna trigger a.profit status NEW failure counterpartyMissing quantity 0.3
  ben buy 1 @ 60900
  after 1000
  index 61000
  anna trigger a.profit status FINISHED
  anna has position 0
  `,
);

scenario(
  'ATT-4 a part that a leg leaves open stays with the other leg',
  `
  ${long}
  ben buy 0.1 @ 58900
  index 59000
  anna order a.loss status CANCELED reason MARKET filled 0.1
  anna trigger a.loss status FINISHED
  anna trigger a.profit status NEW quantity 0.2
  anna has position 0.9
  `,
);

scenario(
  'ATT-4 a leg whose order its owner cancels leaves the other with all lots',
  `
  ${long}
  index 61000
  anna cancelAll -> cancelled 1
  anna trigger a.profit status FINISHED
  anna trigger a.loss status NEW quantity 0.3
  ben buy 1 @ 58900
  index 59000
  anna has position 0.7
  `,
);

scenario(
  'ATT-4 the first leg that fires cancels the rest of the parent',
  `
  ${richTwoMarkets}
  anna buy 1 @ 60000 id a profit 61000 loss 59000
  ben sell 0.4 @ 60000
  ben buy 1 @ 58900
  index 59000
  anna order a status CANCELED reason PAIR filled 0.4
  anna trigger a.loss status FINISHED
  anna trigger a.profit status EXPIRED
  anna has position 0 orders 0
  ben sell 1 @ 60000 IOC -> CANCELED IOC
  # The order of a parent that is a trigger, too.
  index 60000
  anna trigger buy 1 TAKE_PROFIT stop 59500 @ 59490 id b profit 59800 profitAt 59900 loss 59000
  index 59500
  ben cancelAll
  ben sell 0.4 @ 59490
  anna trigger b.profit status NEW quantity 0.4
  index 59800
  anna order b status CANCELED reason PAIR
  anna trigger b status FINISHED
  anna order b.profit status NEW open 0.4
  anna trigger b.loss status NEW quantity 0.4
  `,
);

scenario(
  'ATT-4 attack: both legs due at one tick close the pair once',
  `
  # While the market is halted the mark passes both prices.
  ${long}
  ben buy 0.1 @ 58900
  change status HALT
  index 61000
  index 59000
  change status TRADING
  index 59000
  anna trigger a.loss status FINISHED
  anna trigger a.profit status NEW quantity 0.2
  anna has position 0.9
  `,
);

scenario(
  'ATT-5 the order of a leg may not be modified beyond what its pair may close',
  `
  ${long}
  index 61000
  ben buy 0.1 @ 61200
  anna modify a.profit 1 @ 61100 -> PARTIALLY_FILLED
  anna order a.profit quantity 0.3 open 0.2
  anna modify a.profit 0.2 @ 61150 -> PARTIALLY_FILLED
  anna order a.profit quantity 0.2 open 0.1
  anna trigger a.loss quantity 0.2
  ben buy 0.1 @ 61150
  anna trigger a.profit status FINISHED
  anna trigger a.loss status NEW quantity 0.1
  anna has position 0.8
  `,
);

scenario(
  'ATT-7 counterpartyMissing: a leg that finds no order within its bound waits and is tried again',
  `
  ${long}
  index 59000
  anna trigger a.loss status NEW failure counterpartyMissing order none quantity 0.3
  events triggerTried 1 triggerFired 0
  index 59500
  events triggerTried 1
  after 1000
  index 59500
  events triggerTried 2
  # The book has a bid again, at any mark.
  ben buy 1 @ 59400
  after 1000
  index 59500
  anna trigger a.loss status FINISHED failure none
  anna has position 0.7
  `,
);

scenario(
  'ATT-7 TRG-8 a leg that finds no margin waits and is tried again, and the order of the other stays ended',
  `
  market BTCUSDT
  market ETHUSDT
  credit ava 1300
  credit ben 1000000
  index 60000
  index ETHUSDT 3000
  ava buy 0.2 @ 60000
  ben sell 0.2 @ 60000
  ben sell 1 ETHUSDT @ 3000
  ava buy 1 ETHUSDT @ 3000 id a profit 3050 profitAt 3100 loss 2900
  index ETHUSDT 3050
  ava order a.profit status NEW
  index ETHUSDT 3000
  ben buy 1 ETHUSDT @ 2813
  index 60000
  after 6000
  index ETHUSDT 2895
  ava trigger a.loss status NEW failure marginInsufficient
  ava order a.profit status CANCELED reason PAIR
  ava trigger a.profit status FINISHED
  index 60000
  after 750
  index ETHUSDT 2900
  ava trigger a.loss status FINISHED
  ava has position 0 ETHUSDT
  `,
);

scenario(
  'ATT-7 TRG-6 a leg that is due ends with its position and closes no later one',
  `
  ${richTwoMarkets}
  ben sell 2 @ 60000
  anna buy 0.3 @ 60000 id a loss 59000
  index 59000
  anna trigger a.loss status NEW failure counterpartyMissing
  ben buy 1 @ 58900
  anna sell 0.3 @ 58900 IOC
  anna trigger a.loss status EXPIRED
  anna buy 0.3 @ 60000
  after 1000
  index 59000
  anna has position 0.3
  `,
);

scenario(
  'ATT-3 TRG-6 a leg that was tried is pending when its position is gone, and waits anew',
  `
  ${richTwoMarkets}
  anna buy 1 @ 58950 id a profit 61000 loss 58900
  ben sell 0.3 @ 58950
  index 58900
  # Its turn has come, so the rest of the parent is cancelled, and nothing is there to fill later.
  anna order a status CANCELED reason PAIR
  anna trigger a.loss status NEW failure counterpartyMissing
  ben buy 0.3 @ 58850
  anna sell 0.3 @ 58850 IOC
  anna trigger a.loss status EXPIRED
  # A leg that is due in a halted market is pending, and its parent can fill.
  index 59000
  anna buy 1 @ 58950 id b profit 61000 loss 58900
  ben sell 0.3 @ 58950
  ben buy 0.3 @ 58960
  index 59000
  change status HALT
  index 58900
  change status TRADING
  anna sell 0.3 @ 58960 IOC
  anna trigger b.loss status PENDING
  index 59000
  ben sell 0.2 @ 58950
  anna trigger b.loss status NEW quantity 0.2
  ben buy 1 @ 58850
  index 58900
  anna trigger b.loss status FINISHED
  anna has position 0
  `,
);

scenario(
  'ATT-7 TRG-8 attack: a leg that gets other lots keeps the time of its try, and no stop of others waits for it',
  `
  ${richTwoMarkets}
  credit eve 100000
  ben sell 2 @ 60000
  eve buy 0.5 @ 60000 id leg loss 59000
  anna buy 0.5 @ 60000
  anna trigger sell close STOP_MARKET stop 59000 id stop
  index 59000
  eve trigger leg.loss status NEW failure counterpartyMissing
  anna trigger stop status NEW failure counterpartyMissing
  # Eve closes a little of her position each time before her leg has rested.
  after 500
  ben buy 0.1 @ 59000
  eve sell 0.1 @ 59000 IOC -> FILLED
  eve trigger leg.loss quantity 0.4
  ben buy 2 @ 58990
  after 500
  index 59000
  anna trigger stop status FINISHED
  anna has position 0
  eve trigger leg.loss status FINISHED
  `,
);
