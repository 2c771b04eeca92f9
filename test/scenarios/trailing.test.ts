// Trailing triggers (TRG-4): activation, the extreme, the distance.

import { expect, test } from 'vitest';
import { trailingStop } from '../../src/engine/triggers/trailing.ts';
import type { Rate, Ticks } from '../../src/units/units.ts';
import { scenario } from './scenario.ts';

const start = `
  market BTCUSDT
  credit anna 10000
  credit ben 1000000
  index 60000
  ben buy 1 @ 57500
`;

scenario(
  'TRG-4 a selling one follows the highest mark and fires when the mark has fallen by the callback',
  `
  ${start}
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 1 algo id t -> NEW
  anna trigger t activation 60000 extreme 60000 stop 0 callback 1
  index 60200
  anna trigger t extreme 60200
  index 59800
  anna trigger t extreme 60200 status NEW
  index 60500
  anna trigger t extreme 60500
  # 60500 x 0.99 = 59895
  index 59895.1
  anna trigger t status NEW
  index 59895
  anna trigger t status FINISHED extreme 60500 fired 0
  trades 0.1@57500
  `,
);

scenario(
  'TRG-4 a buying one follows the lowest mark and fires when the mark has risen by the callback',
  `
  market BTCUSDT
  credit anna 10000
  credit ben 1000000
  index 60000
  ben sell 1 @ 61000
  anna trigger buy 0.1 TRAILING_STOP_MARKET callback 2 activation 59000 algo id t
  anna trigger t activation 59000 extreme 0
  index 59000.1
  anna trigger t extreme 0
  index 58500
  anna trigger t extreme 58500
  # 58500 x 1.02 = 59670
  index 59669.9
  anna trigger t status NEW
  index 59670
  anna trigger t status FINISHED
  trades 0.1@61000
  `,
);

scenario(
  'TRG-4 before its activation it follows nothing, and a fall does not fire it',
  `
  ${start}
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 0.5 activation 61000 algo id t
  index 60900
  index 59000
  anna trigger t extreme 0 status NEW
  # A gap beyond the activation begins at the mark, not at the activation price.
  index 62000
  anna trigger t extreme 62000 status NEW
  # 62000 x 0.995 = 61690
  index 61690
  anna trigger t status FINISHED
  `,
);

scenario(
  'TRG-4 the callback is compared exactly, and rounding to a tick never fires it',
  `
  ${start}
  # 60500.1 x 0.99 = 59895.099
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 1 algo id t
  index 60500.1
  index 59895.1
  anna trigger t status NEW
  index 59895
  anna trigger t status FINISHED
  `,
);

scenario(
  'TRG-4 wouldTrigger: the activation price must be ahead of the mark, below for BUY, above for SELL',
  `
  ${start}
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 1 activation 60000 algo -> wouldTrigger
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 1 activation 59000 algo -> wouldTrigger
  anna trigger buy 0.1 TRAILING_STOP_MARKET callback 1 activation 60000 algo -> wouldTrigger
  anna trigger buy 0.1 TRAILING_STOP_MARKET callback 1 activation 61000 algo -> wouldTrigger
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 1 activation 60000.1 algo -> NEW
  anna trigger buy 0.1 TRAILING_STOP_MARKET callback 1 activation 59999.9 algo -> NEW
  `,
);

scenario(
  'TRG-4 callbackRateInvalid: the rate is below 0.1 % or above 10 %',
  `
  ${start}
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 0.099999 algo -> callbackRateInvalid
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 10.000001 algo -> callbackRateInvalid
  anna trigger sell 0.1 TRAILING_STOP_MARKET algo -> callbackRateInvalid
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 0.1 algo -> NEW
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 10 algo -> NEW
  `,
);

scenario(
  'TRG-4 PRC-2 in a halted market the extreme does not change',
  `
  ${start}
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 1 algo id t
  change status HALT
  index 61000
  index 59000
  anna trigger t extreme 60000 status NEW
  change status TRADING
  index 59401
  anna trigger t extreme 60000 status NEW
  index 59400
  anna trigger t status FINISHED
  `,
);

scenario(
  'TRG-4 a cancelled trailing stop no longer follows the mark, the others do',
  `
  ${start}
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 1 algo id a
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 2 algo id b
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 3 algo id c
  anna cancelTrigger b -> CANCELED
  index 60300
  anna trigger a extreme 60300
  anna trigger b extreme 60000 status CANCELED
  anna trigger c extreme 60300
  anna triggers a c
  `,
);

scenario(
  'TRG-4 a bound between two ticks becomes the one away from the extreme, for BUY the higher one',
  `
  market BTCUSDT
  credit anna 10000
  credit ben 1000000
  index 60000
  ben sell 1 @ 61000
  # 59000.1 x 1.01 = 59590.101
  anna trigger buy 0.1 TRAILING_STOP_MARKET callback 1 algo id t
  index 59000.1
  index 59590.1
  anna trigger t status NEW
  index 59590.2
  anna trigger t status FINISHED
  `,
);

scenario(
  'TRG-4 the extreme stays while the mark returns, even past the activation price',
  `
  ${start}
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 1 algo id s
  anna trigger buy 0.1 TRAILING_STOP_MARKET callback 1 activation 59900 algo id b
  index 60300
  index 60100
  anna trigger s extreme 60300
  # It is reached exactly, and begins there.
  index 59900
  anna trigger b extreme 59900
  index 59700
  anna trigger b extreme 59700
  index 59800
  anna trigger b extreme 59700 status NEW
  `,
);

scenario(
  'TRG-4 a selling one activates exactly at its activation price, which is its first extreme',
  `
  ${start}
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 1 activation 60500 algo id t
  index 60499.9
  anna trigger t extreme 0
  index 60500
  anna trigger t extreme 60500 status NEW
  index 59895
  anna trigger t status FINISHED
  `,
);

test('TRG-4 TRG-4a it has a firing price from its activation on, also at a single tick', () => {
  const callbackRate = 1_000_000 as Rate;
  const stopAt = (side: 1 | -1, extreme: number): number =>
    trailingStop({ side, extreme: extreme as Ticks, callbackRate });
  expect([stopAt(1, 0), stopAt(-1, 0)]).toEqual([0, 0]);
  // 1.01 and 0.99 of a tick.
  expect([stopAt(1, 1), stopAt(-1, 1)]).toEqual([2, 0]);
  expect([stopAt(1, 100), stopAt(-1, 100)]).toEqual([101, 99]);
});
