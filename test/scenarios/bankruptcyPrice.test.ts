// The price at which a position takes its share of the account's equity with it (LIQ-2). The fund
// is large here and takes over at that price, which so becomes visible. No fees unless stated.

import { scenario } from './scenario.ts';
import { free } from './stages.ts';

scenario(
  'LIQ-2 UNIT-3 long: the price is rounded up to a tick, and the fund gets the residue',
  `
  # Long 0.003 from 60000 with 5. At 58400: equity 5 - 4.8 = 0.2; 0.2 / 0.003 = 66.66.., down to
  # 66.6: 58333.4. A loss of 0.003 x 1666.6 = 4.9998; 0.0002 are left of a fee of 0.875.
  market BTCUSDT ${free}
  credit anna 5
  credit ben 1000
  insurance 1000
  index 60000
  anna leverage 50
  anna buy 0.003 @ 60000
  ben sell 0.003 @ 60000
  index 58400
  takenOver anna 0.003@58333.4
  charged anna 0.0002
  anna has balance 0
  fund has position 0.003 entry 175.0002 balance 1000.0002 equity 1000.2
  funds insurance 1000.0002
  `,
);

scenario(
  'LIQ-2 UNIT-3 short: the price is rounded down to a tick',
  `
  # Short 0.003 from 60000 with 5. At 61600: 5 - 4.8 = 0.2; 61600 + 66.6.
  market BTCUSDT ${free}
  credit anna 5
  credit ben 1000
  insurance 1000
  index 60000
  anna leverage 50
  anna sell 0.003 @ 60000
  ben buy 0.003 @ 60000
  index 61600
  takenOver anna 0.003@61666.6
  charged anna 0.0002
  fund has position -0.003 entry -184.9998 balance 1000.0002 equity 1000.2
  `,
);

const three = `
  market BTCUSDT ${free} liquidationFeeRate 0
  market ETHUSDT ${free} liquidationFeeRate 0
  market AVAXUSDT ${free} liquidationFeeRate 0 maxLeverage 25
  credit ben 10000
  insurance 10000
  tick BTCUSDT=60000 ETHUSDT=3000 AVAXUSDT=20
`;

const leverages = `
  anna leverage 50
  anna leverage ETHUSDT 50
  anna leverage AVAXUSDT 25
`;

scenario(
  'LIQ-2 each of several positions gets equity in proportion to its maintenance',
  `
  # Long 0.01 BTC from 60000, short 0.1 ETH from 3000, with 23. At 59000 and 3100 each is 10 down:
  # equity 3, maintenance 5.9 + 3.1 = 9. BTC: 3 x 5.9 / 9 / 0.01 = 196.66..: 59000 - 196.6. It takes
  # 1.966 with it; ETH alone then takes 1.034: 3100 + 10.34.
  ${three}
  credit anna 23
  ${leverages}
  anna buy 0.01 @ 60000
  ben sell 0.01 @ 60000
  anna sell ETHUSDT 0.1 @ 3000
  ben buy ETHUSDT 0.1 @ 3000
  tick BTCUSDT=59000 ETHUSDT=3100
  takenOver BTCUSDT anna 0.01@58803.4
  takenOver ETHUSDT anna 0.1@3110.34
  anna has balance 0
  fund has balance 10000 equity 10003
  `,
);

scenario(
  'LIQ-2 with equity below zero the losing positions share the deficit by their losses, winners none',
  `
  # Long 0.01 BTC, long 0.1 ETH, short 8 AVAX from 20, with 25. At 58000, 2900 and 19.8: losses of
  # 20 and 10, a profit of 1.6: equity -3.4. BTC: 3.4 x 20 / 30 / 0.01 = 226.66.., up to 226.7. It
  # gains 2.267; ETH bears the other 1.133: 2911.33. AVAX closes at the mark.
  ${three}
  credit anna 25
  ${leverages}
  anna buy 0.01 @ 60000
  ben sell 0.01 @ 60000
  anna buy ETHUSDT 0.1 @ 3000
  ben sell ETHUSDT 0.1 @ 3000
  anna sell AVAXUSDT 8 @ 20
  ben buy AVAXUSDT 8 @ 20
  tick BTCUSDT=58000 ETHUSDT=2900 AVAXUSDT=19.8
  takenOver anna 0.01@58226.7 anna 0.1@2911.33 anna 8@19.8
  anna has balance 0
  # 10000 - 3.4 at the mark: the fund bought above it.
  fund has balance 10000 equity 9996.6
  funds shortfall 0
  `,
);

scenario(
  'LIQ-2 PRC-4 a stale position bears no deficit, and a live one at most its own loss',
  `
  # BTC is stale at 57000, 30 down; ETH at 2900, 10 down: equity 25 - 40 = -15. ETH bears 10 of the
  # 15 and closes at its entry, 3000. BTC comes back at 57000: -5 / 0.01: 57500.
  ${three}
  credit anna 25
  ${leverages}
  anna buy 0.01 @ 60000
  ben sell 0.01 @ 60000
  anna buy ETHUSDT 0.1 @ 3000
  ben sell ETHUSDT 0.1 @ 3000
  after 5001
  drift 57000
  index ETHUSDT 2900
  takenOver anna 0.1@3000
  anna has position 0.01 equity -5 flagged yes
  index 57000
  takenOver anna 0.01@57500
  anna has balance 0 flagged no
  funds shortfall 0
  `,
);

scenario(
  'LIQ-2 MAR-7 isolated: the price of a position depends on its own equity alone',
  `
  # 0.01 BTC long on 12 at leverage 50; 59000: 2 of 5.9, 2 / 0.01 = 200: 58800.
  ${three}
  credit anna 100
  anna mode isolated
  ${leverages}
  anna buy 0.01 @ 60000
  ben sell 0.01 @ 60000
  anna buy ETHUSDT 0.1 @ 3000
  ben sell ETHUSDT 0.1 @ 3000
  tick BTCUSDT=59000 ETHUSDT=3000
  takenOver anna 0.01@58800
  anna has balance 88 position 0
  anna has position 0.1 ETHUSDT
  `,
);

scenario(
  'LIQ-2 a bankruptcy price never falls below one tick',
  `
  # DUST at 0.002, long 10,000 from 0.002 with 30: at 0.001 equity is 20, maintenance 0.1: nothing.
  # With 10.05: 0.05 of 0.1, 0.05 / 10000 is less than a tick: it closes at the mark of one tick.
  market DUSTUSDT ${free} minOrderSize 0.000001 liquidationFeeRate 0 indexSources manual:1
  credit anna 10.05
  credit ben 100
  insurance 1000
  index 0.002 source manual
  anna leverage 2
  anna buy 10000 @ 0.002
  ben sell 10000 @ 0.002
  index 0.001 source manual
  takenOver anna 10000@0.001
  anna has balance 0.05 position 0
  `,
);
