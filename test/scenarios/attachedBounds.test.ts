// Legs of a single lot, at a price of one tick, and at the largest notional (ATT-1 … ATT-4, ATT-9).

import { expect, test } from 'vitest';
import { play, scenario } from './scenario.ts';
import { free, richTwoMarkets } from './stages.ts';
import { createWorld } from './world.ts';

scenario(
  'ATT-2 ATT-3 a single lot that a parent opens is protected, and its legs end with the position',
  `
  ${richTwoMarkets}
  ben sell 0.001 @ 60000
  anna buy 0.001 @ 60000 id a profit 61000 loss 59000 -> FILLED
  anna trigger a.profit status NEW quantity 0.001 callback 0 activation 0
  anna trigger a.loss status NEW quantity 0.001 callback 0 activation 0
  ben buy 0.001 @ 59990
  anna sell 0.001 @ 59990 -> FILLED
  anna trigger a.profit status EXPIRED
  anna trigger a.loss status EXPIRED
  `,
);

scenario(
  'ATT-4 a single lot that a leg closes is taken from the other leg',
  `
  ${richTwoMarkets}
  ben sell 0.102 @ 60000
  anna buy 0.1 @ 60000
  anna buy 0.002 @ 60000 id a profit 61000 profitAt 61010 loss 59000 -> FILLED
  index 61000
  anna trigger a.profit status TRIGGERED
  ben buy 0.001 @ 61010
  anna trigger a.loss status NEW quantity 0.001
  `,
);

scenario(
  'ATT-9 a position of a single lot can be protected',
  `
  ${richTwoMarkets}
  ben sell 0.001 @ 60000
  anna buy 0.001 @ 60000
  anna protect profit 61000 loss 59000
  anna triggers protection.profit protection.loss
  `,
);

scenario(
  'ATT-3 ORD-5 as soon as a single lot waits, a modified parent may pass its legs',
  `
  ${richTwoMarkets}
  anna buy 1 @ 59000 id a loss 58000
  anna modify a 1 @ 57900 -> stopLossWrongSide 57900.0
  ben sell 0.001 @ 59000
  anna trigger a.loss status NEW quantity 0.001
  anna modify a 1 @ 57900 -> PARTIALLY_FILLED
  `,
);

scenario(
  'ATT-3 ATT-8 the end of one leg changes nothing of the other',
  `
  ${richTwoMarkets}
  ben sell 1 @ 60000
  anna buy 1 @ 60000 id a profit 61000 loss 59000 -> FILLED
  events triggerResized 2
  anna cancelTrigger a.profit -> CANCELED
  anna trigger a.loss status NEW quantity 1
  events triggerResized 2
  `,
);

scenario(
  'ATT-1 a leg with a limit price of one tick has that price',
  `
  market DUSTUSDT ${free}
  credit anna 10000
  index 1
  anna sell 10 @ 1 id a profit 0.5 profitAt 0.001 loss 2 -> NEW
  anna trigger a.profit type TAKE_PROFIT price 0.001
  anna buy 10 @ 0.99 id b profit 2 loss 0.5 lossAt 0.001 -> NEW
  anna trigger b.loss type STOP price 0.001
  `,
);

scenario(
  'ATT-1 ORD-11a notionalAboveMax: a leg counts at its limit price if it has one, else at its trigger price',
  `
  # 1667 at 600000 are beyond the largest number, 1666 are not.
  market BTCUSDT maxOrderSize 1000000000 openInterestCap 1000000000
  credit anna 1000000000
  index 60000
  anna buy 1667 @ 60000 profit 61000 profitAt 600000 -> notionalAboveMax
  anna buy 1667 @ 60000 profit 600000 profitAt 61000 id a -> NEW
  anna buy 1667 @ 60000 profit 600000 profitAt 0.1 id b -> NEW
  anna sell 1667 @ 60100 profit 50000 loss 600000 -> notionalAboveMax
  anna sell 1666 @ 60100 profit 50000 loss 600000 -> NEW
  `,
);

test('ATT-1 ATT-3 a leg has no price protection, and new lots update its time', () => {
  const world = play(
    createWorld(),
    `
    ${richTwoMarkets}
    anna buy 1 @ 60000 id a loss 59000
    after 1000
    ben sell 0.5 @ 60000
    after 200
    anna trigger a.loss status NEW quantity 0.5
    `,
  );
  const { time, triggers } = world.exchange;
  const legs = [...triggers.values()];
  expect(legs).toMatchObject([{ priceProtect: false, updatedAt: time - 200 }]);
});
