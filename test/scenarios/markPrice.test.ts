// Index, premium and mark (PRC-1). A premium is stated in millionths of a tick of 0.1.

import { expect, test } from 'vitest';
import { play, scenario } from './scenario.ts';
import { createWorld } from './world.ts';

scenario(
  'PRC-1 priceUnavailable: a market is halted until the first index, which is also the first mark',
  `
  market BTCUSDT
  credit anna 1000
  shows status HALT index 0 mark 0
  anna buy 0.1 @ 60000 -> priceUnavailable
  index 60000 -> prices 1
  shows status TRADING index 60000 mark 60000 premium 0
  `,
);

scenario(
  'PRC-1 mark = median(index, index + EMA of mid - index, book), the EMA over 150 s',
  `
  # Mid 60060 is 600 ticks above the index. After 0.25 s: 600 x 250 / 150250 = 0.998336 ticks.
  # After 75 s more: 0.998336 + 599.001664 x 75000 / 225000 = 200.665557 ticks: mark 60020.1.
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60050
  ben sell 0.1 @ 60070
  index 60000
  shows premium 998336 mark 60000.1
  after 74750
  index 60000
  shows premium 200665557 mark 60020.1
  # Now the book stands nearer to the index than the average: its middle is the median. The EMA goes
  # 100.665557 x 250 / 150250 = 0.167497 ticks down.
  anna cancelAll
  ben cancelAll
  anna buy 0.1 @ 60005
  ben sell 0.1 @ 60015
  index 60000
  shows premium 200498060 mark 60010
  # Once there is a last price, the book is median(bid, ask, last): 60005.
  ben sell 0.01 @ 60005 -> FILLED
  index 60000
  shows last 60005 lastRegular 60005 premium 200330842 mark 60005
  `,
);

scenario(
  'PRC-1a before the first trade the middle of the book replaces the last price',
  `
  # The EMA is 40 ticks above, the book 10 above the index.
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60008
  ben sell 0.1 @ 60012
  after 99750
  index 60000
  anna cancelAll
  ben cancelAll
  anna buy 0.1 @ 60000.5
  ben sell 0.1 @ 60001.5
  index 60000
  shows last 0 mark 60001
  `,
);

scenario(
  'PRC-1b the premium holds while a side of the book is empty: mark = index + EMA',
  `
  # As above to 200.665557 ticks; without asks neither the EMA nor its clock moves on. When the ask
  # is back after 100 s, only the last 0.25 s count: + 399.334443 x 250 / 150250.
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60050
  ben sell 0.1 @ 60070
  index 60000
  after 74750
  index 60000
  shows premium 200665557
  ben cancelAll
  after 99750
  index 60000
  shows premium 200665557 mark 60020.1
  index 60100
  shows mark 60120.1
  ben sell 0.1 @ 60070
  index 60000
  shows premium 201330007
  `,
);

scenario(
  'PRC-1 the mark is clamped to index x (1 +- mark_clamp)',
  `
  # 0.1 % of 60000 is 60; book and average are about 400 above.
  market BTCUSDT markClamp 0.001
  credit anna 10000
  credit ben 10000
  index 60000
  anna buy 0.1 @ 60400
  ben sell 0.1 @ 60420
  after 99750
  index 60000
  shows mark 60060
  index 60003
  # 60003 x 1.001 = 60063.003
  shows mark 60063
  # The same below: 60003 x 0.999 = 59942.997, and no lower.
  anna cancelAll
  ben cancelAll
  anna buy 0.1 @ 59580
  ben sell 0.1 @ 59600
  after 99750
  index 60003
  shows mark 59943
  `,
);

scenario(
  'PRC-1 the index is the weighted median of the sources that have a price',
  `
  market BTCUSDT indexSources a:1,b:1,c:3
  credit anna 10000
  index 60000 source a
  shows index 60000
  # Half way: the mean of 600000 and 600001 ticks, half to even.
  index 60000.1 source b
  shows index 60000
  # c alone has more than half of the weight.
  index 61000 source c
  shows index 61000
  index 62000 source c
  shows index 62000
  index 59000 source c
  shows index 59000
  shows index 59000
  `,
);

scenario(
  'PRC-1 at exactly half of the weight the index is the mean with the next price, half to even',
  `
  market BTCUSDT indexSources a:1,b:1
  index 60000.1 source a
  index 60000.2 source b
  # 600001.5 ticks
  shows index 60000.2
  index 60000.4 source b
  # 600002.5 ticks
  shows index 60000.2
  index 60000.3 source b
  shows index 60000.2
  `,
);

scenario(
  'PRC-1 a price that is not newer or has no configured source is ignored',
  `
  # The first price is of 1760000000250 ms.
  market BTCUSDT
  index 60000 -> prices 1
  index 61000 observed 1760000000250 -> prices 0
  index 61000 observed 1760000000249 -> prices 0
  index 61000 source other observed 1760000000300 -> prices 0
  shows index 60000
  index 61000 observed 1760000000251 -> prices 1
  shows index 61000
  `,
);

scenario(
  'PRC-1 ORD-5 an order keeps the mark of its creation',
  `
  market BTCUSDT
  credit anna 10000
  index 60000
  anna buy 0.1 @ 59000 id x
  index 61000
  anna modify x 0.1 @ 59500
  anna order x mark 60000
  anna buy 0.1 @ 59000 id y
  anna order y mark 61000
  `,
);

scenario(
  'PRC-1 the print of a liquidation is shown as the last price but never enters the mark',
  `
  market BTCUSDT
  credit anna 1400
  credit ben 100000
  credit cara 100000
  index 60000
  anna leverage 50
  anna buy 1 @ 60000
  ben sell 1 @ 60000
  shows last 60000 lastRegular 60000
  # Anna's maintenance margin is 590 at 59000; her equity is 1400 - 24 (fees) - 1000 = 376.
  cara buy 2 @ 58950
  cara sell 1 @ 60400
  index 59000
  # Flagged, closed, and without a position no longer flagged.
  events liquidationFlagged 2
  anna has position 0
  shows last 58950 lastRegular 60000
  # The middle of the book is 6750 ticks above the index, the EMA 22.4 after 0.5 s. The book is the
  # median of 58950, 60400 and 60000; with the print of the liquidation it would be 58950, and the
  # mark 59000.
  index 59000
  shows index 59000 last 58950 premium 22443875 mark 59002.2
  # A trade of traders is one again.
  ben buy 0.1 @ 60400
  shows last 60400 lastRegular 60400
  `,
);

test('PRC-1 only an index tick computes a mark', () => {
  const world = play(
    createWorld(),
    `
    market BTCUSDT
    credit anna 10000
    credit ben 10000
    index 60000
    anna buy 0.1 @ 60100
    ben sell 0.1 @ 60100
    after 60000
    shows mark 60000
    `,
  );
  const priced = world.events.filter(({ kind }) => kind === 'priced');
  expect(priced).toHaveLength(1);
});
