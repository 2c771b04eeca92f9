// Trading fees and maker rebates (MAR-3, MAR-6, BAL-4).

import { scenario } from './scenario.ts';

scenario(
  'MAR-6 MAR-3 the base fees: maker 0.02 %, taker 0.05 % of notional',
  `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna has balance 9998.8
  ben has balance 9997
  funds feeRevenue 4.2
  `,
);

scenario(
  'MAR-3 UNIT-3 a fee is rounded up',
  `
  # 7.001 x 1.003 = 7.022003: 0.0014044.. up to 0.001405 and 0.0035110015 up to 0.003512.
  market DUSTUSDT
  credit anna 10
  credit ben 10
  index 1.003
  anna buy 7.001 @ 1.003
  ben sell 7.001 @ 1.003
  anna has balance 9.998595
  ben has balance 9.996488
  funds feeRevenue 0.004917
  `,
);

scenario(
  'MAR-3 UNIT-3 a rebate is rounded down and paid from the fee of the same fill',
  `
  # Rebate 0.01 % of 7.022003 is 0.0007022.. down to 0.000702; the taker pays 0.003512.
  market DUSTUSDT makerFee -0.0001
  credit anna 10
  credit ben 10
  index 1.003
  anna buy 7.001 @ 1.003
  ben sell 7.001 @ 1.003
  anna has balance 10.000702
  ben has balance 9.996488
  funds feeRevenue 0.00281
  `,
);

scenario(
  'MAR-3 termsInvalid: a market with a rebate above its taker fee is not listed',
  `
  # Of the taker fee a referee pays 0.00048 (NAT-4b).
  market BTCUSDT makerFee -0.00050001 -> termsInvalid makerFee
  market BTCUSDT makerFee -0.00048001 -> termsInvalid makerFee
  market BTCUSDT makerFee -0.00048
  change takerFee 0.00049998 -> termsInvalid makerFee
  change makerFee 0.0002 takerFee 0.0006
  `,
);
