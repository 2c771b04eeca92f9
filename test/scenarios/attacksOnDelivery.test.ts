// Somebody with two accounts knows, in the hour before a delivery, at which price it will settle,
// and that the mark is different. settlement.test.ts describes deliveries.

import { scenario } from './scenario.ts';

const feeless = 'makerFee 0 takerFee 0 liquidationFeeRate 0 fundingFactor 0';

/** Ava, long 1, and Bob, short 1 from 66000, are the same person. */
const late = (mode: string) => `
  market BTCUSDT ${feeless}
  market ETHUSDT ${feeless}
  credit ava 16320
  credit bob 40000
  insurance 100000
  index 66000
  index 3000 ETHUSDT
  ava mode ${mode}
  bob mode ${mode}
  ava leverage 50
  ava leverage 50 ETHUSDT
  ava buy 1 @ 66000
  bob sell 1 @ 66000
  ava has collateral 1320
`;

/**
 * The market will be delivered. It falls to 54000 and comes back at the end of the hour: Ava is 660
 * down at the mark, and another 9892.5 at the mean.
 */
const closing = `
  change status CLOSE deliveryTime 1760000040000
  index 60000
  steady 54000 for 20000
  index 59400
  index 65340
  shows settlement 55447.5
`;

scenario(
  'MAR-4d MAR-7b attack: no account removes collateral that the delivery of the position will cost',
  `
  # 1306.8 would have stayed, the margin at the mark, and the rest would have been the fund's to pay to
  # Bob. 16320 - 660 - 9892.5 - 653.4 may go.
  ${late('isolated')}
  ava collateral +15000
  bob collateral +15000
  ${closing}
  # Of whom it favours nothing is asked.
  bob collateral -15000
  ava collateral -5114.100001 -> balanceInsufficient "max":5114100000
  ava collateral -5114.1
  after 19000
  index 65340
  settled 55447.5
  wealth ava bob 56320
  funds insurance 100000 shortfall 0
  `,
);

scenario(
  'MAR-4d MAR-8 attack: no account withdraws what the delivery of its position will cost',
  `
  # A tenth of the notional, 6534, would be less.
  ${late('cross')}
  ${closing}
  ava withdraw 5114.100001 -> balanceInsufficient "max":5114100000
  ava withdraw 5114.1
  after 19000
  index 65340
  settled 55447.5
  funds insurance 100000 shortfall 0
  `,
);

scenario(
  'MAR-4d MAR-4c attack: no account loses to another what the delivery of its position will cost',
  `
  # 5114.1 less the maintenance of 0.1 ETH.
  ${late('cross')}
  ${closing}
  index 3000 ETHUSDT
  bob sell 0.1 @ 54111.01 ETHUSDT
  ava buy 0.1 @ 54111.01 IOC ETHUSDT -> marginInsufficient
  bob cancelAll ETHUSDT
  bob sell 0.1 @ 54111 ETHUSDT
  ava buy 0.1 @ 54111 IOC ETHUSDT -> FILLED
  after 19000
  index 65340
  settled 55447.5
  funds insurance 100000 shortfall 0
  `,
);

scenario(
  'MAR-4d attack: an older bid cannot buy at the mark a position that the delivery price ruins',
  `
  # Eve's bid would buy at 65340 what settles 9892.5 lower, with 2000; with what that takes it may.
  ${late('cross')}
  credit eve 2000
  eve leverage 50
  eve buy 1 @ 65340 id bid
  ${closing}
  ava sell 1 @ 65340 IOC reduceOnly -> CANCELED IOC
  eve order bid status CANCELED reason MARGIN
  `,
);

scenario(
  'MAR-4d nothing is required before the last hour',
  `
  ${late('isolated')}
  ava collateral +15000
  change status CLOSE deliveryTime 1760003640000
  index 60000
  ava collateral -9120
  index 66000
  ava has collateral 7200
  `,
);
