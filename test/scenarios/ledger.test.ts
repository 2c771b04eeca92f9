// The rows of an account's ledger (BAL-3) where others pay for somebody: row by row, as its owner
// would read them. That they sum up to the balance is seen of every account after every step of
// every scenario, and in the storms.

import { scenario } from './scenario.ts';
import { fallenMean, free, shortsOfTwoPrices } from './stages.ts';

scenario(
  'BAL-3 LIQ-4 the rows of a bankrupt account and of those who share its deficit sum up to their balances',
  `
  # Anna long 0.1 from 60000 with 400, Ben short 0.05 from 60000 and 0.05 bought back at 57000, Cleo
  # short 0.05 from 57000. At 54000, by her ETH, Cleo cannot be closed at Anna's 56000.
  ${shortsOfTwoPrices}
  tick BTCUSDT=54000 ETHUSDT=2875
  # -200 at 56000, then -300 at 54000, of which 100 are not there and come back as covered.
  rows anna 400 -200 -300 100
  covered anna 0 100 0
  rows ben 10000 150 200 -57.142858
  rows cleo 190 150 -42.857142
  anna has balance 0
  ben has balance 10292.857142
  cleo has balance 297.142858
  `,
);

scenario(
  'BAL-3 LIQ-3 fund, winners and shortfall together are one row of the loser with balance 0',
  `
  # Delivered at 54050, Anna, long 0.1 from 59000 with 130, is 365 short: 100 of the fund, 50 that
  # Ben has, 198 of Dora's profit, and 17 stay unpaid.
  ${fallenMean(
    'credit anna 130\n  credit ben 9703\n  credit dora 10000\n  credit cleo 10000\n  insurance 100',
    'ben leverage 50 ETHUSDT\n  ben buy ETHUSDT 50 @ 3000\n  cleo sell ETHUSDT 50 @ 3000',
  )}
  after 1250
  tick BTCUSDT=59000 ETHUSDT=2801
  shared ben 50 dora 198
  covered anna 100 248 17
  rows anna 130 -495 365
  rows ben 9703 297 -50 -9950
  rows dora 10000 198 -198
  funds insurance 0 shortfall 17
  `,
);

scenario(
  'BAL-3 FUND-3 a payer short of money has a row of what it paid, and the fund has one of the rest',
  `
  # 600 are owed: 120.6 are there and 100 of the profit of ETH. The fund has 50, the receivers share
  # what is missing: 600 x 270.6 / 600.
  market BTCUSDT ${free} fundingFactor 0.1 maxFundingRate 0.1
  market ETHUSDT ${free} fundingFactor 0
  credit anna 180.9
  credit mm 10000
  house mm
  insurance 50
  tick BTCUSDT=60000 ETHUSDT=3000
  anna leverage 50
  anna leverage 50 ETHUSDT
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  anna buy ETHUSDT 1 @ 3000
  mm sell ETHUSDT 1 @ 3000
  tick BTCUSDT=60000 ETHUSDT=3100
  funding whole
  helped anna 50
  paid anna -280.9 mm 330.9
  rows anna 180.9 100 -280.9
  # Left with nothing, both positions end at their mark.
  deleveraged anna mm 0.1@60000 anna mm 1@3100
  anna has balance 0
  funds insurance 0 shortfall 0
  `,
);
