// The effects of a liquidation on everything else (LIQ-1): what a flagged account may not do, what
// its fills are to makers, volumes, open interest and the mark.

import { scenario } from './scenario.ts';
import { free } from './stages.ts';

/** Anna long 0.1 from 60000 with 400, at 56500 with 50 of 56.5, and without bids. */
const flagged = `
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit anna 400
  credit ben 10000
  credit cleo 10000
  tick BTCUSDT=60000 ETHUSDT=3000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna trigger buy ETHUSDT 0.01 STOP_MARKET stop 3001 id stop
  anna trigger sell 0.1 STOP_MARKET stop 56400 reduceOnly id out
  index 56500
  anna has flagged yes position 0.1
`;

scenario(
  'LIQ-1 marginInsufficient: a flagged account opens nothing in any market, with any kind of order',
  `
  ${flagged}
  anna buy ETHUSDT 0.01 @ 2900 -> marginInsufficient
  anna sell ETHUSDT 0.01 @ 3100 -> marginInsufficient
  anna sell 0.101 @ 57000 -> marginInsufficient
  cleo sell ETHUSDT 1 @ 3000
  anna buy ETHUSDT 0.01 market -> marginInsufficient
  anna buy ETHUSDT 0.01 @ 3000 IOC -> marginInsufficient
  anna test buy ETHUSDT 0.01 @ 2900 -> marginInsufficient
  `,
);

scenario(
  'LIQ-1 TRG-2 an opening trigger of a flagged account fails when it fires, a reducing one works',
  `
  ${flagged}
  ben sell ETHUSDT 1 @ 3001
  index ETHUSDT 3001
  anna trigger stop status FAILED failure marginInsufficient
  # At 56400 neither the liquidation nor the stop finds an order; the stop waits (TRG-8).
  index 56400
  anna trigger out status NEW failure counterpartyMissing
  anna has position 0.1 flagged yes
  `,
);

scenario(
  'LIQ-1 a flagged account may place and modify reducing orders, and its liquidation cancels them',
  `
  ${flagged}
  anna sell 0.1 @ 57000 id target
  anna modify target 0.05 @ 57100
  anna modify target 0.101 @ 57100 -> marginInsufficient
  anna order target open 0.05 price 57100
  index 56500
  anna order target status CANCELED reason LIQUIDATION
  `,
);

scenario(
  'LIQ-1 MAR-8 a flagged account withdraws nothing, and a deposit can end its flag',
  `
  # 1.2 x 56.5 = 67.8: 17.8 are missing.
  ${flagged}
  anna has withdrawable 0
  anna withdraw 0.000001 -> balanceInsufficient
  credit anna 17.799999
  index 56500
  anna has flagged yes
  credit anna 0.000001
  index 56500
  flags anna no
  credit anna 1000
  anna buy ETHUSDT 0.01 @ 2900 -> NEW
  `,
);

scenario(
  'LIQ-1 PRC-3 a tripped breaker stops no liquidation',
  `
  # 60000 to 54000 is just not more than 10 %, 60000 to 53990 is. At 54000 Anna has 740 - 600 of 54;
  # the breaker trips with the tick at which she falls, at 53100: 50 of 53.1. Sold at 53050: 45,
  # less 26.525.
  market BTCUSDT ${free}
  credit anna 740
  credit ben 10000
  credit cleo 10000
  index 60000
  anna leverage 50
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  cleo buy 0.1 @ 53050
  index 54000
  shows restriction none
  index 53100
  shows restriction breaker
  liquidated anna cleo 0.1@53050
  anna has balance 18.475
  `,
);

scenario(
  'LIQ-1 MAR-3 BAL-4 the maker of a liquidation gets no rebate, because no fee is collected',
  `
  market BTCUSDT makerFee -0.0002 takerFee 0.0005
  credit anna 400
  credit ben 10000
  credit cleo 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  # 1.2 of Ben's 3.
  anna has balance 401.2
  cleo buy 0.1 @ 56400
  index 56450
  liquidated anna cleo 0.1@56400
  cleo has balance 10000
  funds feeRevenue 1.8
  `,
);

scenario(
  'LIQ-1 MAR-6 a liquidation counts only in the volume of its maker, a deleveraging in none',
  `
  ${flagged}
  cleo buy 0.05 @ 56400
  index 56500
  liquidated anna cleo 0.05@56400
  # The fee is 11.1 (LIQ-3c). At 55900 the rest has 400 - 180 - 11.1 - 205 = 3.9 of 27.95: 55900 - 78,
  # against Ben.
  index 55900
  deleveraged anna ben 0.05@55822
  after 86400000
  anna has volume 6000
  ben has volume 6000
  cleo has volume 2820
  `,
);

scenario(
  'PRC-1 LIQ-1 the print of a liquidation is a trade, but does not count in the mark',
  `
  # Bid 56000, ask 57400: the middle is 200 above the index; after 75 s the premium is a third of
  # it. The last regular trade, 60000, puts the book at 57400; with the print of 56000 the mark were
  # 56500.
  ${flagged}
  cleo buy 0.2 @ 56000
  index 56500
  liquidated anna cleo 0.1@56000
  trades 0.1@60000 0.1@56000
  shows last 56000 lastRegular 60000
  ben sell 0.1 @ 57400
  after 74750
  index 56500
  mark 56566.7
  `,
);

scenario(
  'FUND-1 OI-1 liquidations, takeovers and deleveragings reduce the open interest',
  `
  market BTCUSDT ${free} liquidationFeeRate 0
  credit anna 7.2
  credit ben 10000
  insurance 1000
  index 60000
  anna leverage 50
  anna buy 0.004 @ 60000
  ben sell 0.004 @ 60000
  openInterest 0.004 0.004
  index 58400
  takenOver anna 0.004@58200
  # The fund is not counted.
  openInterest 0 0.004
  `,
);
