// Order ids, client order ids, trade ids, symbols (ID-1, ID-2, SYM-0).

import { describe, expect, test } from 'vitest';
import { generatedClientOrderId, isClientOrderId } from '../../src/engine/clientOrderId.ts';
import type { OrderReference } from '../../src/engine/command.ts';
import { findOrder } from '../../src/engine/findOrder.ts';
import { findTrigger } from '../../src/engine/findTrigger.ts';
import { directValues } from '../../src/std/directMap.ts';
import { normalizeSymbol } from '../../src/units/symbol.ts';
import type { MarketId, OrderId, Time } from '../../src/units/units.ts';
import { formatUuid, isUuid, parseUuid } from '../../src/units/uuid.ts';
import { play, scenario } from './scenario.ts';
import { twoMarkets } from './stages.ts';
import { accountOf, createWorld } from './world.ts';

scenario(
  'ID-2 clientOrderIdDuplicate: the id must be unique among the active orders of the account',
  `
  ${twoMarkets}
  anna buy 0.1 @ 59000 id mine -> NEW
  anna buy 0.1 @ 59000 id mine -> clientOrderIdDuplicate
  anna buy ETHUSDT 1 @ 2900 id mine -> clientOrderIdDuplicate
  ben buy 0.1 @ 59000 id mine -> NEW
  anna cancel mine -> CANCELED
  anna buy 0.1 @ 59000 id mine -> NEW
  # A fill ends the order as well.
  ben cancelAll
  ben sell 0.1 @ 59000
  anna buy 0.1 @ 59000 id mine -> NEW
  `,
);

scenario(
  'ID-1 tradeId increases by one within a symbol',
  `
  ${twoMarkets}
  anna buy 0.2 @ 60000
  ben sell 0.1 @ 60000
  shows tradeId 1
  anna buy ETHUSDT 1 @ 3000
  ben sell ETHUSDT 1 @ 3000
  shows ETHUSDT tradeId 1
  ben sell 0.1 @ 60000
  shows tradeId 2
  `,
);

scenario(
  'ID-1 takeovers and deleveragings get trade numbers from the same sequence',
  `
  # Anna, long 0.01 from 60000, has 3 of 5.84 at 58400: the fund takes over what a quarter of it
  # bears. The rest is deleveraged.
  market BTCUSDT makerFee 0 takerFee 0 fundingFactor 0 liquidationFeeRate 0
  credit anna 19
  credit ben 10000
  insurance 1000
  index 60000
  anna leverage 50
  anna buy 0.01 @ 60000
  ben sell 0.01 @ 60000
  shows tradeId 1
  index 58400
  takenOver anna 0.004@58100
  deleveraged anna ben 0.006@58100
  shows tradeId 3
  `,
);

test('ID-2a a generated client order id is derived from the order number and finds the order', () => {
  const world = play(createWorld(), `${twoMarkets}\nanna buy 0.1 @ 59000`);
  const [order] = directValues(world.exchange.orders);
  const text = generatedClientOrderId(order!.id);
  expect(isClientOrderId(text)).toBe(true);
  expect(text).toHaveLength(22);
  // Nothing is stored for it, no other order may take it while the order lives, and its owner finds
  // it.
  expect(order!.clientOrderId).toBe('');
  play(
    world,
    `
    anna order ${text} status NEW
    anna buy 0.1 @ 59000 id ${text} -> clientOrderIdDuplicate
    ben buy 0.1 @ 59000 id ${text} -> NEW
    ben cancel ${text} -> CANCELED
    anna modify ${text} 0.2 @ 59000 -> NEW
    anna cancel ${text} -> CANCELED
    anna buy 0.1 @ 59000 id ${text} -> NEW
    `,
  );
});

test('ID-2 ID-2a an order with a client id is found by that id and by its number, not by a derived id', () => {
  const world = play(createWorld(), twoMarkets);
  play(world, 'anna buy 0.1 @ 59000 id x\nanna trigger buy 0.1 STOP_MARKET stop 61000 id y');
  const { exchange } = world;
  const account = accountOf(world, 'anna');
  const other = 1 as MarketId;
  const found = [
    { find: findOrder, name: 'x', held: directValues(exchange.orders)[0]! },
    { find: findTrigger, name: 'y', held: [...exchange.triggers.values()][0]! },
  ];
  for (const { find, name, held } of found) {
    const { id, createdAt } = held;
    const look = (reference: OrderReference, market?: MarketId): unknown =>
      find(exchange, account, reference, market);
    expect(look({ clientOrderId: name })).toBe(held);
    expect(look({ id, createdAt })).toBe(held);
    expect(look({ clientOrderId: generatedClientOrderId(id) })).toBeUndefined();
    // The time is a part of the id; and nothing is found on another market.
    expect(look({ id, createdAt: (createdAt - 1) as Time })).toBeUndefined();
    expect(look({ id, createdAt }, other)).toBeUndefined();
    expect(look({ clientOrderId: name }, other)).toBeUndefined();
    expect(look({ clientOrderId: 'never' })).toBeUndefined();
  }
});

test('ID-1 an id is a UUID of version 7 from time and number, and both can be read back', () => {
  const time = 1_760_000_000_000 as Time;
  const text = formatUuid(time, 5);
  expect(text).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  // 1760000000000 = 0x199c82cc000; 5 is in bits 21 to 61 of the lower half.
  expect(text).toBe('0199c82c-c000-7000-8000-000000a00000');
  expect(formatUuid(time, 5)).toBe(text);
  expect(parseUuid(text)).toEqual({ time, sequence: 5 });
  const largest = Number.MAX_SAFE_INTEGER;
  expect(parseUuid(formatUuid(time, largest))).toEqual({ time, sequence: largest });
  expect(formatUuid(time, 6) > text).toBe(true);
  expect(formatUuid((time + 1) as Time, 4) > formatUuid(time, 6)).toBe(true);
});

test('ID-1 every time and number that fit into their bits are read back unchanged', () => {
  for (const sequence of [0, 1, 2 ** 11, 2 ** 41 - 1, 2 ** 41, Number.MAX_SAFE_INTEGER]) {
    for (const time of [0, 1_760_000_000_000, 2 ** 48 - 1] as Time[]) {
      const text = formatUuid(time, sequence);
      expect(isUuid(text), text).toBe(true);
      expect(parseUuid(text)).toEqual({ time, sequence });
      expect(parseUuid(text.toUpperCase())).toEqual({ time, sequence });
    }
  }
});

describe('ID-1 an id that the exchange cannot have made is not accepted as its own', () => {
  test.each([
    // Version 4, the variants below and above, and bits where ours has zeros.
    ['0199c82c-c000-4000-8000-000000a00000', true],
    ['0199c82c-c000-7000-7fff-ffffffe00000', true],
    ['0199c82c-c000-7000-c000-000000000000', true],
    ['0199c82c-c000-7000-f000-000000a00000', true],
    ['0199c82c-c000-7000-8000-000000a00001', true],
    ['0199c82c-c000-7000-8000-000000b00000', true],
    // Not a UUID.
    ['0199c82c-c000-7000-8000-000000a000000', false],
    ['00199c82c-c000-7000-8000-000000a00000', false],
    ['0199c82cc-000-7000-8000-000000a00000', false],
    ['0199c82c-c000-7000-8000-0000000000g0', false],
    ['0199c82cc000700080000000000a0000000', false],
    ['', false],
  ])('%s', (text, hasForm) => {
    expect(isUuid(text)).toBe(hasForm);
    expect(parseUuid(text)).toBeUndefined();
  });
});

test('ID-1 orders and trades draw their numbers from one sequence', () => {
  const world = play(createWorld(), `${twoMarkets}\nanna buy 0.1 @ 60000\nben sell 0.1 @ 60000`);
  const drawn: number[] = [];
  for (const event of world.events) {
    if (event.kind === 'orderPlaced' || event.kind === 'traded') drawn.push(event.id);
  }
  // The funding timers of two markets drew 1 and 2, two credits 3 and 4.
  expect(drawn).toEqual([5, 6, 7]);
});

describe('ID-2 the form of a client order id', () => {
  test.each(['a', '.A:/z09_-', 'x'.repeat(36)])('%j is one', (text) => {
    expect(isClientOrderId(text)).toBe(true);
  });
  test.each(['', 'x'.repeat(37), 'a b', 'ä', 'a\n', 'a,b', 'a"'])('%j is none', (text) => {
    expect(isClientOrderId(text)).toBe(false);
  });
  test('every number has its own id', () => {
    const numbers = [1, 61, 62, 3843, 3844, 2 ** 40, Number.MAX_SAFE_INTEGER];
    const texts = numbers.map((number) => generatedClientOrderId(number as OrderId));
    expect(new Set(texts).size).toBe(numbers.length);
    for (const text of texts) expect(isClientOrderId(text)).toBe(true);
  });
});

describe('SYM-0 a symbol as clients write it', () => {
  test.each([
    ['BTCUSDT', 'BTCUSDT'],
    ['btcusdt', 'BTCUSDT'],
    ['BTC-USDT', 'BTCUSDT'],
    ['btc/usd', 'BTCUSDT'],
    ['Btc_Usd', 'BTCUSDT'],
    ['-b-t-c-usdt', 'BTCUSDT'],
    ['a-usd', 'AUSDT'],
    ['USD', 'USD'],
    ['', ''],
  ])('%j is %j', (text, canonical) => {
    expect(normalizeSymbol(text)).toBe(canonical);
  });
});
