// What an account owes of funding stays when it loses money (FUND-1d): with each attack the honest
// trader whom the rule must serve. The scenarios wait until 09:00; the interval is an hour.

import { scenario } from './scenario.ts';

/** Eve is long 10 against the house. Ava is long 3, and Bob, the same person, short 3: 0.625 %. */
const pair = (mode = 'cross') => `
  after 399750
  market BTCUSDT makerFee 0 takerFee 0 fundingIntervalHours 1
  insurance 1000000
  credit ava 3700
  credit bob 100000
  credit eve 1000000
  credit mm 1000000
  house mm
  index 60000
  mm sell 10 @ 60000
  eve buy 10 @ 60000 -> FILLED
  ava mode ${mode}
  ava leverage 50
  bob sell 3 @ 60000
  ava buy 3 @ 60000 -> FILLED
  steady 60000 for 3590000 every 10000
`;

scenario(
  'FUND-1d attack: no payer closes at a loss to its friend and leaves its funding unpaid',
  `
  # Ava owes 3 x 60000 x 0.625 %. Without the rule she sells at 58800: Bob has her 3600, and the house
  # gets less of its 7875, because Bob is paid his share of what Ava does not pay.
  ${pair()}
  bob buy 3 @ 58800
  ava sell 3 @ 58800 -> marginInsufficient
  bob cancelAll
  bob buy 3 @ 59150
  ava sell 3 @ 59150 -> FILLED
  ava has position 0 equity 1150
  prices sim=60000 after 10000
  wealth ava bob 103700
  `,
);

scenario(
  'FUND-1d attack: nor does it lose its money in another market',
  `
  ${pair()}
  market ETHUSDT makerFee 0 takerFee 0
  index 3000 ETHUSDT
  ava leverage 50 ETHUSDT
  ava sell 3 @ 60000
  bob buy 3 @ 60000 -> FILLED
  ava has position 0 equity 3700
  bob sell 20 @ 3100 ETHUSDT
  ava buy 20 @ 3100 ETHUSDT -> marginInsufficient
  `,
);

scenario(
  'FUND-1d MAR-7 attack: isolated, what available does not pay stays in the position',
  `
  ${pair('isolated')}
  bob buy 3 @ 58800
  ava sell 3 @ 58800 -> marginInsufficient
  `,
);

scenario(
  'FUND-1d at the mark or better a trader closes whatever it owes',
  `
  ${pair()}
  bob buy 3 @ 60000
  drift 59100
  ava has equity 1000
  ava sell 3 @ 59100 -> FILLED
  `,
);

scenario(
  'FUND-1d LIQ-2 attack: a liquidation gives a friend nothing of what its account owes',
  `
  # At 59050 Ava has 850 of 1771.5 and owes 1097. Without the rule her bankruptcy price is 58766.7, and
  # Bob's bid at 58800 takes 750 of the 850. With it the step closes at the mark.
  ${pair()}
  bob buy 3 @ 58800
  index 59050
  liquidated
  takenOver ava 3@59050
  ava has position 0 equity 850
  `,
);
