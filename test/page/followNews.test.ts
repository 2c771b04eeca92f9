// Notices of what happens to the account. The fills of an order are one notice, no notice comes
// twice, old events make none, and the list of past notices keeps each.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followNews } from '../../src/page/layout/followNews.ts';
import type { AccountNews, Fill } from '../../src/page/state/account.ts';
import { createNotices } from '../../src/page/state/notices.ts';
import { createServerClock } from '../../src/page/state/serverClock.ts';

const now = 1_760_000_000_000;
const soonMs = 1000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open(clockOffMs = 0) {
  const serverClock = createServerClock({ now: () => now + clockOffMs });
  const here = now + clockOffMs;
  serverClock.learn({ serverTime: now, askedAt: here, heardAt: here });
  const notices = createNotices({
    later: (step, milliseconds) => setTimeout(step, milliseconds),
    now: serverClock.now,
  });
  const listeners: ((news: AccountNews) => void)[] = [];
  const stop = followNews({
    notices,
    serverClock,
    onNews: (listener) => {
      listeners.push(listener);
      return () => listeners.splice(0).length > 0;
    },
  });
  const give = (news: unknown): void => {
    for (const listener of listeners) listener(news as AccountNews);
  };
  const shown = () => notices.shown.value.map(({ title, text }) => `${title}: ${text}`);
  return { notices, give, shown, stop };
}

const fill = (part: Partial<Fill>): AccountNews => ({
  kind: 'fill',
  fill: {
    id: 1,
    order_id: 'o1',
    symbol: 'BTCUSDT',
    side: 'BUY',
    price: '50000.0',
    qty: '0.010',
    quote_qty: '500',
    maker: true,
    time: now,
    ...part,
  } as Fill,
});

test('fills of one order are one notice with their size and average price', () => {
  const { give, shown, notices } = open();
  give(fill({}));
  give(fill({ id: 2, price: '50100.0', qty: '0.030', quote_qty: '1503' }));
  give(fill({ id: 3, order_id: 'o2', side: 'SELL' }));
  expect(shown()).toEqual([]);
  vi.advanceTimersByTime(soonMs);
  expect(shown()).toEqual([
    'Fill: Buy 0.04 BTCUSDT @ 50,075.0',
    'Fill: Sell 0.01 BTCUSDT @ 50,000.0',
  ]);
  expect([notices.past.value.length, notices.unread.value]).toEqual([2, 2]);
  notices.read();
  expect(notices.unread.value).toBe(0);
});

test('fills that the answer to an order showed make no notice, later fills make one', () => {
  const { give, shown, notices } = open();
  notices.say({ kind: 'good', title: 'Order filled', text: '', order: 'o1' });
  give(fill({ maker: false }));
  vi.advanceTimersByTime(soonMs);
  expect(shown()).toEqual(['Order filled: ']);
  give(fill({ id: 9 }));
  vi.advanceTimersByTime(soonMs);
  expect(shown().at(-1)).toBe('Fill: Buy 0.01 BTCUSDT @ 50,000.0');
});

test('a liquidation has its price and its loss, and so has a deleveraging', () => {
  const { give, shown, notices } = open();
  const closed = {
    symbol: 'BTCUSDT',
    side: 'SELL',
    qty: '0.100',
    price: '45000.0',
    realized_pnl: '-500.25',
    time: now,
  };
  give({ kind: 'liquidation', liquidation: { kind: 'flagged', symbol: null, time: now } });
  give({ kind: 'liquidation', liquidation: { ...closed, kind: 'takeover' } });
  give({
    kind: 'liquidation',
    liquidation: { ...closed, kind: 'deleveraging', realized_pnl: '12' },
  });
  give({ kind: 'liquidation', liquidation: { kind: 'fee', symbol: 'BTCUSDT', amount: '-1' } });
  expect(shown()).toEqual([
    'Your account is being liquidated: ',
    'Liquidation: Sell 0.100 BTCUSDT @ 45,000.0, loss 500.25 USDT',
    'Position deleveraged: Sell 0.100 BTCUSDT @ 45,000.0, gain 12 USDT',
  ]);
  expect(notices.shown.value.every(({ kind }) => kind === 'bad')).toBe(true);
});

test.each([0, 60_000, -60_000])(
  'what happened while the page was away is no notice but in the list, this clock off by %i ms',
  (clockOffMs) => {
    const { give, shown, notices } = open(clockOffMs);
    give(fill({ time: now - 3_600_000 }));
    const liquidation = { kind: 'flagged', symbol: 'BTCUSDT', time: now - 7_200_000 };
    give({ kind: 'liquidation', liquidation });
    give(fill({ id: 2, order_id: 'o2', time: now - 400 }));
    vi.advanceTimersByTime(soonMs);
    expect(shown()).toEqual(['Fill: Buy 0.01 BTCUSDT @ 50,000.0']);
    expect(notices.past.value.map(({ time }) => time)).toEqual([
      now,
      now - 3_600_000,
      now - 7_200_000,
    ]);
  },
);

test('the list is bounded, and a person who leaves takes it along', () => {
  const { notices, stop, give, shown } = open();
  for (let n = 0; n < 300; n += 1) notices.say({ kind: 'plain', title: `${n}`, text: '' });
  expect([notices.past.value.length, notices.past.value[0]?.title]).toEqual([200, '299']);
  expect(notices.shown.value.length).toBe(5);
  notices.forget();
  expect([notices.past.value, notices.shown.value, notices.unread.value]).toEqual([[], [], 0]);
  stop();
  give(fill({}));
  vi.advanceTimersByTime(soonMs);
  expect(shown()).toEqual([]);
});

test('COD-2 orders that a disconnect has ended are one notice, and other ends none', () => {
  const { give, shown } = open();
  const ended = (symbol: string, cancel_reason: string): AccountNews =>
    ({ kind: 'orderEnded', order: { symbol, cancel_reason, update_time: now } }) as AccountNews;
  for (const symbol of ['BTCUSDT', 'ETHUSDT', 'BTCUSDT']) give(ended(symbol, 'DISCONNECT'));
  give(ended('BTCUSDT', 'USER'));
  expect(shown()).toEqual([]);
  vi.advanceTimersByTime(soonMs);
  expect(shown()).toEqual(['Orders ended by a disconnect: BTCUSDT, ETHUSDT: 3']);
});
