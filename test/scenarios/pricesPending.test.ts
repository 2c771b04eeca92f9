// While a jump waits to be confirmed the mark is known to be wrong: the market only reduces
// (PRC-2b). How a jump is confirmed is in pricesGate.test.ts, what somebody could make of it in
// attacksOnPrices.test.ts.

import { scenario } from './scenario.ts';

scenario(
  'PRC-2b priceUnavailable: while a jump is unconfirmed only reducing orders and cancels pass',
  `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 59000 id x
  anna sell 0.05 @ 61000 id y
  index 48000
  # What is refused liquidates no account at 60000 either; the market is still live.
  shows pending 1 restriction stale status CLOSE live true age 250
  anna buy 0.01 @ 59000 -> priceUnavailable
  anna buy 0.01 market -> priceUnavailable
  anna test buy 0.01 @ 59000 -> priceUnavailable
  ben sell 0.01 @ 61000 -> priceUnavailable
  anna modify x 0.05 @ 59000 -> priceUnavailable
  anna trigger buy 0.01 STOP_MARKET stop 61000 -> priceUnavailable
  anna sell 0.04 @ 62000 -> NEW
  anna sell 0.01 @ 63000 reduceOnly -> NEW
  anna modify y 0.04 @ 61500 -> NEW
  ben buy 0.001 @ 57000 -> NEW
  anna cancel x -> CANCELED USER
  # A price near the last index ends it.
  index 60100
  shows pending 0 restriction none status TRADING
  anna buy 0.01 @ 59000 -> NEW
  `,
);

scenario(
  'PRC-2b the confirmation of the jump ends the restriction, and the breaker follows',
  `
  market BTCUSDT
  credit anna 10000
  index 60000
  index 48000
  prices sim=48000 after 1000
  shows pending 2 restriction stale
  anna buy 0.01 @ 47000 -> priceUnavailable
  prices sim=48000 after 1000
  shows index 48000 pending 0 restriction breaker
  anna buy 0.01 @ 47000 IOC -> marketReduceOnly
  `,
);

scenario(
  'PRC-2b when the source falls silent after a jump, the market stays reduce-only',
  `
  market BTCUSDT
  credit anna 10000
  index 60000
  index 48000
  after 20000
  shows pending 1 restriction stale age 20250
  anna buy 0.01 @ 59000 -> priceUnavailable
  index 60000
  shows restriction none
  `,
);

scenario(
  'PRC-2b PRC-2a the jump of one of several sources makes the market reduce-only while it lasts',
  `
  market BTCUSDT indexSources a:1,b:1
  credit anna 10000
  prices a=60000 b=60000
  prices a=60000 b=90000
  shows pending 1 restriction stale status CLOSE
  anna buy 0.01 @ 59000 -> priceUnavailable
  # However often it says so, it is not believed.
  prices a=60000 b=90000 after 1000
  prices a=60000 b=90000 after 1000
  prices a=60000 b=90000 after 1000
  shows index 60000 pending 2 restriction stale
  prices a=60000 b=60100
  shows index 60050 pending 0 restriction none status TRADING
  anna buy 0.01 @ 59000 -> NEW
  # First one, then the other: confirmed, and the breaker takes over.
  prices b=90000
  shows index 60050 pending 1 restriction stale
  prices a=90000
  shows index 90000 pending 0 restriction breaker
  `,
);
