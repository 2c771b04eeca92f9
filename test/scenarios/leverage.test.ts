// The leverage setting (MAR-5).

import { scenario } from './scenario.ts';

scenario(
  'MAR-5 the default is 20, or the maximum of the market if that is lower',
  `
  market BTCUSDT
  market AVAXUSDT maxLeverage 10
  credit anna 1000
  anna has leverage 20
  anna has AVAXUSDT leverage 10
  `,
);

scenario(
  'MAR-5 leverageInvalid: the leverage is outside 1 to the maximum, or not whole',
  `
  market BTCUSDT
  credit anna 1000
  anna leverage 51 -> leverageInvalid 51 50
  anna leverage 0 -> leverageInvalid
  anna leverage -5 -> leverageInvalid
  anna leverage 2.5 -> leverageInvalid
  events leverageSet 0
  anna leverage 50
  anna has leverage 50
  anna leverage 1
  anna has leverage 1
  events leverageSet 2
  `,
);

scenario(
  'MAR-5 an order captures the leverage when placed and again when modified; nothing else changes',
  `
  # 6000 x 1.005 / 20 = 301.5, / 50 = 120.6, / 10 = 603
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000 id x
  anna leverage 50
  anna order x leverage 20 freeze 301.5
  anna buy 0.1 @ 60000 id y
  anna order y leverage 50 freeze 120.6
  anna leverage 10
  anna modify x 0.1 @ 60000
  anna order x leverage 10 freeze 603
  ben sell 0.1 @ 60000
  # y traded first now; its collateral is that of its leverage, and stays.
  anna has held 120
  anna leverage 1
  anna has held 120 leverage 1
  ben sell 0.1 @ 60000
  anna has held 720
  `,
);

scenario(
  'MAR-5 the setting is clamped to the current maximum of the market',
  `
  market BTCUSDT
  credit anna 10000
  index 60000
  anna leverage 50
  anna buy 0.1 @ 60000 id x
  change maxLeverage 25
  anna has leverage 25
  anna order x leverage 50 freeze 120.6
  anna buy 0.1 @ 60000 id y
  anna order y leverage 25 freeze 241.2
  change maxLeverage 50
  anna has leverage 50
  `,
);
