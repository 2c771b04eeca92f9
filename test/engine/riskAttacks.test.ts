// Ways to make others pay, and one to stop the exchange, found by attacking the engine; each was
// possible once.

import { scenario } from '../scenarios/scenario.ts';

const feeless = 'makerFee 0 takerFee 0 liquidationFeeRate 0 fundingFactor 0';

scenario(
  'ORD-4b MAR-7 attack: an isolated position that trades with itself leaves no deficit',
  `
  # Anna is long 0.1 from 60000 with 1020 of collateral. In an empty book she bids 69000, 9000 above
  # the mark, and sells to herself there: 900 would go to available, and what she bought anew would
  # have 138 of collateral and be 900 down.
  market BTCUSDT ${feeless} priceBand 0.2
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
  `,
);

/** Anna is long 1 from 60000 with 61000 in all; 42000 will be believed with its third tick. */
const held = (mode: string) => `
  market BTCUSDT ${feeless}
  credit anna 61000
  credit ben 100000
  insurance 100000
  index 60000
  anna mode ${mode}
  anna leverage 50
  ben sell 1 @ 60000
  anna buy 1 @ 60000 -> FILLED
`;

scenario(
  'MAR-8c attack: while a jump is unconfirmed no account withdraws what it will cost',
  `
  # 6000 would have stayed for a loss of 18000.
  ${held('cross')}
  anna has withdrawable 55000
  index 42000
  shows index 60000 pending 1
  anna withdraw 0.000001 -> balanceInsufficient "max":0
  prices sim=42000 after 1000
  prices sim=42000 after 1000
  shows index 42000
  anna has position 1 equity 43000 withdrawable 38800
  `,
);

scenario(
  'MAR-8c MAR-7 isolated: money outside of the positions can be withdrawn during a jump',
  `
  ${held('isolated')}
  index 42000
  shows index 60000 pending 1
  anna has withdrawable 55000
  anna withdraw 55000
  `,
);

scenario(
  'MAR-8c without an index of the last 30 s nothing is withdrawable until the next is accepted',
  `
  ${held('cross')}
  after 30000
  anna has withdrawable 55000
  after 1
  anna withdraw 1 -> balanceInsufficient "max":0
  after 100000
  anna withdraw 1 -> balanceInsufficient "max":0
  ben has withdrawable 0
  index 60000
  anna has withdrawable 0
  prices sim=60000 after 1000
  prices sim=60000 after 1000
  anna has withdrawable 55000
  `,
);

scenario(
  'MAR-7b attack: while a jump is unconfirmed no account removes the collateral that it will cost',
  `
  # Of 51200 she would have kept 50000, and the position would have had 1200 for a loss of 18000.
  ${held('isolated')}
  anna collateral +50000
  index 42000
  shows index 60000 pending 1
  anna collateral -0.000001 -> balanceInsufficient "max":0
  anna collateral +1
  prices sim=42000 after 1000
  prices sim=42000 after 1000
  # 42000 / 50 stay besides the loss of 18000.
  anna collateral -32361.000001 -> balanceInsufficient "max":32361000000
  anna collateral -32361
  `,
);

scenario(
  'MAR-7b on an index older than 5 s a removal leaves maintenance and 10 % of the notional',
  `
  ${held('isolated')}
  anna collateral +50000
  after 5001
  # 600 + 6000 of 51200.
  anna collateral -44600.000001 -> balanceInsufficient "max":44600000000
  anna collateral -44600
  index 60000
  anna collateral -5400
  anna has collateral 1200
  `,
);

scenario(
  'LIQ-5 SYM-2 an account that a delivery ruins is closed in the same tick, in every live market',
  `
  # Anna buys 0.01 BTC at 65000; S is (60000 + 65000) / 2, so that she loses 25 of 25. At once Ben,
  # the only one on the other side, closes her ETH at the mark.
  market BTCUSDT ${feeless}
  market ETHUSDT ${feeless}
  credit anna 25
  credit ben 10000
  tick BTCUSDT=60000 ETHUSDT=3000
  tick BTCUSDT=65000 ETHUSDT=3000 after 19875
  anna leverage 50 BTCUSDT
  anna leverage 50 ETHUSDT
  ben sell BTCUSDT 0.01 @ 65000
  anna buy BTCUSDT 0.01 @ 65000 -> FILLED
  ben sell ETHUSDT 0.1 @ 3000
  anna buy ETHUSDT 0.1 @ 3000 -> FILLED
  change BTCUSDT status CLOSE deliveryTime 1760000040000
  tick ETHUSDT=3000 after 19625
  tick BTCUSDT=65000
  settled BTCUSDT 62500
  delivered ben 25 anna -25
  deleveraged anna ben 0.1@3000
  anna has equity 0 position 0 ETHUSDT flagged no
  funds shortfall 0
  `,
);
