// The countdown that cancels all orders of a symbol (ORD-13).

import { expect, test } from 'vitest';
import { play, scenario } from './scenario.ts';
import { createWorld } from './world.ts';

const start = `
  market BTCUSDT
  market ETHUSDT
  credit anna 10000
  index 60000
  index ETHUSDT 3000
`;

scenario(
  'ORD-13 when the countdown ends, the orders of the symbol are cancelled',
  `
  ${start}
  anna buy 0.1 @ 59000 id x
  anna buy ETHUSDT 1 @ 2900 id e
  anna countdown 5000
  after 4999
  anna order x status NEW
  after 1
  anna order x status CANCELED reason COUNTDOWN
  anna order e status NEW
  # It runs once.
  anna buy 0.1 @ 59000 id z
  after 10000
  anna order z status NEW
  `,
);

scenario(
  'ORD-13 a new call replaces the countdown, and 0 removes it',
  `
  ${start}
  anna buy 0.1 @ 59000 id x
  anna countdown 5000
  after 3000
  anna countdown 5000
  after 3000
  anna order x status NEW
  anna countdown 0
  after 100000
  anna order x status NEW
  anna countdown 1000
  anna countdown ETHUSDT 0
  after 1000
  anna order x status CANCELED reason COUNTDOWN
  `,
);

scenario(
  'ORD-13a countdownInvalid: the time is not a whole number of milliseconds from 0 to a day',
  `
  ${start}
  anna countdown -1 -> countdownInvalid
  anna countdown 86400001 -> countdownInvalid
  anna countdown 1.5 -> countdownInvalid
  anna countdown 86400000
  `,
);

scenario(
  'ORD-13 SYM-1 the countdown cancels in a halted market too',
  `
  ${start}
  anna buy 0.1 @ 59000 id x
  anna countdown 1000
  change status HALT
  after 1000
  anna order x status CANCELED reason COUNTDOWN
  `,
);

test('ORD-13 a countdown answers its end, 0 when there is none; one millisecond is enough', () => {
  const world = play(createWorld(), `${start}\nanna buy 0.1 @ 59000 id x`);
  const now = world.exchange.time;
  play(world, 'anna countdown 5000\nanna countdown 0\nanna countdown 1');
  const reported = world.events.flatMap((event) =>
    event.kind === 'countdownSet' ? [event.expiresAt] : [],
  );
  expect(reported).toEqual([now + 5000, 0, now + 1]);
  play(world, 'after 1\nanna order x status CANCELED reason COUNTDOWN');
});

scenario(
  'ORD-13b equityInsufficient: a countdown needs something to cancel, or 10 USDT for each that runs',
  `
  ${start}
  credit ben 9.999999
  credit cleo 15
  ben countdown 1000 -> equityInsufficient 10000000
  ben countdown 0
  cleo countdown 1000
  cleo countdown ETHUSDT 1000 -> equityInsufficient 20000000
  # An order of the market, and one that runs goes on when the order has ended.
  ben leverage 50
  ben buy 0.001 @ 59000 id b
  ben countdown 1000
  ben cancel b
  ben countdown 2000
  ben countdown ETHUSDT 1000 -> equityInsufficient
  after 2000
  ben countdown 1000 -> equityInsufficient
  `,
);

scenario(
  'ORD-13b a position or a waiting trigger of the market is enough for a countdown',
  `
  ${start}
  credit ben 10
  ben leverage 50
  anna sell 0.001 @ 60000
  ben buy 0.001 @ 60000
  ben countdown 1000
  credit cleo 10
  cleo trigger buy 0.001 STOP_MARKET stop 61000 id c
  cleo withdraw 5
  cleo triggers
  cleo countdown 1000 -> equityInsufficient
  credit cleo 5
  cleo trigger buy 0.001 STOP_MARKET stop 61000 id d
  cleo countdown 1000
  after 1000
  cleo trigger d status CANCELED
  `,
);
