// Somebody with two accounts knows, in the hour before a delivery, at which price it will settle,
// and that the mark is different. settlement.test.ts describes deliveries.

import { scenario } from './scenario.ts';

const feeless = 'makerFee 0 takerFee 0 liquidationFeeRate 0 fundingFactor 0';

/** Ava, long 1, and Bob, short 1 from 66000, are the same person. */
const late = (mode: string) => `
  market BTCUSDT ${feeless}
  market ETHUSDT ${feeless} priceBand 0.99
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
 * The market falls to 54000 and comes back at the end of the hour; then the operator closes it, and
 * until the next tick its mark is what it was: Ava is 660 down at the mark, and another 10997.7 at
 * the mean so far.
 */
const closing = `
  index 60000
  steady 54000 for 38000
  index 59400
  index 65340
  change status CLOSE deliveryTime 1760000040000
  # 66000 for 0.5 s, 60000 for 1 s, 54000 for 37.25 s, 59400 for 0.25 s.
  shows settlement 54342.3
`;

scenario(
  'MAR-4d MAR-7b attack: no account removes collateral that the delivery of the position will cost',
  `
  # 1306.8 would have stayed, the margin at the mark, and the rest would have been the fund's to pay to
  # Bob. 16320 - 660 - 10997.7 - 653.4 may go.
  ${late('isolated')}
  ava collateral +15000
  bob collateral +15000
  ${closing}
  # Of whom it favours nothing is asked.
  bob collateral -15000
  ava collateral -4008.900001 -> balanceInsufficient "max":4008900000
  ava collateral -4008.9
  after 1000
  index 65340
  # And 65340 for 0.75 s.
  settled 54549.8
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
  ava withdraw 4008.900001 -> balanceInsufficient "max":4008900000
  ava withdraw 4008.9
  after 1000
  index 65340
  # And 65340 for 0.75 s.
  settled 54549.8
  funds insurance 100000 shortfall 0
  `,
);

scenario(
  'MAR-4d MAR-8 the delivery of an isolated position keeps back no other money of its account',
  `
  market BTCUSDT ${feeless}
  credit ava 30000
  credit bob 40000
  index 66000
  ava mode isolated
  ava leverage 50
  index 60000
  steady 54000 for 38000
  index 59400
  ava buy 1 @ 59400
  bob sell 1 @ 59400
  index 65340
  change status CLOSE deliveryTime 1760000040000
  shows settlement 54267.1
  # Of a cross account 653.4 of maintenance and 65340 - 54267.1 would stay.
  ava has equity 35940 collateral 1188 available 28812 withdrawable 28812
  `,
);

scenario(
  'MAR-4d MAR-4c attack: no account loses to another what the delivery of its position will cost',
  `
  # 4008.9 less the maintenance of 2 ETH are 3948.9.
  ${late('cross')}
  ${closing}
  index 3000 ETHUSDT
  bob sell 2 @ 4974.46 ETHUSDT
  ava buy 2 @ 4974.46 IOC ETHUSDT -> marginInsufficient
  bob cancelAll ETHUSDT
  bob sell 2 @ 4974.45 ETHUSDT
  ava buy 2 @ 4974.45 IOC ETHUSDT -> FILLED
  after 1000
  index 65340
  # And 65340 for 0.75 s.
  settled 54549.8
  funds insurance 100000 shortfall 0
  `,
);

scenario(
  'MAR-4d attack: an older bid cannot buy at the mark a position that the delivery price ruins',
  `
  # Eve's bid would buy at 65340 what settles 10997.7 lower, with 2000; with what that takes it may.
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
