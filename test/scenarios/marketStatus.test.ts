// The status of a market (SYM-1).

import { scenario } from './scenario.ts';

const start = `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 59000 id x
  anna buy 0.1 @ 58000 id y
`;

scenario(
  'SYM-1 SYM-1a marketHalted: no new orders and no modifying, while cancels pass',
  `
  ${start}
  change status HALT
  shows status HALT
  anna buy 0.1 @ 59000 -> marketHalted
  anna sell 0.1 @ 61000 reduceOnly -> marketHalted
  ben buy 0.1 market -> marketHalted
  anna modify x 0.1 @ 59500 -> marketHalted
  anna cancel x -> CANCELED USER
  anna cancelAll -> cancelled 1
  anna leverage 10
  change status TRADING
  anna buy 0.1 @ 59000 -> NEW
  `,
);

scenario(
  'SYM-1 marketReduceOnly: CLOSE takes orders that only reduce, cancels, and is reversible',
  `
  ${start}
  change status CLOSE
  shows status CLOSE
  ben sell 0.1 @ 61000 -> marketReduceOnly
  ben buy 0.101 @ 59000 -> marketReduceOnly
  ben buy 0.1 @ 59000 -> NEW
  anna sell 0.1 @ 61000 reduceOnly -> NEW
  # Modifying what would add exposure is refused, what is covered passes.
  anna modify x 0.05 @ 59000 -> marketReduceOnly
  anna cancel x -> CANCELED
  change status TRADING
  ben sell 0.1 @ 61000 -> NEW
  `,
);

scenario(
  'SYM-1 the stricter of the status and the prices is shown',
  `
  market BTCUSDT status CLOSE
  credit anna 1000
  shows status HALT
  anna buy 0.1 @ 60000 -> priceUnavailable
  index 60000
  shows status CLOSE
  anna buy 0.1 @ 60000 -> marketReduceOnly
  `,
);
