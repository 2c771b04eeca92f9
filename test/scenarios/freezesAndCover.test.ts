// Freezes of open orders and the cover that a position gives to orders against it (MAR-1).

import { scenario } from './scenario.ts';

const start = `
  market BTCUSDT
  credit anna 10000
  credit ben 100000
  credit cleo 100000
  index 60000
`;

scenario(
  'MAR-1 an order freezes opening x price / leverage x 1.005',
  `
  # 6000 / 20 x 1.005 = 301.5 and 5900 / 20 x 1.005 = 296.475
  ${start}
  anna buy 0.1 @ 60000 id x
  anna order x freeze 301.5 cover 0
  anna sell 0.1 @ 61000 id y
  # Both sides are open orders: 6100 / 20 x 1.005 = 306.525
  anna has freezes 608.025 available 9391.975
  anna cancel x
  anna has freezes 306.525 available 9693.475 balance 10000
  `,
);

scenario(
  'MAR-1 UNIT-3 a freeze is rounded up',
  `
  # 7.001 x 1.003 = 7.022003; x 1005 / 20000 = 0.35285565...
  market DUSTUSDT
  credit anna 10
  index 1
  anna buy 7.001 @ 1.003 id x
  anna order x freeze 0.352856
  anna has available 9.647144 freezes 0.352856
  `,
);

scenario(
  'MAR-1 marginInsufficient: an order whose freeze exceeds available is not accepted',
  `
  # 301.5 to freeze; of a balance of 602.99 another 301.5 are frozen already.
  market BTCUSDT makerFee 0
  credit anna 602.99
  index 60000
  anna buy 0.1 @ 60000 -> NEW
  anna sell 0.1 @ 60000.1 -> marginInsufficient
  credit anna 0.02
  # 6000.01 / 20 x 1.005 = 301.5005025, up to 301.500503: a hundredth of a cent and still enough.
  anna sell 0.1 @ 60000.1 id y -> NEW
  anna order y freeze 301.500503
  anna has available 0.009497
  `,
);

scenario(
  'MAR-1 the crossing part freezes at its fill price, and the rest at the limit',
  `
  # 0.1 fills at 59000 (295 of collateral, 2.95 fee), 0.1 rests at 60000 (301.5).
  ${start}
  ben sell 0.1 @ 59000
  anna buy 0.2 @ 60000 -> PARTIALLY_FILLED
  anna has freezes 301.5 collateral 295 balance 9997.05 available 9400.55
  `,
);

scenario(
  'MAR-1 IOC and MARKET freeze only what they will fill',
  `
  # Ten BTC would freeze 30150; the book has 0.1: 301.5 of Anna's 320, and 3 of fee.
  market BTCUSDT
  credit anna 320
  credit ben 10000
  index 60000
  ben sell 0.1 @ 60000
  anna buy 10 @ 60000 IOC -> CANCELED IOC
  anna has position 0.1 collateral 300 available 17
  ben buy 0.1 @ 60000
  anna sell 0.1 market reduceOnly
  ben sell 0.1 @ 60000
  anna buy 10 market -> CANCELED MARKET
  # Three fees of 3.
  anna has position 0.1 balance 311 available 11
  `,
);

scenario(
  'MAR-1 a MARKET freezes its whole opening part at the worst price of its fills',
  `
  # 0.1 at 60000 and 0.1 at 60600. LIMIT: 301.5 + 304.515 = 606.015. MARKET: 0.2 x 60600 / 20 x
  # 1.005 = 609.03. The loss against the mark is 60 and the fees 3 + 3.03, so by MAR-4 the MARKET
  # needs 675.06 and the LIMIT 672.045.
  market BTCUSDT
  credit ben 10000
  index 60000
  ben sell 0.1 @ 60000
  ben sell 0.1 @ 60600
  credit anna 675.05
  anna buy 0.2 market -> marginInsufficient
  anna test buy 0.2 @ 60600 IOC -> accepted
  credit cleo 672.045
  cleo test buy 0.2 @ 60600 IOC -> accepted
  credit anna 0.01
  anna buy 0.2 market -> FILLED
  # 0.2 at 60300 on average: 603 of collateral; what was frozen above the fills is back.
  anna has collateral 603 freezes 0 balance 669.03 available 66.03
  `,
);

scenario(
  'MAR-1 MAR-1b the opposite position covers closing orders, oldest first, each unit once',
  `
  # Long 1. The first ask of 0.6 is covered, the second has 0.4 of cover and freezes for 0.2:
  # 12400 / 20 x 1.005 = 623.1. A reduceOnly order takes no cover. When the first goes, its cover
  # goes to the second.
  ${start}
  anna buy 1 @ 60000
  ben sell 1 @ 60000
  anna sell 0.6 @ 61000 id s1
  anna sell 1 @ 61500 reduceOnly
  anna sell 0.6 @ 62000 id s2
  anna order s1 cover 0.6 freeze 0
  anna order s2 cover 0.4 freeze 623.1
  anna cancel s1
  anna order s2 cover 0.6 freeze 0
  anna has freezes 0
  `,
);

scenario(
  'MAR-1 when the position shrinks, cover is taken from the newest first',
  `
  # Long 1, asks of 0.6 and 0.4, all covered. Selling 0.3 at the market leaves 0.7: the newer ask
  # keeps 0.1 and freezes for 0.3: 18600 / 20 x 1.005 = 934.65.
  ${start}
  anna buy 1 @ 60000
  ben sell 1 @ 60000
  anna sell 0.6 @ 61000 id s1
  anna sell 0.4 @ 62000 id s2
  anna has freezes 0
  cleo buy 0.3 @ 60000
  anna sell 0.3 @ 60000 -> FILLED
  anna order s1 cover 0.6 freeze 0
  anna order s2 cover 0.1 freeze 934.65
  # A fill of the older one serves its cover and takes none from the newer.
  cleo buy 0.6 @ 61000
  anna has position 0.1
  anna order s2 cover 0.1 freeze 934.65
  `,
);

scenario(
  'MAR-1 the cover of an incoming order serves the lots filled first',
  `
  # Long 0.1 against 0.3 sold in two fills of 0.1 and a rest of 0.1: the first fill is covered, the
  # second opens (300 collateral), the rest freezes 301.5.
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  cleo buy 0.1 @ 60000
  ben buy 0.1 @ 60000
  anna sell 0.3 @ 60000 -> PARTIALLY_FILLED
  anna has position -0.1 collateral 300 freezes 301.5
  `,
);

scenario(
  'MAR-1 orders that cannot be frozen are cancelled, oldest first, and cover is assigned after each',
  `
  # Anna is long 1 with 8000, fee 12. At leverage 1 she asks 0.6 at 61000 and 0.4 at 62000, both
  # covered. Selling 0.6 leaves 0.4 long: the older ask keeps 0.4 of cover and would freeze
  # 0.2 x 61000 x 1.005 = 12261, the newer 0.4 x 62000 x 1.005. She has 6770. The older goes; its
  # cover serves the newer whole, which stays.
  market BTCUSDT
  credit anna 8000
  credit ben 100000
  index 60000
  anna buy 1 @ 60000
  ben sell 1 @ 60000
  anna leverage 1
  anna sell 0.6 @ 61000 id s1
  anna sell 0.4 @ 62000 id s2
  anna leverage 20
  ben buy 0.6 @ 60000
  anna sell 0.6 @ 60000 -> FILLED
  anna order s1 status CANCELED reason MARGIN
  anna order s2 status NEW cover 0.4 freeze 0
  # 8000 - 12 - 18; 1200 of collateral
  anna has balance 7970 collateral 1200 available 6770 freezes 0
  `,
);

scenario(
  'MAR-1 every order that lost its cover freezes or is cancelled, also after a cancelled one',
  `
  # Two asks at leverage 1 lose their cover at once: the older would freeze 3660 x 1.005 = 3678.3, the
  # newer 2480 x 1.005 = 2492.4. Fees are 1.2 and 3, so Anna has exactly 2492.4 for them: the older
  # goes, the newer stays. Cleo has a millionth less: both go.
  market BTCUSDT
  credit anna 2496.6
  credit ben 100000
  credit cleo 2496.599999
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  cleo buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna leverage 1
  anna sell 0.06 @ 61000 id s1
  anna sell 0.04 @ 62000 id s2
  cleo leverage 1
  cleo sell 0.06 @ 61000 id s1
  cleo sell 0.04 @ 62000 id s2
  anna has freezes 0
  ben buy 0.2 @ 60000
  anna sell 0.1 @ 60000 reduceOnly -> FILLED
  anna order s1 status CANCELED reason MARGIN
  anna order s2 status NEW cover 0 freeze 2492.4
  anna has available 0 balance 2492.4
  cleo sell 0.1 @ 60000 reduceOnly -> FILLED
  cleo order s1 status CANCELED reason MARGIN
  cleo order s2 status CANCELED reason MARGIN
  cleo has available 2492.399999
  `,
);

scenario(
  'MAR-1 when a position flips, money that new cover frees pays for the side that lost its cover',
  `
  # Anna is short 0.1 with a covered bid of 0.1 at 59000 and an ask of 0.1 at 61000 that freezes
  # 6100 x 1.005 = 6130.5, both at leverage 1. Buying 0.2 at leverage 50 turns her to long 0.1:
  # the bid now needs 5900 x 1.005 = 5929.5, the ask is covered and gives its 6130.5 back. Without
  # that she would have 742.3 for the bid, with it 6872.8.
  market BTCUSDT
  credit anna 7000
  credit ben 100000
  index 60000
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000
  anna leverage 1
  anna buy 0.1 @ 59000 id bid
  anna sell 0.1 @ 61000 id ask
  anna order bid cover 0.1 freeze 0
  anna order ask cover 0 freeze 6130.5
  anna leverage 50
  ben sell 0.2 @ 60000
  anna buy 0.2 @ 60000 -> FILLED
  anna has position 0.1 collateral 120 balance 6992.8
  anna order bid status NEW cover 0 freeze 5929.5
  anna order ask status NEW cover 0.1 freeze 0
  anna has available 943.3 freezes 5929.5
  `,
);

scenario(
  'MAR-1 a modified order counts as the newest for cover',
  `
  ${start}
  anna buy 1 @ 60000
  ben sell 1 @ 60000
  anna sell 0.6 @ 61000 id s1
  anna sell 0.6 @ 62000 id s2
  anna modify s1 0.6 @ 61000
  anna order s2 cover 0.6 freeze 0
  # 0.2 x 61000 / 20 x 1.005
  anna order s1 cover 0.4 freeze 613.05
  `,
);

scenario(
  'MAR-1 a modify is checked against the sum of all freezes of its side',
  `
  # Long 1. s1 covers itself with the whole position, s2 freezes for 1: 62000 / 20 x 1.005 = 3115.5.
  # 10000 - 12 fee - 3000 collateral leave 3872.5 available. Turned down to the newest, s1 would
  # need 61000 / 20 x 1.005 = 3065.25 and s2 gives back 3115.5: no money is needed at all. Ten
  # times that much is refused.
  ${start}
  anna buy 1 @ 60000
  ben sell 1 @ 60000
  anna sell 1 @ 61000 id s1
  anna sell 1 @ 62000 id s2
  anna has available 3872.5 freezes 3115.5
  anna modify s1 3 @ 61000 -> marginInsufficient
  anna order s1 cover 1 freeze 0
  anna order s2 cover 0 freeze 3115.5
  anna modify s1 1 @ 61000 -> NEW
  anna order s1 cover 0 freeze 3065.25
  anna order s2 cover 1 freeze 0
  anna has available 3922.75
  `,
);

scenario(
  'MAR-1a the second attempt freezes exactly what the fills of the tentative execution need',
  `
  # Anna has 1000 and wants 0.2 up to 70000. A walk of the levels would freeze 301.5 + 351.75; but
  # at the second fill the guard stops her (a loss of 1000 against the mark), so she needs 301.5.
  market BTCUSDT priceBand 0.2
  credit anna 1000
  credit ben 10000
  index 60000
  ben sell 0.1 @ 60000
  ben sell 0.1 @ 70000
  anna buy 0.2 @ 70000 id x -> CANCELED MARGIN
  anna order x filled 0.1 paid 6000
  anna has position 0.1 collateral 300 freezes 0 balance 997
  book bids asks 0.1@70000
  `,
);

scenario(
  'MAR-1a marginInsufficient: the outcome depends on its own freeze and never becomes stable',
  `
  # No fees. Anna, 700, is long 0.1 from 60000; at 54000 her equity is 100. She sells 0.2 into two
  # bids. If the 271.35 for the opening half are frozen, the debit of 600 must use them and cancels
  # her order, which then needed none. If none are frozen, the debit finds enough and the second
  # half fills, which then needed 271.35. Neither can be kept.
  market BTCUSDT makerFee 0 takerFee 0
  credit anna 700
  credit ben 100000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  index 54000
  ben buy 0.1 @ 54000
  ben buy 0.1 @ 54000
  anna sell 0.2 @ 54000 id x -> marginInsufficient
  anna has position 0.1 available 400 collateral 300 equity 100
  `,
);

scenario(
  'MAR-1 UNIT-3 a single lot gives cover, and a single unit beyond cover is frozen',
  `
  # One lot at one tick is one unit of money; the freeze of 0.001 x 0.002, a twentieth of it and a
  # little, is rounded up to one.
  market DUSTUSDT makerFee 0 takerFee 0 minOrderSize 0.000001
  credit anna 1
  credit ben 1
  index 0.001
  anna buy 0.001 @ 0.001
  ben sell 0.001 @ 0.001
  anna sell 0.001 @ 0.002 id x
  anna order x cover 0.001 freeze 0
  ben buy 0.001 @ 0.001
  anna sell 0.001 @ 0.001 IOC -> FILLED
  anna order x cover 0 freeze 0.000001
  anna has position 0 freezes 0.000001
  `,
);
