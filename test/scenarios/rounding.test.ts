// Where a number is rounded, and which way (UNIT-1, UNIT-3). On this grid a tick times a lot is one
// millionth of a USDT, so that every rounding shows. No fees.

import { scenario } from './scenario.ts';

const start = `
  market DUSTUSDT makerFee 0 takerFee 0 minOrderSize 0.000001
  credit anna 1
  credit ben 1
  index 1
`;

scenario(
  'UNIT-3 a partial close of a long releases entry notional rounded up: the gain is rounded down',
  `
  # One lot at 1.000 and two at 1.001: 0.003002 for three. A third would be 0.001000666..: 0.001001
  # is released, a loss of 0.000001 at 1.000. Of the 0.002001 left, half is up to 0.001001 again. The
  # last lot has what was not released, 0.001, and the whole makes 0.003 - 0.003002.
  ${start}
  anna buy 0.001 @ 1
  ben sell 0.001 @ 1
  anna buy 0.002 @ 1.001
  ben sell 0.002 @ 1.001
  anna has entry 0.003002
  ben buy 0.001 @ 1
  anna sell 0.001 @ 1
  anna has entry 0.002001 balance 0.999999
  ben buy 0.001 @ 1
  anna sell 0.001 @ 1
  anna has entry 0.001 balance 0.999998
  ben buy 0.001 @ 1
  anna sell 0.001 @ 1
  anna has entry 0 balance 0.999998 position 0
  `,
);

scenario(
  'UNIT-3 a partial close of a short releases entry notional against the account too',
  `
  # -0.003002 for three short; one bought back at 1.001 releases -0.001000 of -0.00100066.., a loss
  # of 0.000001; two lots keep -0.002002.
  ${start}
  anna sell 0.001 @ 1
  ben buy 0.001 @ 1
  anna sell 0.002 @ 1.001
  ben buy 0.002 @ 1.001
  ben sell 0.001 @ 1.001
  anna buy 0.001 @ 1.001
  anna has entry -0.002002 balance 0.999999
  `,
);

scenario(
  'UNIT-3 collateral that a partial close returns is rounded down',
  `
  # Three lots at 1.000, leverage 9: 0.003 / 9 = 0.000333.. up to 0.000334. A third of it returns
  # 0.00011133.., down to 0.000111; of the 0.000223 left half is 0.0001115, down again. The last lot
  # returns the rest.
  ${start}
  anna leverage 9
  anna buy 0.003 @ 1
  ben sell 0.003 @ 1
  anna has held 0.000334
  ben buy 0.001 @ 1
  anna sell 0.001 @ 1
  anna has held 0.000223 available 0.999777
  ben buy 0.001 @ 1
  anna sell 0.001 @ 1
  anna has held 0.000112 available 0.999888
  ben buy 0.001 @ 1
  anna sell 0.001 @ 1
  anna has held 0 available 1
  `,
);

scenario(
  'UNIT-3 MAR-8 maintenance margin is rounded up',
  `
  # 0.001 at 1 %: 0.00001; at a mark of 1.001: 0.00001001, up to 0.000011.
  ${start}
  anna buy 0.001 @ 1
  ben sell 0.001 @ 1
  anna has maintenance 0.00001
  index 1.001
  anna has maintenance 0.000011
  `,
);
