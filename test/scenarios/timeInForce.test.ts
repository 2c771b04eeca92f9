// Time in force: GTC, IOC, FOK, GTX (spec, semantics 4; ORD-2, ORD-10).

import { scenario } from './scenario.ts';

scenario(
  'ORD-2 IOC: the part that does not trade at once is CANCELED with the reason IOC',
  `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  ben sell 0.1 @ 60000
  anna buy 0.3 @ 60000 IOC id i -> CANCELED IOC
  anna order i filled 0.1 open 0
  book bids asks
  # 3 fee; 300 collateral; nothing stays frozen.
  anna has freezes 0 collateral 300 available 9697
  anna buy 0.3 @ 60000 IOC -> CANCELED IOC
  `,
);

scenario(
  'ORD-2 FOK: the order fills completely or is REJECTED and changes nothing',
  `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  ben sell 0.1 @ 60000
  ben sell 0.1 @ 60010
  anna buy 0.3 @ 60010 FOK -> REJECTED NONE
  anna buy 0.2 @ 60000 FOK -> REJECTED NONE
  trades
  book bids asks 0.1@60000 0.1@60010
  anna has available 10000 freezes 0 position 0
  anna buy 0.2 @ 60010 FOK -> FILLED
  trades 0.1@60000 0.1@60010
  `,
);

scenario(
  'ORD-4 ORD-10 a FOK does not count orders of its own account, and a killed FOK leaves them unchanged',
  `
  # Anna's own ask stands first. Wanting 0.2 she finds only 0.1 of Ben's and is killed; the
  # cancellation of her ask, seen in the trial, has not happened. Wanting 0.1 she loses it.
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna sell 0.1 @ 60000 id own
  ben sell 0.1 @ 60000
  anna buy 0.2 @ 60000 FOK -> REJECTED
  anna order own status NEW
  book bids asks 0.2@60000
  anna buy 0.1 @ 60000 FOK -> FILLED
  anna order own status CANCELED reason SELF_TRADE
  book bids asks
  `,
);

scenario(
  'ORD-2 ORD-10 wouldMatch: a GTX that would cross is rejected, and one that rests reads GTC',
  `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000 GTX -> wouldMatch
  anna buy 0.1 @ 60000.1 GTX -> wouldMatch
  anna buy 0.1 @ 59999.9 GTX id g -> NEW
  anna order g tif GTC
  # Every resting order counts, Anna's own bid too, which she could not trade with.
  anna sell 0.1 @ 59999.9 GTX -> wouldMatch
  anna sell 0.1 @ 60000 GTX -> NEW
  `,
);

scenario(
  'ORD-10 the tentative execution includes the fill check: a FOK that needs a failing maker is killed',
  `
  # Mia has 400 and bids 0.1 at 60000. At 56500 her bid would lose 350: with the fee of 1.2 she
  # would keep 48.8, below the 56.5 of maintenance. Her bid does not count for the FOK, and as the
  # FOK is killed, her bid stays. The IOC for the same takes Dan's bid, and Mia's is cancelled.
  market BTCUSDT
  credit mia 400
  credit dan 1000
  credit cleo 10000
  index 60000
  mia buy 0.1 @ 60000 id m
  index 56500
  dan buy 0.1 @ 56500
  cleo sell 0.2 @ 56500 FOK -> REJECTED
  mia order m status NEW
  cleo sell 0.2 @ 56500 IOC -> CANCELED IOC
  trades 0.1@56500
  mia order m status CANCELED reason MARGIN
  `,
);

scenario(
  'ORD-2 an order keeps the time in force that it was sent with, except GTX',
  `
  market BTCUSDT
  credit anna 10000
  index 60000
  anna buy 0.1 @ 59000 IOC id i -> CANCELED IOC
  anna order i tif IOC
  anna buy 0.1 @ 59000 FOK id f -> REJECTED
  anna order f tif FOK
  `,
);
