// Unpaid amounts (LIQ-4, LIQ-5): who shares them, what becomes shortfall, how it is repaid; and
// that the work of one tick ends only when no account is left without equity. No trading fees, no
// fund.

import { scenario } from './scenario.ts';
import { freeOfFunding } from './stages.ts';

/**
 * Anna long 0.1 from 60000 with 400 is healthy at 57000, where everything opposite is Cleo's: short
 * from 57000, and long ETH from 3000. At 54000 Anna has -200: her price is 56000.
 */
const gap = (cleo: { credit: string; ether: string }) => `
  market BTCUSDT ${freeOfFunding}
  market ETHUSDT ${freeOfFunding}
  credit anna 400
  credit ben 10000
  credit cleo ${cleo.credit}
  tick BTCUSDT=60000 ETHUSDT=3000
  anna leverage 50
  cleo leverage 50
  cleo leverage 50 ETHUSDT
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  cleo buy ETHUSDT ${cleo.ether} @ 3000
  ben sell ETHUSDT ${cleo.ether} @ 3000
  index 57000
  ben buy 0.1 @ 57000
  cleo sell 0.1 @ 57000
`;

scenario(
  'LIQ-4 LIQ-5 a winner gives its profit but never falls below zero, and the rest is shortfall',
  `
  # ETH at 2790: Cleo has 240 + 300 - 420 = 120 and would lose 200 at 56000: skipped. At the mark
  # she closes with a profit of 300. Anna has 400 for a loss of 600: of the 200 that are missing Cleo gives
  # 120, all she has; 80 are shortfall. At nothing, her ETH is closed in the same command, at its
  # mark.
  ${gap({ credit: '240', ether: '2' })}
  tick BTCUSDT=54000 ETHUSDT=2790
  deleveraged BTCUSDT anna cleo 0.1@54000
  shared cleo 120
  covered anna 0 120 80
  deleveraged ETHUSDT cleo ben 2@2790
  anna has balance 0 position 0 flagged no
  cleo has balance 0 flagged no
  cleo has position 0 ETHUSDT
  # 10000 + 300 + 420.
  ben has balance 10720
  funds shortfall 80
  `,
);

scenario(
  'LIQ-4 every account with profit in the market shares, longs too, at most its profit',
  `
  # Emil is long 0.1 from 53000, Cleo short 0.2 from 57000 and long 4 ETH, with 480. At 54000 and
  # 2760 Cleo has 480 + 600 - 960 = 120. She closes 0.1 at the mark; 200 are missing. Weights: Cleo 300
  # realised and 300 open, Emil 100 open. Shares 171.428571, of which she has 120, and 28.571428;
  # what is still missing Emil bears: 80 of his 100.
  market BTCUSDT ${freeOfFunding}
  market ETHUSDT ${freeOfFunding}
  credit anna 400
  credit ben 10000
  credit dora 10000
  credit emil 1000
  credit cleo 480
  tick BTCUSDT=53000 ETHUSDT=3000
  emil buy 0.1 @ 53000
  dora sell 0.1 @ 53000
  tick BTCUSDT=58000 ETHUSDT=3000
  steady 60000 for 61000
  anna leverage 50
  cleo leverage 50
  cleo leverage 50 ETHUSDT
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  tick BTCUSDT=60000 ETHUSDT=3000
  cleo buy ETHUSDT 4 @ 3000
  ben sell ETHUSDT 4 @ 3000
  index 57000
  ben buy 0.1 @ 57000
  dora buy 0.1 @ 57000
  cleo sell 0.2 @ 57000
  tick BTCUSDT=54000 ETHUSDT=2760
  shared cleo 120 emil 80
  # (Her own 180 pay for ETH, below.)
  realized cleo 120 emil 80 cleo 180
  covered anna 0 200 0
  anna has balance 0
  # Then Cleo has nothing: ETH closes at the mark against Ben, a loss of 960 for which she has 780
  # and the profit of her other 0.1, which close against Emil.
  deleveraged BTCUSDT anna cleo 0.1@54000 cleo emil 0.1@54000
  deleveraged ETHUSDT cleo ben 4@2760
  cleo has balance 0
  # 1000 + 100 - 80.
  emil has balance 1020 position 0
  funds shortfall 0
  `,
);

/**
 * Cleo is long 3 ETH with 300: at 54000 and 2770 she has -90. Anna's 200 belong to no counterparty.
 */
const nobody = `
  ${gap({ credit: '300', ether: '3' })}
  tick BTCUSDT=54000 ETHUSDT=2770
`;

scenario(
  'LIQ-4 when no other account is left, one below zero is the counterparty at the mark',
  `
  # She cannot give her profit of 300: she has no equity. All 200 are shortfall. Then she: 90 /
  # 3: ETH at 2800 against Ben, who is 690 up.
  ${nobody}
  deleveraged BTCUSDT anna cleo 0.1@54000
  shared
  covered anna 0 0 200
  deleveraged ETHUSDT cleo ben 3@2800
  anna has balance 0
  cleo has balance 0
  funds shortfall 200 insurance 0
  `,
);

scenario(
  'LIQ-4 all income of the fund repays the shortfall first: credits, fees, residues of funding',
  `
  # 50 are credited. Dora, long 0.01 from 54000 with 30, fails at 51500: 5 of 5.15; sold there, her
  # fee is 0.5 % of 515, 2.575.
  ${nobody}
  insurance 50
  funds shortfall 150 insurance 0
  credit dora 30
  dora leverage 50
  dora buy 0.01 @ 54000
  ben sell 0.01 @ 54000
  ben buy 0.01 @ 51500
  index 51500
  charged dora 2.575
  funds shortfall 147.425 insurance 0
  # A boundary at 0.1 per cent of 51.50003.. USDT: payer and receiver round against themselves.
  market DUSTUSDT makerFee 0 takerFee 0 minOrderSize 0.000001
  credit gus 10
  credit mm 10
  house mm
  index DUSTUSDT 1.003
  gus buy DUSTUSDT 1.001 @ 1.003
  mm sell DUSTUSDT 1.001 @ 1.003
  # 1.001 x 1.003 x 0.01 = 0.01004003.
  funding whole DUSTUSDT
  paid gus -0.010041 mm 0.01004
  funds shortfall 147.424999 insurance 0
  insurance 147.425
  funds shortfall 0 insurance 0.000001
  `,
);

scenario(
  'LIQ-4 while there is a shortfall the fund is empty and takes nothing over',
  `
  # Gus, long 0.001 from 54000 with 1.33, has 0.33 of 0.53 at 53000: below two thirds. A takeover
  # needs four times 53 in the fund. Hal has as much at 52900, when the fund has 299.9.
  ${nobody}
  insurance 199.9
  credit gus 1.33
  credit hal 1.43
  gus leverage 50
  hal leverage 50
  gus buy 0.001 @ 54000
  hal buy 0.001 @ 54000
  ben sell 0.002 @ 54000
  index 53000
  takenOver
  deleveraged gus ben 0.001@52670
  insurance 300
  index 52900
  takenOver hal 0.001@52570
  funds shortfall 0
  `,
);

scenario(
  'LIQ-5 no account without equity keeps a position in a live market',
  `
  # Anna and Cleo were bankrupt, Ben was opposite: nothing is left of all three.
  ${nobody}
  ben has position 0
  ben has position 0 ETHUSDT
  openInterest 0 0
  openInterest 0 0 ETHUSDT
  `,
);

scenario(
  'LIQ-4 MAR-7 an isolated winner shares at most the equity of its position',
  `
  # Cleo isolated, short 0.1 from 57000 on 114: 300 up at 54000 she has 414 and carries 200 at
  # 56000: nothing is missing, whatever became of ETH, which she loses whole.
  ${gap({ credit: '300', ether: '3' }).replace(
    'cleo leverage 50\n',
    'cleo mode isolated\n  cleo leverage 50\n',
  )}
  tick BTCUSDT=54000 ETHUSDT=2770
  deleveraged BTCUSDT anna cleo 0.1@56000
  shared
  covered
  # ETH: 180 - 690 = -510: 2770 + 170 = 2940.
  deleveraged ETHUSDT cleo ben 3@2940
  # 300 + 100 - 180.
  cleo has balance 220
  funds shortfall 0
  `,
);

scenario(
  'LIQ-4 positions end even with no fund, an empty book, no account in profit and no equity',
  `
  # Both sides of the market are bankrupt at once: Anna long by ETH, Cleo short by AVAX.
  market BTCUSDT ${freeOfFunding}
  market ETHUSDT ${freeOfFunding}
  market AVAXUSDT ${freeOfFunding} maxLeverage 25
  credit anna 190
  credit cleo 190
  credit ben 10000
  tick BTCUSDT=60000 ETHUSDT=3000 AVAXUSDT=20
  anna leverage 50
  anna leverage 50 ETHUSDT
  cleo leverage 50
  cleo leverage 25 AVAXUSDT
  anna buy 0.05 @ 60000
  cleo sell 0.05 @ 60000
  anna buy ETHUSDT 2 @ 3000
  ben sell ETHUSDT 2 @ 3000
  cleo buy AVAXUSDT 150 @ 20
  ben sell AVAXUSDT 150 @ 20
  # ETH 2800: -400; AVAX 18: -300. BTC at its entry: no profit anywhere in it. Anna has -210: ETH at
  # 2800 + 105; then BTC at the mark against Cleo, who has -110; AVAX at 18 + 0.734 (110 / 150 =
  # 0.7333, up): 0.1 is left of it.
  tick BTCUSDT=60000 ETHUSDT=2800 AVAXUSDT=18
  deleveraged ETHUSDT anna ben 2@2905
  deleveraged BTCUSDT anna cleo 0.05@60000
  deleveraged AVAXUSDT cleo ben 150@18.734
  charged
  anna has balance 0
  cleo has balance 0.1
  funds shortfall 0 insurance 0
  `,
);

scenario(
  'LIQ-4 LIQ-4b an account that opened after the ranking is closed at the bankruptcy price too',
  `
  # Anna and Emil long 0.1 from 60000 with 400 and 500, Ben and Fay short. At 54000 and 2790 Anna has
  # -200, Fay, long 6 ETH, 510 + 600 - 1260 = -150, Emil -100. Anna closes against Ben, whose rank is
  # the best; Fay's ETH at 2790 + 150 / 6, then her BTC by the book, at Gil's price. So no account
  # of the ranking is left for Emil, though Gil is opposite: 54000 + 100 / 0.1. There is no deficit.
  market BTCUSDT ${freeOfFunding} priceBand 0.1
  market ETHUSDT ${freeOfFunding}
  credit anna 400
  credit ben 10000
  credit emil 500
  credit fay 510
  credit gil 10000
  tick BTCUSDT=60000 ETHUSDT=3000
  anna leverage 50
  emil leverage 50
  fay leverage 50
  fay leverage 50 ETHUSDT
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  emil buy 0.1 @ 60000
  fay sell 0.1 @ 60000
  fay buy ETHUSDT 6 @ 3000
  ben sell ETHUSDT 6 @ 3000
  index 57000
  gil sell 0.1 @ 54000
  tick BTCUSDT=54000 ETHUSDT=2790
  deleveraged BTCUSDT anna ben 0.1@56000 emil gil 0.1@55000
  deleveraged ETHUSDT fay ben 6@2815
  liquidated fay gil 0.1@54000
  shared
  covered
  anna has balance 0 position 0
  emil has balance 0 position 0
  # 54000 - 55000.
  gil has balance 9900 position 0
  `,
);
