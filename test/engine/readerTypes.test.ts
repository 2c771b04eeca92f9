// What readers see of the state. Goal: they read the state's own records, whose layout they neither
// know nor change. Method: every record of a drawn life is found by its number or name, by
// identity; the compiler refuses what would write or show the layout.

import { expect, test } from 'vitest';
import type { Exchange as State } from '../../src/engine/exchange.ts';
import { apiKeysOf } from '../../src/engine/views/account.ts';
import * as exchangeView from '../../src/engine/views/exchange.ts';
import { openOrdersOf } from '../../src/engine/views/openOrdersOf.ts';
import { positionOf, positionsOf } from '../../src/engine/views/position.ts';
import { extremeOf, recordOf } from '../../src/engine/views/trigger.ts';
import { runStream } from './commandStream.ts';

const state: State = runStream(8, 3000);
const exchange: exchangeView.Exchange = state;

test('readers find the records of the state themselves, without a copy', () => {
  const { marketById, marketBySymbol, marketsOf } = exchangeView;
  expect(marketsOf(exchange)).toHaveLength(state.markets.length);
  for (const market of state.markets) {
    expect(marketById(exchange, market.id)).toBe(market);
    expect(marketBySymbol(exchange, market.symbol)).toBe(market);
  }
  const accounts = exchangeView.accountsOf(exchange);
  expect(accounts.length).toBeGreaterThan(1);
  for (const account of accounts) {
    const kept = state.accounts[account.id]!;
    expect(exchangeView.accountById(exchange, account.id)).toBe(kept);
    expect(exchangeView.accountByAddress(exchange, account.address)).toBe(kept);
    expect(apiKeysOf(account)).toBe(kept.apiKeys);
    for (const position of positionsOf(account)) {
      if (position !== undefined) expect(positionOf(account, position.market)).toBe(position);
    }
    for (const order of openOrdersOf(account)) {
      expect(exchangeView.orderById(exchange, order.id)).toBe(order);
    }
  }
  const { orders, triggers } = exchangeView.sizesOf(exchange);
  expect([orders, triggers]).toEqual([state.orders.size, state.triggers.size]);
  expect(orders).toBeGreaterThan(0);
});

test('the record of a trigger keeps its extreme and shows no place', () => {
  expect(state.triggers.size).toBeGreaterThan(0);
  for (const trigger of state.triggers.values()) {
    const record = recordOf(trigger);
    expect(record).not.toHaveProperty('block');
    expect(record.extreme).toBe(extremeOf(trigger));
  }
});

/** Never called: each line must be an error of the compiler, or this file does not compile. */
const refusedByCompiler = (): void => {
  const [market] = exchangeView.marketsOf(exchange);
  const [account] = exchangeView.accountsOf(exchange);
  const [order] = openOrdersOf(account!);
  // @ts-expect-error no reader sets the time
  exchange.time = 0 as never;
  // @ts-expect-error funds are readonly too
  exchange.funds.shortfall = 0 as never;
  // @ts-expect-error maps are layout
  exchange.orders;
  // @ts-expect-error no reader moves money
  account!.available = 0 as never;
  // @ts-expect-error queues are layout
  positionOf(account!, market!.id)!.oldestBuy;
  // @ts-expect-error prices are readonly too
  market!.prices.mark = 0 as never;
  // @ts-expect-error the book is layout
  market!.book;
  // @ts-expect-error no reader fills
  order!.open = 0 as never;
  // @ts-expect-error links are layout
  order!.next;
};
void refusedByCompiler;
