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
  'SYM-1 the market shows the stricter of its status and its price state',
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

scenario(
  'SYM-1 every status can follow every other, and prices are accepted in each',
  `
  market BTCUSDT status HALT
  index 60000
  shows status HALT restriction none index 60000 mark 60000 live false
  change status TRADING
  shows status TRADING live true
  change status CLOSE
  shows status CLOSE live true
  change status HALT
  index 61000
  shows status HALT mark 61000
  change status CLOSE
  change status TRADING
  change status HALT
  change status TRADING
  shows status TRADING
  `,
);

scenario(
  'SYM-1 a change of terms keeps the status, and a change of the status keeps the terms',
  `
  market BTCUSDT
  index 60000
  change status HALT
  change maxLeverage 40
  shows status HALT maxLeverage 40
  change status TRADING
  shows status TRADING maxLeverage 40
  `,
);

// Anna's maintenance margin is 590 at 59000; her equity is 1400 − 24 (fees) − 1000 = 376.
const fallen = `
  market BTCUSDT
  credit anna 1400
  credit ben 100000
  index 60000
  anna leverage 50
  anna buy 1 @ 60000
  ben sell 1 @ 60000
  ben buy 1 @ 58900
  change status HALT
  index 59000
  index 59000
  shows mark 59000
  # Nothing is liquidated in HALT.
  events liquidationFlagged 0
`;

scenario(
  'SYM-1 LIQ-5 the end of HALT tests every account that fell meanwhile, in the same command',
  `
  ${fallen}
  after 5000
  change status TRADING
  # Flagged, closed by Ben's bid, and without a position no longer flagged.
  events liquidationFlagged 2
  anna has position 0
  `,
);

scenario(
  'SYM-1 LIQ-5 a change from HALT to CLOSE tests too, and positions are closed in a closed market',
  `
  ${fallen}
  change status CLOSE
  events liquidationFlagged 2
  anna has position 0
  `,
);

scenario(
  'SYM-1 LIQ-5 PRC-2 after HALT without a price of the last 5 s the test waits for the next price',
  `
  ${fallen}
  after 5001
  change status TRADING
  anna has position 1
  events liquidationFlagged 0
  index 59000
  events liquidationFlagged 2
  anna has position 0
  `,
);

scenario(
  'SYM-1 a change of terms in HALT, or HALT again, liquidates no account',
  `
  ${fallen}
  change maxLeverage 49
  change status HALT
  events liquidationFlagged 0
  `,
);

scenario(
  'SYM-1 LIQ-5 a change in a market that is not halted liquidates no account, whatever its price',
  `
  market BTCUSDT
  credit anna 1400
  credit ben 100000
  index 60000
  anna leverage 50
  anna buy 1 @ 60000
  ben sell 1 @ 60000
  drift 59000
  change maxLeverage 49
  change status CLOSE
  events liquidationFlagged 0
  anna has position 1
  `,
);

scenario(
  'OPS-2 LIQ-1 a lowered rate counts at the next price, a raised one at the first price of its day',
  `
  market BTCUSDT maintenanceMarginRate 0.015
  credit anna 2388
  credit ben 100000
  index 60000
  anna leverage 50
  anna buy 1 @ 60000
  ben sell 1 @ 60000
  # Equity 2388 - 12 (fee) - 1500: 876 against 877.5 at 58500 would fail at 1.5 %, 585 at 1 % holds.
  change maintenanceMarginRate 0.01
  index 58500
  events liquidationFlagged 0
  change maintenanceMarginRate 0.015
  after 86400000
  # The rate alone liquidates no account: there is no price.
  shows maintenanceRate 1500000
  events liquidationFlagged 0
  steady 58500 for 3000
  events liquidationFlagged 1
  `,
);
