// Reduce-only orders (ORD-6).

import { expect, test } from 'vitest';
import { play, scenario } from './scenario.ts';
import { threeTraders } from './stages.ts';
import { createWorld } from './world.ts';

scenario(
  'ORD-6 reduceOnlyRejected: there is no position to reduce',
  `
  ${threeTraders}
  anna sell 0.1 @ 61000 reduceOnly -> reduceOnlyRejected
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 59000 reduceOnly -> reduceOnlyRejected
  ben sell 0.1 market reduceOnly -> reduceOnlyRejected
  `,
);

scenario(
  'ORD-6 each reduceOnly order alone is capped at the position and freezes nothing',
  `
  # A target and a stop may both stand for the whole position.
  ${threeTraders}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna sell 0.5 @ 61000 reduceOnly id target -> NEW
  anna sell 0.1 @ 62000 reduceOnly id second -> NEW
  anna order target quantity 0.1 open 0.1 freeze 0 cover 0
  anna order second quantity 0.1 open 0.1 freeze 0 cover 0
  # 10000 - 1.2 maker fee - 300 collateral
  anna has freezes 0 available 9698.8
  `,
);

scenario(
  'ORD-6 when the position shrinks each reduceOnly order is cut to it, and when it is flat they end',
  `
  ${threeTraders}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna sell 0.1 @ 61000 reduceOnly id target
  anna sell 0.1 @ 62000 reduceOnly id second
  # A fill of one of them: its own rest fits, the other one is cut.
  cleo buy 0.03 @ 61000
  anna order target quantity 0.1 filled 0.03 open 0.07
  anna order second quantity 0.07 open 0.07
  events orderCut 1
  # A closing order of another kind cuts both, the quantity keeps what was filled.
  cleo buy 0.02 @ 60000
  anna sell 0.02 @ 60000 -> FILLED
  anna order target quantity 0.08 filled 0.03 open 0.05
  anna order second quantity 0.05 open 0.05
  events orderCut 3
  book bids asks 0.05@61000 0.05@62000
  cleo buy 0.05 @ 60000
  anna sell 0.05 @ 60000 -> FILLED
  anna has position 0
  anna order target status CANCELED reason REDUCE_ONLY filled 0.03
  anna order second status CANCELED reason REDUCE_ONLY
  book bids asks
  `,
);

scenario(
  'ORD-6 when the position flips, the reduceOnly orders of the old side are cancelled',
  `
  ${threeTraders}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna sell 0.1 @ 61000 reduceOnly id target
  cleo buy 0.3 @ 60000
  anna sell 0.3 @ 60000 -> FILLED
  anna has position -0.2
  anna order target status CANCELED reason REDUCE_ONLY
  `,
);

scenario(
  'ORD-6 a growing position does not restore a cut quantity',
  `
  ${threeTraders}
  anna buy 0.2 @ 60000
  ben sell 0.2 @ 60000
  anna sell 0.2 @ 61000 reduceOnly id target
  cleo buy 0.1 @ 60000
  anna sell 0.1 @ 60000 reduceOnly
  anna order target quantity 0.1
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna has position 0.2
  anna order target quantity 0.1
  `,
);

scenario(
  'ORD-6 a reduceOnly MARKET closes at most the position',
  `
  ${threeTraders}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  cleo buy 0.5 @ 60000
  anna sell 0.4 market reduceOnly id m -> FILLED
  anna order m quantity 0.1 filled 0.1
  anna has position 0
  book bids 0.4@60000 asks
  `,
);

test('ORD-6 the event of a trade comes before its effects on reduce-only orders', () => {
  const world = play(
    createWorld(),
    `
    ${threeTraders}
    anna buy 0.1 @ 60000
    ben sell 0.1 @ 60000
    anna sell 0.1 @ 62000 reduceOnly
    cleo buy 0.1 @ 60000
    anna sell 0.03 @ 60000
    `,
  );
  const reported = (): string[] => world.recent.map(({ kind }) => kind);
  expect(reported()).toEqual(['orderPlaced', 'traded', 'orderCut', 'orderEnded']);
  // Flat: the reduce-only order ends first of those that end, both others are filled.
  play(world, 'anna sell 0.07 @ 60000');
  expect(reported()).toEqual(['orderPlaced', 'traded', 'orderEnded', 'orderEnded', 'orderEnded']);
});
