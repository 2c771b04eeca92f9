// The order of deleveraging itself (LIQ-4), without a bankrupt account: which position would come
// first. deleveraging.test.ts has the deleveraging that follows.

import { expect, test } from 'vitest';
import { rankPositions } from '../../src/engine/clearing/deleverage.ts';
import { sell } from '../../src/engine/orderTypes.ts';
import { play } from './scenario.ts';
import { free } from './stages.ts';
import { createWorld } from './world.ts';

test('LIQ-4 LIQ-4a winners come before losers, and accounts without equity come last, by size', () => {
  // At 59000 Ann and Bea, short from 60000, are 10 and 20 up; Cid, short from 58000, is 10 down.
  // Dan and Eve, short 0.02 and 0.03 from 60000, are up too, but without equity, by ETH; so is Fay,
  // as Dan.
  const world = play(
    createWorld(),
    `
    market BTCUSDT ${free}
    market ETHUSDT ${free}
    credit zoe 100000
    credit ann 1000
    credit bea 1000
    credit cid 1000
    credit dan 520
    credit eve 530
    credit fay 520
    tick BTCUSDT=60000 ETHUSDT=3000
    ann sell 0.01 @ 60000
    bea sell 0.02 @ 60000
    dan sell 0.02 @ 60000
    eve sell 0.03 @ 60000
    fay sell 0.02 @ 60000
    zoe buy 0.1 @ 60000
    dan buy ETHUSDT 2 @ 3000
    eve buy ETHUSDT 2 @ 3000
    fay buy ETHUSDT 2 @ 3000
    zoe sell ETHUSDT 6 @ 3000
    tick BTCUSDT=58000 ETHUSDT=3000
    cid sell 0.01 @ 58000
    zoe buy 0.01 @ 58000
    drift 59000
    drift ETHUSDT 2700
    dan has equity -60
    eve has equity -40
    `,
  );
  const { exchange, names } = world;
  const ranked = rankPositions(exchange, exchange.markets[0]!, sell);
  const nameOf = new Map([...names].map(([name, address]) => [address, name]));
  const reported = ranked.map(({ account }) => nameOf.get(exchange.accounts[account]!.address));
  expect(reported).toEqual(['bea', 'ann', 'cid', 'eve', 'dan', 'fay']);
});
