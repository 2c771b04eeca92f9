// Which index the exchange accepts (PRC-2): which prices it takes, how long they count, what a
// jump must show, and what happens after a gap. BTCUSDT has a tick of 0.1.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { decodeCommand, encodeCommand } from '../../src/engine/codec/commandCodec.ts';
import type { IndexPrice } from '../../src/engine/command.ts';
import { ticksMax } from '../../src/engine/limits.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { Fault } from '../../src/std/assert.ts';
import { createByteReader, createByteWriter, writtenBytes } from '../../src/std/bytes.ts';
import type { Time } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { createWorld } from './world.ts';

scenario(
  'PRC-2 a price is taken only within 5 s of its observation, and only once',
  `
  market BTCUSDT
  index 60000 observed 1759999994999 -> prices 0
  index 60000 observed 1760000005001 -> prices 0
  shows index 0
  index 60000 observed 1759999995000 -> prices 1
  shows index 60000
  # A source that is frozen states the same observation again and again: its index grows old.
  after 4000
  index 60100 observed 1759999995000 -> prices 0
  shows index 60000 age 4000
  # Its clock may run ahead by 5 s, but then it is silent until the time it has stated has passed.
  index 60200 observed 1760000009000 -> prices 1
  shows index 60200 age 0
  after 4999
  index 60300 observed 1760000008999 -> prices 0
  index 60300 observed 1760000009000 -> prices 0
  index 60300 observed 1760000009001 -> prices 1
  shows index 60300 age 0
  `,
);

scenario(
  'PRC-2 a source whose time runs backwards is ignored until it is ahead again',
  `
  market BTCUSDT
  index 60000
  index 61000 observed 1760000000249 -> prices 0
  index 61000 observed 1 -> prices 0
  shows index 60000
  index 61000 -> prices 1
  shows index 61000
  `,
);

test('PRC-2 the engine never goes back in time: an earlier batch time is a fault', () => {
  const { exchange } = play(createWorld(), 'market BTCUSDT\nindex 60000');
  const before = exchange.time;
  expect(() => beginBatch(exchange, (before - 1) as Time)).toThrow(Fault);
  expect(exchange.time).toBe(before);
});

test('PRC-2 a price that is 0, negative, not finite or out of range is ignored', () => {
  const { exchange } = play(createWorld(), 'market BTCUSDT\nindex 60000');
  beginBatch(exchange, (exchange.time + 250) as Time);
  const good = { market: 0, source: 'sim', ticks: 600_000, observedAt: exchange.time };
  const bad: object[] = [
    { ticks: 0 },
    { ticks: -600_000 },
    { ticks: Number.NaN },
    { ticks: Number.POSITIVE_INFINITY },
    { ticks: 600_000.5 },
    { ticks: ticksMax + 1 },
    { observedAt: Number.NaN },
    { observedAt: Number.POSITIVE_INFINITY },
    { observedAt: exchange.time + 0.5 },
    { source: 'other' },
    { source: '' },
    { market: 1 },
    { market: -1 },
  ];
  for (const fields of bad) {
    const before = stateHash(exchange) + priceHash(exchange);
    const price = { ...good, ...fields } as never as IndexPrice;
    const outcome = applyCommand(exchange, { kind: 'indexTick', prices: [price] }, 0 as Time);
    expect(outcome, JSON.stringify(fields)).toEqual({ kind: 'accepted', prices: 0 });
    expect(stateHash(exchange) + priceHash(exchange)).toBe(before);
    expect(exchange.events).toEqual([]);
  }
  // A bad price does not spoil the good one beside it.
  const prices = [...bad.map((fields) => ({ ...good, ...fields })), good] as never as IndexPrice[];
  const outcome = applyCommand(exchange, { kind: 'indexTick', prices }, 0 as Time);
  expect(outcome).toEqual({ kind: 'accepted', prices: 1 });
});

test('PRC-2 a number that is no safe integer never reaches the log: the codec faults on it', () => {
  const good = { market: 0, source: 'sim', ticks: 600_000, observedAt: 1_760_000_000_000 };
  const encoded = (fields: object): Buffer => {
    const prices = [{ ...good, ...fields }] as never as IndexPrice[];
    const writer = createByteWriter();
    encodeCommand(writer, { kind: 'indexTick', prices }, 0 as Time);
    return writtenBytes(writer);
  };
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 0.5, 2 ** 53]) {
    expect(() => encoded({ ticks: value })).toThrow(Fault);
    expect(() => encoded({ observedAt: value })).toThrow(Fault);
  }
  // Zero and below are integers: they travel, and the engine ignores them.
  expect(decodeCommand(createByteReader(encoded({ ticks: -1 }))).command).toEqual({
    kind: 'indexTick',
    prices: [{ ...good, ticks: -1 }],
  });
});

scenario(
  'PRC-2 the first index is accepted, and after it moves of at most 10 %',
  `
  market BTCUSDT
  index 60000
  index 66000
  shows index 66000
  # 66000 / 10 = 6600: 59400 is the lowest.
  index 59399.9
  shows index 66000 pending 1
  index 59400
  shows index 59400 pending 0
  events indexRefused 1 priced 3
  `,
);

scenario(
  'PRC-2 with one source a jump of 50 % counts when three successive ticks, 1 s apart, agree',
  `
  market BTCUSDT
  credit anna 10000
  index 60000
  index 90000
  # Index, mark and their age stay as they were.
  shows index 60000 mark 60000 age 250 pending 1
  # A quarter of a second later is the same statement, not another one.
  index 90000
  index 90000
  index 90000
  shows index 60000 pending 1
  index 90000
  shows index 60000 pending 2
  prices sim=90000 after 999
  shows pending 2
  prices sim=90000 after 1
  shows index 90000 mark 90000 age 0 pending 0
  events indexRefused 6 priced 2
  `,
);

scenario(
  'PRC-2 successive ticks agree when every two of them lie within 1 % of the lower one',
  `
  market BTCUSDT
  index 60000
  prices sim=90000 after 1000
  # 900 is 1 % of 90000; the third lies within 1 % of the second, not of the first.
  prices sim=90900 after 1000
  shows pending 2
  prices sim=90900.1 after 1000
  shows index 60000 pending 1
  # The one that disagreed is the first of a new row.
  prices sim=90000.1 after 1000
  prices sim=90900.1 after 1000
  shows index 90900.1 pending 0
  `,
);

scenario(
  'PRC-2 the jump of a source that comes back is never accepted and is dropped',
  `
  market BTCUSDT
  index 60000
  prices sim=30000 after 1000
  prices sim=30000 after 1000
  shows pending 2
  prices sim=60100 after 1000
  shows index 60100 pending 0
  prices sim=30000 after 1000
  prices sim=30000 after 1000
  shows index 60100 pending 2
  # Two jumps to different places do not help each other either.
  prices sim=90000 after 1000
  prices sim=30000 after 1000
  shows index 60100 pending 1
  `,
);

scenario(
  'PRC-2 PRC-2a with two sources a jump counts at once when both show it, never when only one does',
  `
  market BTCUSDT indexSources a:1,b:1
  prices a=60000 b=60000
  # b alone says half as much again: the mean is 75000, and neither lies within 1 % of it.
  prices a=60000 b=90000
  shows index 60000 pending 1
  prices a=60000 b=90000 after 1000
  prices a=60000 b=90000 after 1000
  prices a=60000 b=90000 after 1000
  # Three agree, and more: here that is not enough, no more than two are kept.
  shows index 60000 pending 2 age 3250
  # 90000 and 91000 make 90500: both lie within 905 of it.
  prices a=90000 b=91000
  shows index 90500 pending 0
  # A little wider, 60000 and 61500 make 60750 and 607.5: no source confirms.
  prices a=60000 b=61500
  shows index 90500
  events indexRefused 5
  `,
);

scenario(
  'PRC-2 two sources confirm a jump when both lie within 1 % of it, not further away',
  `
  # Both pairs make 90000, of which 1 % is 900.
  market BTCUSDT indexSources a:1,b:1
  prices a=60000 b=60000
  prices a=89099.9 b=90900.1
  shows index 60000 pending 1
  prices a=89100 b=90900
  shows index 90000 pending 0
  `,
);

scenario(
  'PRC-2 one false source of two moves the index by half of its error, by at most 20 % per tick',
  `
  market BTCUSDT indexSources a:1,b:1
  prices a=60000 b=60000
  prices a=60000 b=72000.2
  # The mean is 66000.1: refused.
  shows index 60000
  prices a=60000 b=72000
  shows index 66000
  `,
);

scenario(
  'PRC-2 when one of two sources is silent, the other alone does not confirm a jump',
  `
  market BTCUSDT indexSources a:1,b:1
  prices a=60000 b=60000
  # b counts for 5 s after it was taken, and no longer.
  prices a=60200 after 5000
  shows index 60100
  prices a=60200 after 1
  shows index 60200
  prices a=90000 after 1000
  prices a=90000 after 1000
  prices a=90000 after 1000
  shows index 60200 pending 2
  # Past 120 s the market is halted and a third agreeing tick is enough, from any source: two have
  # waited.
  prices a=90000 after 117000
  shows index 60200 age 120000 pending 2
  prices a=90000 after 1
  shows status HALT index 60200 pending 2
  prices a=90000 after 999
  shows index 90000 pending 0
  `,
);

scenario(
  'PRC-2 one false source of three moves nothing, with any price',
  `
  market BTCUSDT indexSources a:1,b:1,c:1
  prices a=60000 b=60010 c=60020
  shows index 60010
  prices a=60000 b=60010 c=0.1
  shows index 60000
  prices a=60000 b=60010 c=100000000
  shows index 60010
  events indexRefused 0
  # Two of three, within 1 % of the median, confirm a jump; c is the one that lies then.
  prices a=90000 b=90900 c=60000
  shows index 90000
  # Two that say different things are the median, but confirm nothing.
  prices a=60000 b=130000 c=140000
  shows index 90000
  `,
);

scenario(
  'PRC-2 a false source with most of the weight is the median but confirms no jump alone',
  `
  market BTCUSDT indexSources a:1,b:1,c:3
  prices a=60000 b=60000 c=60000
  prices a=60000 b=60000 c=66000
  shows index 66000
  prices a=60000 b=60000 c=90000
  shows index 66000
  # a and b cannot outvote it: the median stays c's, and the index stays until c is silent.
  prices a=60000 b=60000 after 5000
  shows index 66000 age 5250
  prices a=60000 b=60000 after 1
  shows index 60000
  `,
);

scenario(
  'PRC-2 after a gap of more than 120 s three agreeing ticks replace the test for jumps',
  `
  market BTCUSDT
  index 60000
  after 28800000
  shows status HALT restriction halted
  index 30000
  index 30000
  shows index 60000 pending 1
  prices sim=30000 after 750
  shows index 60000 pending 2 status HALT
  prices sim=30100 after 1000
  shows index 30100 mark 30100 pending 0 status TRADING breaker 0
  # Even the same price as before needs three.
  after 120001
  index 30100
  shows age 120251 pending 1
  steady 30100 for 2000
  shows age 0
  # At 120 s exactly there was no such gap.
  prices sim=30200 after 120000
  shows index 30200 age 0
  prices sim=30200 after 120001
  shows age 120001
  `,
);

scenario(
  'PRC-2 after a gap agreeing sources are not enough: they need three ticks too',
  `
  market BTCUSDT indexSources a:1,b:1,c:1
  prices a=60000 b=60000 c=60000
  prices a=40000 b=40000 c=40000 after 28800000
  prices a=40000 b=40000 c=40000 after 1000
  shows index 60000 pending 2
  prices a=40000 b=40000 c=40000 after 1000
  shows index 40000
  `,
);

scenario(
  'PRC-2 a source counts for 5 s, and after that the others make the index without it',
  `
  market BTCUSDT indexSources a:1,b:1,c:1
  prices a=60000 b=60100 c=60200
  shows index 60100
  prices a=60000 b=60100 after 5000
  shows index 60100
  # c has fallen out: the mean of a and b.
  prices a=60000 b=60100 after 1
  shows index 60050
  prices c=60200
  shows index 60100
  # A source alone is the index.
  prices c=60300 after 5001
  shows index 60300
  `,
);

scenario(
  'PRC-2 prices of an index tick that is refused are kept and count in the next one',
  `
  market BTCUSDT indexSources a:1,b:1
  prices a=60000 b=60000
  prices a=90000
  shows index 60000
  prices b=90000
  shows index 90000
  `,
);

test('PRC-2 of two prices of one source in one tick the newer one counts', () => {
  const { exchange } = play(createWorld(), 'market BTCUSDT\nindex 60000');
  beginBatch(exchange, (exchange.time + 250) as Time);
  const price = (ticks: number, ago: number) =>
    ({ market: 0, source: 'sim', ticks, observedAt: exchange.time - ago }) as never as IndexPrice;
  const prices = [price(600_100, 20), price(600_200, 10), price(600_300, 15)];
  const outcome = applyCommand(exchange, { kind: 'indexTick', prices }, 0 as Time);
  expect(outcome).toEqual({ kind: 'accepted', prices: 2 });
  expect(exchange.markets[0]!.prices.index).toBe(600_200);
});
