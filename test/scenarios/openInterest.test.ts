// Open interest as it is counted (FUND-1) and its cap (OI-1).

import { scenario } from './scenario.ts';

const start = `
  market BTCUSDT openInterestCap 60000
  credit anna 100000
  credit ben 100000
  credit cleo 100000
  credit dan 100000
  credit mm 100000
  house mm
  index 60000
`;

scenario(
  'FUND-1 open interest counts each side without internal accounts',
  `
  # At 16:00, where an interval begins.
  after 25599750
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  credit cleo 10000
  index 60000
  anna buy 0.5 @ 60000
  ben sell 0.5 @ 60000
  openInterest 0.5 0.5
  shows fundingRate 0
  # 0.25 of the shorts move to the house: 0.01 x (0.5 - 0.25) / 0.75 = 0.00333333
  cleo sell 0.25 @ 60000
  ben buy 0.25 @ 60000 reduceOnly
  openInterest 0.5 0.5
  house cleo
  openInterest 0.5 0.25
  shows fundingRate 0.00333333
  house ben
  openInterest 0.5 0
  # 0.01 x 0.5 / 0.5
  shows fundingRate 0.01
  house ben off
  house cleo off
  openInterest 0.5 0.5
  `,
);

scenario(
  'FUND-1 the rate is clamped to the floor and the cap of the market, and 0 without open interest',
  `
  after 25599750
  market BTCUSDT fundingFactor 0.03 maxFundingRate 0.004 minFundingRate -0.002
  credit anna 10000
  credit ben 10000
  index 60000
  shows fundingRate 0
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  house ben
  shows fundingRate 0.004
  house ben off
  house anna
  shows fundingRate -0.002
  `,
);

scenario(
  'OI-1 openInterestCapExceeded: open interest at the mark plus opening notional exceeds the cap',
  `
  # 48000 stand; 0.3 at 59000 are 17700 more, 65700 in all. 12000 just fit.
  ${start}
  anna buy 0.8 @ 60000
  mm sell 0.8 @ 60000
  cleo buy 0.3 @ 59000 -> openInterestCapExceeded "current":48000000000 "cap":60000000000 "requestedDelta":17700000000
  cleo buy 0.2 @ 60000 -> NEW
  # MARKET counts at the mark, and the other side has its own figure.
  cleo buy 0.201 market -> openInterestCapExceeded
  cleo sell 0.5 @ 61000 -> NEW
  # The house is not counted and not capped.
  mm buy 5 @ 59000 -> NEW
  `,
);

scenario(
  'OI-1 closing parts are exempt',
  `
  # Both sides stand at the cap. Anna closes 1 and opens nothing; 1.001 would open a lot.
  ${start}
  anna buy 1 @ 60000
  ben sell 1 @ 60000
  mm buy 1 @ 60000
  anna sell 1.001 @ 60000 -> openInterestCapExceeded
  anna sell 1 @ 60000 -> FILLED
  openInterest 0 1
  `,
);

scenario(
  'OI-1 a resting maker that would breach the cap at the fill is cancelled, and matching goes on',
  `
  # Resting orders are no open interest: both bids were accepted. The first fill reaches 60000.
  ${start}
  anna buy 0.8 @ 60000
  mm sell 0.8 @ 60000
  cleo buy 0.2 @ 59000 id c
  dan buy 0.2 @ 59000 id d
  mm buy 0.1 @ 59000
  ben sell 0.5 @ 59000 IOC -> CANCELED IOC
  cleo order c status FILLED
  dan order d status CANCELED reason OI_CAP
  dan has freezes 0
  trades 0.8@60000 0.2@59000 0.1@59000
  openInterest 1 0.3
  `,
);

scenario(
  'OI-1a a taker that would breach the cap at a fill stops there',
  `
  # An ask counts at its limit of 59000 when it is accepted, and at 60300 when it is filled: the
  # first half makes 30150, the second 30000 at the mark + 30150.
  ${start}
  mm buy 0.5 @ 60300
  mm buy 0.5 @ 60300
  ben sell 1 @ 59000 id x -> CANCELED OI_CAP
  ben order x filled 0.5
  book bids 0.5@60300 asks
  `,
);

scenario(
  'FUND-1 MAR-6 an internal account that gets a fee tier stays internal',
  `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  tiers 0:0:0 1000:0.1:0.1
  index 60000
  house ben
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  openInterest 0.1 0
  tier ben 1
  openInterest 0.1 0
  ben has tier 1
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000
  openInterest 0.2 0
  `,
);

scenario(
  'MAR-11 positionLimitExceeded: resting orders count again at the fill, as maker and as taker',
  `
  # A quarter of 60000: 15000 for one account, 0.25 BTC at 60000.
  ${start}
  change accountShareMax 0.25
  # Each bid alone is within it; when the first has filled the second is cancelled.
  anna buy 0.25 @ 60000 id first -> NEW
  anna buy 0.1 @ 59990 id second -> NEW
  ben buy 0.1 @ 59980 id next -> NEW
  cleo sell 0.25 @ 59980 -> FILLED
  dan sell 0.1 @ 59980 -> FILLED
  anna order first status FILLED
  anna order second status CANCELED reason POSITION_LIMIT filled 0
  ben order next status FILLED
  # An ask counts at its limit and fills higher: 12000 and 0.05 at 61000 are 15050.
  mm buy 0.1 @ 61000
  mm buy 0.05 @ 61000
  dan sell 0.15 @ 59000 id ask -> CANCELED POSITION_LIMIT
  dan order ask filled 0.1
  # A modify, and what a trigger places, are bound too; what closes is not.
  ben buy 0.05 @ 50000 id low -> NEW
  ben modify low 0.2 @ 60000 -> positionLimitExceeded
  ben trigger buy 0.2 STOP_MARKET stop 60100 id stop
  anna sell 0.25 @ 62000 -> NEW
  index 60100
  ben trigger stop status FAILED failure positionLimitExceeded
  # The house has no bound.
  mm buy 0.7 @ 50000 -> NEW
  `,
);
