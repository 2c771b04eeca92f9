// What the ticket sends is what was typed, and what could not be sent is refused before.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gridText, plainText, scaledOf } from '../../src/page/state/grid.ts';
import type { Market } from '../../src/page/state/market.ts';
import {
  isTriggerWish,
  orderRequest,
  triggerRequest,
  type Wish,
} from '../../src/page/state/orderWish.ts';
import {
  afterSending,
  type Draft,
  emptyDraft,
  orderTypes,
  partsOf,
} from '../../src/page/ticket/draft.ts';
import { draftWish } from '../../src/page/ticket/draftWish.ts';
import { expectedLeg, type LegName, legTicks } from '../../src/page/ticket/legTicks.ts';
import { lotsFor, marginOf } from '../../src/page/ticket/lotsFor.ts';
import { problemsOf, readDraft } from '../../src/page/ticket/readDraft.ts';

const market = {
  symbol: 'BTCUSDT',
  tick: { decimals: 1, step: 1 },
  lot: { decimals: 3, step: 1 },
  // 0.1 USDT × 0.001 BTC is 100 millionths.
  grain: 100n,
  orderMin: 5_000_000n,
  orderMax: 1_000_000_000_000n,
} as unknown as Market;

const now = Date.UTC(2026, 0, 1);

const requestOf = (wish: Wish) => (isTriggerWish(wish) ? triggerRequest(wish) : orderRequest(wish));

const send = (part: Partial<Draft>, marketTicks?: bigint) => {
  const draft = { ...emptyDraft, ...part };
  const reading = readDraft(draft, { market, marketTicks, inUtc: true });
  const problems = problemsOf(draft, reading, { market, now });
  const wish = problems.size === 0 ? draftWish(draft, reading, { market, side: 'BUY' }) : undefined;
  return { reading, problems: [...problems], request: wish && requestOf(wish) };
};

const own = { symbol: 'BTCUSDT', side: 'BUY' } as const;

test('a limit order in base and in USDT', () => {
  const base = send({ price: '50000.5', size: '0.1' });
  expect(base.request).toEqual({
    ...own,
    type: 'LIMIT',
    price: '50000.5',
    quantity: '0.100',
    time_in_force: 'GTC',
  });
  expect(base.reading.value).toBe(5_000_050_000n);
  // USDT are rounded down to whole lots.
  const quote = send({ price: '50000.5', size: '5049.99', unit: 'quote', timeInForce: 'FOK' });
  expect(quote.request).toMatchObject({ quantity: '0.100', time_in_force: 'FOK' });
});

test('a market order needs no price, is valued at the market, and bounds its slippage', () => {
  const priced = send(
    { type: 'MARKET', price: 'nonsense', size: '0.2', slippage: '0.5' },
    500_000n,
  );
  expect(priced.request).toEqual({
    ...own,
    type: 'MARKET',
    quantity: '0.200',
    max_slippage: '0.0050',
  });
  // Without a price the exchange judges the value.
  expect(send({ type: 'MARKET', size: '0.2' }).problems).toEqual([]);
  expect(send({ type: 'MARKET', size: '5', unit: 'quote' }).problems).toEqual([
    ['size', 'noPrice'],
  ]);
});

test('stops and take-profits become limit or market orders, until a date', () => {
  const stop = { type: 'STOP', trigger: '49000', size: '0.2' } as const;
  expect(send(stop).request).toEqual({
    ...own,
    type: 'STOP_MARKET',
    trigger_price: '49000.0',
    quantity: '0.200',
  });
  const goodTill = { timeInForce: 'GTD', goodTill: '2026-01-02T00:00' } as const;
  const limited = { ...stop, runsAs: 'LIMIT', price: '48990' } as const;
  expect(send({ ...limited, timeInForce: 'IOC' }).request).toEqual({
    ...own,
    type: 'STOP',
    trigger_price: '49000.0',
    price: '48990.0',
    quantity: '0.200',
    time_in_force: 'IOC',
  });
  expect(send({ ...limited, type: 'TAKE_PROFIT', ...goodTill }).request).toMatchObject({
    type: 'TAKE_PROFIT',
    time_in_force: 'GTD',
    good_till_date: now + 86_400_000,
  });
});

test('a stop that closes the whole position has no size and is not reduce-only', () => {
  const closing = { type: 'STOP', trigger: '49000', closesAll: true, reduceOnly: true } as const;
  expect(send(closing).request).toEqual({
    ...own,
    type: 'STOP_MARKET',
    trigger_price: '49000.0',
    close_position: true,
  });
});

test('a trailing stop has its callback in percent, and no price', () => {
  const trailing = { type: 'TRAILING', size: '0.2', callback: '1,5', price: 'x', trigger: 'y' };
  expect(send({ ...trailing, type: 'TRAILING' }, 500_000n).request).toEqual({
    ...own,
    type: 'TRAILING_STOP_MARKET',
    callback_rate: '1.50',
    quantity: '0.200',
  });
  const activated = send({ ...trailing, type: 'TRAILING', activation: '48000' });
  expect(activated.request).toMatchObject({ activate_price: '48000.0' });
});

test('legs are sent with an order that opens, and not with one that reduces', () => {
  const legs = {
    hasLegs: true,
    takeProfit: '52000',
    stopLoss: '48000',
    stopLossPrice: '47900',
  } as const;
  const order = { price: '50000', size: '0.1', ...legs };
  expect(send(order).request).toMatchObject({
    take_profit: { trigger_price: '52000.0' },
    stop_loss: { trigger_price: '48000.0', price: '47900.0' },
  });
  const reducing = send({ ...order, reduceOnly: true }).request;
  expect(reducing).toMatchObject({ reduce_only: true });
  expect(reducing).not.toHaveProperty('stop_loss');
  const empty = { ...order, takeProfit: '', stopLoss: '', stopLossPrice: '' };
  expect(send(empty).problems).toEqual([['takeProfit', 'legsEmpty']]);
  const limitAlone = { ...order, stopLoss: '' };
  expect(send(limitAlone).problems).toEqual([['stopLoss', 'empty']]);
});

test('legs in percent are as far from the price of the order, on the side that its side asks', () => {
  const legs = { hasLegs: true, legsAs: 'percent', takeProfit: '2', stopLoss: '1,5' } as const;
  const limit = send({ price: '50000', size: '0.1', ...legs, stopLossPrice: '1' });
  expect(limit.request).toMatchObject({
    take_profit: { trigger_price: '51000.0' },
    stop_loss: { trigger_price: '49250.0' },
  });
  const { reading } = limit;
  expect(legTicks('takeProfit', 'SELL', legs, reading)).toBe(490_000n);
  expect(legTicks('stopLoss', 'SELL', legs, reading)).toBe(507_500n);
  // A market order begins at the price of the market, a stop at its trigger.
  expect(send({ type: 'MARKET', size: '0.1', ...legs }, 400_000n).request).toMatchObject({
    take_profit: { trigger_price: '40800.0' },
  });
  const stop = { type: 'STOP', trigger: '60000', size: '0.1', ...legs } as const;
  expect(send(stop, 400_000n).request).toMatchObject({
    stop_loss: { trigger_price: '59100.0' },
  });
  expect(send({ type: 'MARKET', size: '0.1', ...legs }).problems).toEqual([
    ['takeProfit', 'noLegPrice'],
    ['stopLoss', 'noLegPrice'],
  ]);
  expect(send({ price: '50000', size: '0.1', ...legs, stopLoss: '100' }).problems).toEqual([
    ['stopLoss', 'outOfRange'],
  ]);
});

test('what a leg would bring: distance, profit and the return on the margin', () => {
  const expected = (part: Partial<Draft>, leg: LegName) => {
    const draft: Draft = { ...emptyDraft, price: '50000', size: '0.1', hasLegs: true, ...part };
    const reading = readDraft(draft, { market, marketTicks: undefined, inUtc: true });
    return expectedLeg(leg, draft, reading, { market, leverage: 20 });
  };
  // 0.1 × 1000 USDT; 2 % of the price is 40 % of a margin of a twentieth.
  expect(expected({ takeProfit: '51000' }, 'takeProfit')).toEqual({
    side: 'BUY',
    distance: 200n,
    profit: 100_000_000n,
    returned: 4000n,
  });
  expect(expected({ takeProfit: '49000' }, 'takeProfit')).toMatchObject({
    side: 'SELL',
    distance: -200n,
    profit: 100_000_000n,
  });
  expect(expected({ stopLoss: '49500' }, 'stopLoss')).toEqual({
    side: 'BUY',
    distance: -100n,
    profit: -50_000_000n,
    returned: -2000n,
  });
  // The limit is where it fills.
  expect(expected({ stopLoss: '49500', stopLossPrice: '49000' }, 'stopLoss')).toMatchObject({
    profit: -100_000_000n,
  });
  expect(expected({ legsAs: 'percent', stopLoss: '1', size: '' }, 'stopLoss')).toMatchObject({
    profit: undefined,
    returned: -2000n,
  });
  expect(expected({ price: '', takeProfit: '51000' }, 'takeProfit')).toBeUndefined();
});

test.each([
  [{ size: '1' }, ['price', 'empty']],
  [{ price: '5000', size: '' }, ['size', 'empty']],
  [{ price: '1,234', size: '1' }, ['price', 'ambiguous']],
  [{ price: '5.05', size: '1' }, ['price', 'offGrid']],
  [{ price: '50000', size: '0.0001' }, ['size', 'offGrid']],
  [{ price: '1', size: '1' }, ['size', 'belowMinimum']],
  [{ price: '900000000', size: '900000' }, ['size', 'aboveMaximum']],
  [{ price: '99999999999999999999', size: '1' }, ['price', 'tooLarge']],
  [{ type: 'STOP', size: '1' }, ['trigger', 'empty']],
  [{ type: 'TRAILING', size: '1', callback: '0.09' }, ['callback', 'outOfRange']],
  [{ type: 'TRAILING', size: '1', callback: '10.01' }, ['callback', 'outOfRange']],
  [{ type: 'MARKET', size: '1', slippage: '100.01' }, ['slippage', 'outOfRange']],
  [{ type: 'STOP', trigger: '50000', size: '1', timeInForce: 'GTD' }, ['goodTill', 'empty']],
] as const)('%j is refused: %j', (part, problem) => {
  const { problems, request } = send(part);
  expect(problems).toEqual([problem]);
  expect(request).toBeUndefined();
});

test.each([
  ['2026-01-01T00:09', 'outOfRange'],
  ['2026-01-01T00:10', undefined],
  ['2026-04-01T00:00', undefined],
  ['2026-04-01T00:01', 'outOfRange'],
  ['2026-13-01T00:00', 'empty'],
])('a date at %s: %s', (goodTill, kind) => {
  const { problems } = send({
    type: 'STOP',
    trigger: '50000',
    size: '1',
    timeInForce: 'GTD',
    goodTill,
  });
  expect(problems).toEqual(kind === undefined ? [] : [['goodTill', kind]]);
});

test('an order that only reduces may be small', () => {
  expect(send({ price: '1', size: '1', reduceOnly: true }).request).toMatchObject({
    reduce_only: true,
  });
});

test('the largest size fits into the available money with what an order freezes', () => {
  for (const leverage of [1, 3, 7, 20, 50]) {
    const [available, ticks] = [12_345_678_901n, 500_005n];
    const lots = lotsFor(available, { ticks, leverage, market });
    const freeze = (count: bigint): bigint =>
      (count * ticks * market.grain * 1005n) / (BigInt(leverage) * 1000n);
    expect(freeze(lots)).toBeLessThanOrEqual(available);
    expect(freeze(lots + 1n)).toBeGreaterThan(available - 1n);
  }
  expect(lotsFor(0n, { ticks: 5n, leverage: 1, market })).toBe(0n);
  expect(marginOf(10n, 3)).toBe(4n);
});

describe('over any draft', () => {
  const tick = market.tick;
  const price = fc.bigInt({ min: 1n, max: 10_000_000n }).map((ticks) => gridText(ticks, tick));
  const odd = fc.oneof(
    price.map((text) => text.replace('.', ',')),
    price.map((text) => ` ${text} `),
    fc.string({ maxLength: 8 }),
    fc.constantFrom('', '1e5', '-1', '٣', '0x10', '１２', '1.2.3', '9007199254740993', '<b>'),
  );
  const typed = fc.oneof({ weight: 4, arbitrary: price }, { weight: 1, arbitrary: odd });
  const percent = fc.bigInt({ min: 1n, max: 9999n }).map((part) => plainText(part, 2));
  const drafts = fc.record({
    type: fc.constantFrom(...orderTypes),
    runsAs: fc.constantFrom('MARKET', 'LIMIT'),
    trigger: typed,
    callback: fc.constantFrom('1', '0.1', '10', '2,5', '0'),
    activation: typed,
    price: typed,
    size: fc.oneof(
      fc.bigInt({ min: 1n, max: 1_000_000n }).map((lots) => gridText(lots, market.lot)),
      odd,
    ),
    unit: fc.constantFrom('base', 'quote'),
    slippage: fc.constantFrom('', '1', '0.55'),
    timeInForce: fc.constantFrom('GTC', 'IOC', 'FOK', 'GTX', 'GTD'),
    goodTill: fc.constantFrom('', '2026-01-03T10:00'),
    reduceOnly: fc.boolean(),
    closesAll: fc.boolean(),
    selfTrade: fc.constantFrom('', 'NONE', 'EXPIRE_TAKER'),
    hasLegs: fc.boolean(),
    legsAs: fc.constantFrom('price', 'percent'),
    takeProfit: fc.oneof({ weight: 1, arbitrary: typed }, { weight: 2, arbitrary: percent }),
    takeProfitPrice: fc.oneof(fc.constant(''), typed),
    stopLoss: fc.oneof({ weight: 1, arbitrary: typed }, { weight: 2, arbitrary: percent }),
    stopLossPrice: fc.oneof(fc.constant(''), typed),
  }) as fc.Arbitrary<Draft>;

  /** The slow twin of what was typed: a plain decimal, as whole 10^-12. */
  const meant = (text: string): bigint => {
    const plain = text.replace(/[\s_\u00a0\u202f']/g, '');
    const both = plain.includes('.') && plain.includes(',');
    return scaledOf(both ? plain.replaceAll(',', '') : plain.replace(',', '.'), 12);
  };
  const sentAs = (text: unknown): bigint => scaledOf(String(text), 12);
  const marketTicks = 500_000n;
  const hundred = scaledOf('100', 12);
  const halfTick = scaledOf('0.05', 12);

  /** A leg in percent is as far from the price of the order, to the nearest tick. */
  const expectLeg = (draft: Draft, leg: LegName, wire: unknown): void => {
    const { price: hasPrice, trigger: hasTrigger } = partsOf(draft);
    const entry = hasPrice
      ? meant(draft.price)
      : hasTrigger
        ? meant(draft.trigger)
        : sentAs(gridText(marketTicks, tick));
    const part = leg === 'takeProfit' ? meant(draft[leg]) : -meant(draft[leg]);
    const off = sentAs(wire) * hundred - entry * (hundred + part);
    expect(off < 0n ? -off : off).toBeLessThanOrEqual(halfTick * hundred);
  };

  test('every decimal on the wire is exactly what was typed, and nothing else is sent', () => {
    let sent = 0;
    let inPercent = 0;
    fc.assert(
      fc.property(drafts, (draft) => {
        const { request } = send(draft, marketTicks);
        if (request === undefined) return;
        sent += 1;
        const parts = partsOf(draft);
        const wire = request as Record<string, unknown>;
        const pairs: [unknown, string, boolean][] = [
          [wire.price, draft.price, parts.price],
          [wire.trigger_price, draft.trigger, parts.trigger],
          [wire.activate_price, draft.activation, parts.trails && draft.activation.trim() !== ''],
          [wire.callback_rate, draft.callback, parts.trails],
        ];
        for (const leg of ['takeProfit', 'stopLoss'] as const) {
          const name = leg === 'takeProfit' ? 'take_profit' : 'stop_loss';
          const body = (wire[name] ?? {}) as Record<string, unknown>;
          const isTyped = (text: string): boolean => parts.legs && text.trim() !== '';
          if (parts.legPrices) {
            pairs.push([body.trigger_price, draft[leg], isTyped(draft[leg])]);
            pairs.push([body.price, draft[`${leg}Price`], isTyped(draft[`${leg}Price`])]);
          } else {
            expect([body.trigger_price !== undefined, body.price]).toEqual([
              isTyped(draft[leg]),
              undefined,
            ]);
            if (isTyped(draft[leg])) expectLeg(draft, leg, body.trigger_price);
            inPercent += isTyped(draft[leg]) ? 1 : 0;
          }
        }
        for (const [text, typedText, counts] of pairs) {
          expect(text !== undefined).toBe(counts);
          if (counts) expect(sentAs(text)).toBe(meant(typedText));
        }
        if (parts.closesAll) expect(wire).not.toHaveProperty('quantity');
        else if (draft.unit === 'base') expect(sentAs(wire.quantity)).toBe(meant(draft.size));
        else expect(sentAs(wire.quantity)).toBeGreaterThan(0n);
        // A number never becomes text by way of a float.
        for (const text of JSON.stringify(wire).match(/"-?\d[^"]*"/g) ?? []) {
          expect(text).toMatch(/^"\d+(\.\d+)?"$/);
        }
      }),
      { numRuns: 4000 },
    );
    expect(sent).toBeGreaterThan(500);
    expect(inPercent).toBeGreaterThan(20);
  });
});

describe('what leaves the ticket with an order', () => {
  const legs = { hasLegs: true, takeProfit: '60000', stopLoss: '40000' } as const;
  const sent: Draft = { ...emptyDraft, price: '50000', size: '0.1', ...legs };

  test('size, trigger and legs leave, and everything else stays', () => {
    const draft: Draft = { ...sent, type: 'STOP', trigger: '49000', activation: '48000' };
    expect(afterSending(draft, draft)).toEqual({ ...emptyDraft, type: 'STOP', price: '50000' });
  });

  test('what was typed while the order was on its way stays', () => {
    expect(afterSending({ ...sent, size: '0.2' }, sent)).toEqual({
      ...emptyDraft,
      price: '50000',
      size: '0.2',
    });
  });

  test('legs of which one part was changed stay whole, so that no stop-loss is lost', () => {
    const changed: Draft = { ...sent, takeProfit: '61000' };
    expect(afterSending(changed, sent)).toEqual({ ...changed, size: '' });
    const without: Draft = { ...sent, hasLegs: false, takeProfit: '', stopLoss: '' };
    expect(afterSending(sent, without)).toEqual({ ...sent, size: '' });
  });
});
