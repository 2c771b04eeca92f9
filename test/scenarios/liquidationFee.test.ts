// What a liquidation fee leaves (LIQ-3c). Trades cost nothing.

import { scenario } from './scenario.ts';
import { free } from './stages.ts';

scenario(
  'LIQ-3c a fee leaves the other positions of the account standing',
  `
  # BTC is sold at the mark: 249.55 are left, and ETH needs 9. The fee of 0.5 % would be 295; 238.75
  # are taken, which leave 1.2 x 9.
  market BTCUSDT ${free}
  market ETHUSDT ${free}
  credit anna 1249.55
  credit ben 100000
  credit cleo 100000
  insurance 10000
  tick BTCUSDT=60000 ETHUSDT=3000
  anna leverage 50
  anna leverage 50 ETHUSDT
  anna buy 1 @ 60000
  ben sell 1 @ 60000
  anna buy ETHUSDT 0.3 @ 3000
  ben sell ETHUSDT 0.3 @ 3000
  cleo buy 1 @ 59000
  tick BTCUSDT=59000 ETHUSDT=3000
  liquidated anna cleo 1@59000
  takenOver
  charged anna 238.75
  anna has position 0 balance 10.8 flagged no
  anna has position 0.3 ETHUSDT
  `,
);

const symbols = ['BTCUSDT', 'DOTUSDT', 'ETHUSDT', 'LTCUSDT', 'SOLUSDT', 'XRPUSDT'];
const each = (line: string) =>
  symbols.map((symbol) => line.replaceAll('SYMBOL', symbol)).join('\n');
const pricesAt = (price: number) => `tick ${symbols.map((name) => `${name}=${price}`).join(' ')}`;

scenario(
  'LIQ-3c an account with many positions pays a fee too, and half of its surplus stays',
  `
  # Long 0.01 from 60000 in each of six markets with 73: at 59370 73 - 37.8 = 35.2 are left of 6 x
  # 5.937 = 35.622. One is sold at the mark, 593.7. The rest needs 29.685, and 1.2 times as much is
  # more than there is. Of the fee of 2.9685 half of 35.2 - 29.685 is taken.
  ${each(`market SYMBOL ${free}`)}
  credit anna 73
  credit ben 100000
  credit cleo 100000
  ${pricesAt(60000)}
  ${each('anna leverage 50 SYMBOL\nanna buy 0.01 @ 60000 SYMBOL\nben sell 0.01 @ 60000 SYMBOL')}
  cleo buy 0.01 @ 59370 BTCUSDT
  ${pricesAt(59370)}
  liquidated anna cleo 0.01@59370
  charged anna 2.7575
  anna has position 0 BTCUSDT equity 32.4425 flagged yes
  anna has position 0.01 XRPUSDT
  `,
);

scenario(
  'LIQ-3c LIQ-4 what is deleveraged pays no fee',
  `
  # Long 0.1 from 60000 with 400.0031; at 56050 5.0031 are left of 56.05. All is deleveraged at 56050 -
  # 50, and she keeps what a tick leaves.
  market BTCUSDT ${free}
  credit anna 400.0031
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  index 56050
  deleveraged anna ben 0.1@56000
  charged
  anna has position 0 balance 0.0031
  `,
);
