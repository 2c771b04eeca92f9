// Fills that the fill check decides by more than their own market: others whose price is late
// (MAR-4c), and money besides an isolated position that covers its funding (FUND-1d).

import { scenario } from './scenario.ts';
import { free, hourly } from './stages.ts';

scenario(
  'MAR-4c a position that is closed below a late mark leaves the gap margin of the others',
  `
  # 649.9 are left: 6000 of ETH, late too, need 600 and 60.
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit anna 650
  credit ben 100000
  index 60000
  index ETHUSDT 3000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy ETHUSDT 2 @ 3000
  ben sell ETHUSDT 2 @ 3000
  after 5001
  ben buy 0.1 @ 59999
  anna sell 0.1 @ 59999 IOC -> marginInsufficient
  # With ten more it may.
  credit anna 10.1
  anna sell 0.1 @ 59999 IOC -> FILLED
  `,
);

scenario(
  'FUND-1d an isolated position that opens above the mark may owe what the account has available',
  `
  # Half an hour of 90 % on 6000 are 2700, far more than the collateral of 300.
  after 399750
  market BTCUSDT ${hourly} maxFundingRate 0.9 fundingFactor 0.9
  credit anna 10000
  credit mm 1000000
  house mm
  index 60000
  anna mode isolated
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  steady 60000 for 1800000 every 60000
  mm sell 0.001 @ 60010
  anna buy 0.001 @ 60010 -> FILLED
  `,
);
