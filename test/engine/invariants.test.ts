// Goal: the full check passes on every state that commands lead to, and finds each single lie: a
// figure, a link, a map, a cover or a freeze that is off. Method: seeded streams, and one damage
// at a time done to the copy of a rich state.

import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/engine/account.ts';
import type { Level } from '../../src/engine/book/level.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants.ts';
import type { Order } from '../../src/engine/order.ts';
import type { OrderQueue, Position } from '../../src/engine/position.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot.ts';
import { runStream } from './commandStream.ts';

/** Records of a state to do damage to. */
type Rich = {
  readonly exchange: Exchange;
  /** An account with a position and live orders, one of them with a client order id. */
  readonly account: Account;
  readonly position: Position;
  /** A queue of two orders or more, and its oldest. */
  readonly queue: OrderQueue;
  readonly order: Order;
  readonly named: Order;
  readonly covered: Order;
  readonly reduceOnly: Order;
  /** A level of two orders or more. */
  readonly level: Level;
};

function find<T>(items: Iterable<T>, holds: (item: T) => boolean): T | undefined {
  for (const item of items) if (holds(item)) return item;
  return undefined;
}

function richOf(exchange: Exchange): Rich | undefined {
  const orders = [...exchange.orders.values()];
  const positions = exchange.accounts.flatMap(({ positions: all }) => all.filter((p) => p));
  const position = find(positions as Position[], ({ lots }) => lots !== 0);
  const queues = (positions as Position[]).flatMap(({ buys, sells }) => [buys, sells]);
  const queue = find(queues, ({ oldest, newest }) => oldest !== newest);
  const named = find(orders, ({ clientOrderId }) => clientOrderId !== '');
  const covered = find(orders, ({ cover, freeze }) => cover > 0 && freeze > 0);
  const reduceOnly = find(orders, (order) => order.reduceOnly);
  const level = find(orders, ({ previous }) => previous !== null)?.level;
  if (!(position && queue && named && covered && reduceOnly && level)) return undefined;
  if (exchange.apiKeys.size === 0 || exchange.credits.size === 0) return undefined;
  const account = exchange.accounts[position.account]!;
  const order = queue.oldest!;
  return { exchange, account, position, queue, order, named, covered, reduceOnly, level };
}

const sections: Buffer[] = [];
for (let seed = 1; sections.length === 0; seed += 1) {
  const exchange = runStream(seed, 1200);
  if (richOf(exchange)) encodeSnapshot(exchange, (section) => sections.push(section));
}
const richCopy = (): Rich => richOf(decodeSnapshot(sections))!;

/** Fields as they may not be written from the typed side. */
const loose = (record: object): Record<string, number> => record as Record<string, number>;

const damages: Record<string, (rich: Rich) => void> = {
  'an account has more money': ({ account }) => (loose(account).available! += 1),
  'an account has less money': ({ account }) => (loose(account).available! -= 1),
  'available is negative': ({ account }) => (loose(account).available = -1),
  'freezes are negative': ({ account }) => (loose(account).freezes = -1),
  'freezes differ from the orders': ({ account }) => {
    loose(account).freezes! += 1;
    loose(account).available! -= 1;
  },
  'collateral differs from the positions': ({ account }) => {
    loose(account).collateral! += 1;
    loose(account).available! -= 1;
  },
  'a position has other collateral': ({ position }) => (loose(position).collateral! += 1),
  'a position is longer': ({ position }) => (loose(position).lots! += 1),
  'an entry notional is off': ({ position }) => (loose(position).entry! += 1),
  'a flat position keeps an entry': ({ exchange }) => {
    const flat = exchange.accounts.flatMap(({ positions }) => positions).find((p) => p?.lots === 0);
    loose(flat!).entry = 5;
  },
  'a position is in another market': ({ position }) => (loose(position).market! += 1),
  'insurance is off': ({ exchange }) => (loose(exchange.funds).insurance! += 1),
  'fee revenue is off': ({ exchange }) => (loose(exchange.funds).feeRevenue! += 1),
  'referral payable is off': ({ exchange }) => (loose(exchange.funds).referralPayable! += 1),
  'withdrawals hang': ({ exchange }) => (loose(exchange.funds).pendingWithdrawals! += 1),
  'shortfall is off': ({ exchange }) => (loose(exchange.funds).shortfall! += 1),
  'deposits are off': ({ exchange }) => {
    exchange.funds.deposits += 1n;
  },
  'withdrawals are off': ({ exchange }) => {
    exchange.funds.withdrawals += 1n;
  },
  'a fund is negative though the sum holds': ({ exchange }) => {
    loose(exchange.funds).insurance! -= 1e12;
    loose(exchange.funds).referralPayable! += 1e12;
  },
  'long open interest is off': ({ exchange }) =>
    (loose(exchange.markets[0]!.figures).longLots! += 1),
  'short open interest is off': ({ exchange }) => {
    loose(exchange.markets[0]!.figures).shortLots! -= 1;
  },
  'positionLots is off': ({ exchange }) => (loose(exchange.markets[0]!.figures).positionLots = 1),
  'the sum of entries is off': ({ exchange }) => (loose(exchange.markets[0]!.figures).entry! += 1),
  'house is flagged without recounting': ({ account }) => {
    account.house = !account.house;
  },
  'a level has other lots': ({ level }) => (loose(level).lots! += 1),
  'a level loses an order': ({ level }) => {
    level.first = level.first!.next;
  },
  'a level ends early': ({ level }) => {
    level.last = level.first;
  },
  'a level turns its queue': ({ level }) => {
    const { first, last } = level;
    for (let order: Order | null = first; order !== null; ) {
      const { previous, next }: Order = order;
      Object.assign(order, { previous: next, next: previous });
      order = next;
    }
    Object.assign(level, { first: last, last: first });
  },
  'a position counts orders wrongly': ({ position }) => (loose(position).orderCount! += 1),
  'a position counts reduce-only orders wrongly': ({ position }) =>
    (loose(position).reduceOnlyCount! += 1),
  'a position counts cover wrongly': ({ position }) => (loose(position).covered! += 1),
  'a queue loses its oldest order': ({ queue }) => {
    queue.oldest = queue.oldest!.newer;
  },
  'a queue ends elsewhere': ({ queue }) => {
    queue.newest = queue.oldest;
  },
  'an order is open for more': ({ order }) => (loose(order).open! += 1),
  'an order has another price': ({ order }) => (loose(order).ticks! += 1),
  'an order has another quantity': ({ order }) => (loose(order).lots! += 1),
  'an order is another account’s': ({ order }) => (loose(order).account! += 1),
  'an order has a later rank': ({ order }) => (loose(order).priority = 1e9),
  'an order was filled and says NEW': ({ order }) => {
    order.status = order.filled > 0 ? 'NEW' : 'PARTIALLY_FILLED';
  },
  'an order freezes more': ({ covered, exchange }) => {
    loose(covered).freeze! += 1;
    loose(exchange.accounts[covered.account]!).freezes! += 1;
    loose(exchange.accounts[covered.account]!).available! -= 1;
  },
  'an order is covered for less': ({ covered }) => (loose(covered).cover! -= 1),
  'a reduce-only order freezes': ({ reduceOnly }) => (loose(reduceOnly).freeze! += 1),
  'a reduce-only order exceeds the position': ({ reduceOnly, exchange }) => {
    const lots = Math.abs(
      exchange.accounts[reduceOnly.account]!.positions[reduceOnly.market]!.lots,
    );
    loose(reduceOnly.level!).lots! += lots;
    loose(reduceOnly).open! += lots;
    loose(reduceOnly).lots! += lots;
  },
  'an order is missing among the live': ({ exchange, order }) => exchange.orders.delete(order.id),
  'the live orders stand in another order': ({ exchange, order }) => {
    exchange.orders.delete(order.id);
    exchange.orders.set(order.id, order);
  },
  'a client order id leads nowhere': ({ exchange, named }) => {
    exchange.accounts[named.account]!.clientOrderIds.delete(named.clientOrderId);
  },
  'a client order id is left behind': ({ account, order }) => {
    account.clientOrderIds.set('ghost', order.id);
  },
  'a number was never drawn': ({ exchange }) => (loose(exchange).sequence = 1),
  'an address leads nowhere': ({ exchange, account }) => {
    exchange.accountByAddress.delete(account.address);
  },
  'a symbol leads nowhere': ({ exchange }) => exchange.marketBySymbol.delete('BTCUSDT'),
  'an API key leads nowhere': ({ exchange }) => exchange.apiKeys.clear(),
  'a credit went to nobody': ({ exchange }) => {
    const [reference] = exchange.credits.keys();
    exchange.credits.set(reference!, { account: 999 as never, amount: 1 as never });
  },
  'a trial is left open': ({ exchange }) => {
    exchange.undo.active = true;
  },
  'the sums of a command are left': ({ exchange }) => (loose(exchange.check).entries = 1),
};

describe('BAL-2, MAR-1, ORD-6, FUND-1: the full check', () => {
  test('passes on the empty exchange, with every figure zero', () => {
    const { ok, failures, figures } = checkInvariants(createExchange(43113));
    expect(failures).toEqual([]);
    expect(ok).toBe(true);
    for (const value of Object.values(figures)) expect(Number(value)).toBe(0);
  });

  test.each(Array.from({ length: 12 }, (_, index) => index + 30))(
    'passes after stream %i',
    (seed) => {
      const exchange = runStream(seed, 2500);
      const { ok, failures, figures } = checkInvariants(exchange);
      expect(failures).toEqual([]);
      expect(ok).toBe(true);
      expect(figures.difference).toBe(0n);
      expect(figures.feeRevenue).toBeGreaterThan(0n);
      expect(figures.balances).toBe(figures.available + figures.freezes + figures.collateral);
      expect(figures.orders).toBe(exchange.orders.size);
    },
  );

  test('passes on the copy that the damages are done to', () => {
    expect(checkInvariants(richCopy().exchange).failures).toEqual([]);
  });

  test.each(Object.entries(damages))('finds that %s', (_, damage) => {
    const rich = richCopy();
    damage(rich);
    const { ok, failures } = checkInvariants(rich.exchange);
    expect(ok).toBe(false);
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures) expect(failure.length).toBeGreaterThan(10);
  });

  test('finds a book that is crossed', () => {
    const { exchange } = richCopy();
    const market = exchange.markets.find(({ book }) => {
      return book.bids.blocks[0]!.levels.length > 0 && book.asks.blocks[0]!.levels.length > 0;
    })!;
    const { bids, asks } = market.book;
    const best = bids.blocks.at(-1)!.levels.length - 1;
    const crossing = asks.blocks.at(-1)!.levels.at(-1)!.ticks;
    loose(bids.blocks.at(-1)!.levels[best]!).ticks = crossing;
    bids.blocks.at(-1)!.keys[best] = crossing;
    const { failures } = checkInvariants(exchange);
    expect(failures.join('\n')).toMatch(/best bid \d+ meets best ask \d+/);
  });

  test('lists at most a hundred failures', () => {
    const { exchange } = richCopy();
    for (let i = 0; i < 200; i += 1) exchange.credits.set(`bad ${i}`, { account: 9999 } as never);
    const { ok, failures } = checkInvariants(exchange);
    expect(ok).toBe(false);
    expect(failures).toHaveLength(100);
  });
});
