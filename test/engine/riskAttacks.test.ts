// Ways of an account to make others pay, found by attacking the engine: each was possible once.

import { scenario } from '../scenarios/scenario.ts';

scenario(
  'ORD-4b MAR-7 attack: an isolated position that trades with itself far from the mark leaves no deficit',
  `
  # Anna is long 0.1 from 60000 with 1020 of collateral. In an empty book she bids 69000, 9000 above
  # the mark, and sells to herself there: 900 would go to available, and what she bought anew would
  # have 138 of collateral and be 900 down.
  market BTCUSDT makerFee 0 takerFee 0 liquidationFeeRate 0
  credit anna 2000
  credit ben 10000
  insurance 1000000
  index 60000
  anna mode isolated
  anna leverage 50
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000 -> FILLED
  anna collateral +900
  anna buy 0.1 @ 69000 id bid -> NEW
  anna sell 0.1 @ 69000 stp NONE -> NEW
  anna order bid status CANCELED reason SELF_TRADE
  anna has position 0.1 collateral 1020 equity 2000
  index 60000
  anna has position 0.1 equity 2000
  fund has balance 1000000
  `,
);
