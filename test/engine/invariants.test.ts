// Goal: the full check passes on every state that commands lead to, and finds each single lie: a
// figure, a link, a map, a cover, a freeze, a trigger or a liquidation index that is off. Method:
// seeded streams, and one damage at a time done to the copy of a rich state.

import { describe, expect, test } from 'vitest';
import { type Account, balanceOf } from '../../src/engine/account.ts';
import type { Level } from '../../src/engine/book/level.ts';
import { updateLiquidationIndex } from '../../src/engine/clearing/liquidationIndex.ts';
import { equityOf, maintenanceOf } from '../../src/engine/clearing/margin.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { parkedWalletsMax, withdrawalMinMax } from '../../src/engine/limits.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import type { Order } from '../../src/engine/order.ts';
import type { Position } from '../../src/engine/position.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { onlyReduces, type Trigger, waits } from '../../src/engine/trigger.ts';
import { addWaiting, isRising, removeWaiting } from '../../src/engine/triggers/waitingTriggers.ts';
import { directDelete, directValues } from '../../src/std/directMap.ts';
import { createPrng } from '../../src/std/prng.ts';
import { sortedAdd, sortedRemove } from '../../src/std/sortedSet.ts';
import type { Money, Ticks } from '../../src/units/units.ts';
import { runStream } from './commandStream.ts';
import { bindVaultCommand } from './depositChain.ts';

/** Records of a state to do damage to. */
type Rich = {
  readonly exchange: Exchange;
  /** An account with a position and live orders, one of them with a client order id. */
  readonly account: Account;
  readonly position: Position;
  /** A position whose first buy has a newer one, and the first. */
  readonly queue: Position;
  readonly order: Order;
  readonly named: Order;
  readonly covered: Order;
  readonly reduceOnly: Order;
  /** A level of two orders or more. */
  readonly level: Level;
  /** Waiting triggers: one with a stop price, one that trails. */
  readonly trigger: Trigger;
  readonly trailing: Trigger;
};

function find<T>(items: Iterable<T>, holds: (item: T) => boolean): T | undefined {
  for (const item of items) if (holds(item)) return item;
  return undefined;
}

function richOf(exchange: Exchange): Rich | undefined {
  const orders = directValues(exchange.orders);
  const positions = liveAccounts(exchange).flatMap(({ positions: all }) => all.filter((p) => p));
  const position = find(positions as Position[], ({ lots, account, market }) => {
    const { marginMode } = exchange.accounts[account]!;
    // Not the fund's, and of a market that comes before another.
    return lots !== 0 && account > 0 && marginMode === 'cross' && market < 2;
  });
  const queue = find(positions as Position[], (one) => one.oldestBuy !== one.newestBuy);
  const named = find(orders, ({ clientOrderId }) => clientOrderId !== '');
  const covered = find(orders, ({ cover, freeze }) => cover > 0 && freeze > 0);
  const reduceOnly = find(orders, (order) => order.reduceOnly);
  const level = find(orders, ({ previous }) => previous !== null)?.level;
  const triggers = [...exchange.triggers.values()].filter(waits);
  const trigger = find(triggers, ({ stopTicks }) => stopTicks > 0);
  const trailing = find(triggers, ({ stopTicks }) => stopTicks === 0);
  if (!(position && queue && named && covered && reduceOnly && level)) return undefined;
  if (!(trigger && trailing)) return undefined;
  if (exchange.apiKeys.size === 0 || exchange.withdrawals.size === 0) return undefined;
  const account = exchange.accounts[position.account]!;
  const order = queue.oldestBuy!;
  const chosen = { queue, order, named, covered, reduceOnly, level };
  return { exchange, account, position, ...chosen, trigger, trailing };
}

const sections: Buffer[] = [];
for (let seed = 1; sections.length === 0; seed += 1) {
  const exchange = runStream(seed, 1200);
  if (richOf(exchange)) encodeSnapshot(exchange, (section) => sections.push(section));
}

/** With everybody in its place in the liquidation index, as at a tick. */
function richCopy(): Rich {
  const exchange = decodeSnapshot(sections);
  updateLiquidationIndex(exchange);
  return richOf(exchange)!;
}

/** A position in a liquidation index: most accounts of a stream have more equity than risk. */
function atRisk(exchange: Exchange): Position {
  return find(
    liveAccounts(exchange).flatMap(({ positions }) => positions),
    (one) => (one?.liquidationSide ?? 0) !== 0,
  )!;
}

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
    const flat = liveAccounts(exchange)
      .flatMap(({ positions }) => positions)
      .find((p) => p?.lots === 0);
    loose(flat!).entry = 5;
  },
  'a position is in another market': ({ position }) => (loose(position).market! += 1),
  'insurance is off': ({ exchange }) => (loose(exchange.accounts[0]!).available! += 1),
  'fee revenue is off': ({ exchange }) => (loose(exchange.funds).feeRevenue! += 1),
  'referral payable is off': ({ exchange }) => (loose(exchange.funds).referralPayable! += 1),
  'pending withdrawals are off': ({ exchange }) => (loose(exchange.funds).pendingWithdrawals! += 1),
  'shortfall is off': ({ exchange }) => (loose(exchange.funds).shortfall! += 1),
  'deposits are off': ({ exchange }) => {
    exchange.funds.deposits += 1n;
  },
  'withdrawals are off': ({ exchange }) => {
    exchange.funds.withdrawals += 1n;
  },
  'a fund is negative though the sum holds': ({ exchange }) => {
    loose(exchange.funds).feeRevenue! -= 1e12;
    loose(exchange.funds).referralPayable! += 1e12;
  },
  'long open interest is off': ({ exchange }) =>
    (loose(exchange.markets[0]!.figures).longLots! += 1),
  'short open interest is off': ({ exchange }) => {
    loose(exchange.markets[0]!.figures).shortLots! -= 1;
  },
  'positionLots is off': ({ exchange }) => (loose(exchange.markets[0]!.figures).positionLots = 1),
  'the sum of entries is off': ({ exchange }) => (loose(exchange.markets[0]!.figures).entry! += 1),
  'the house flag is set without a new count': ({ account }) => {
    account.house = !account.house;
  },
  'a level has other lots': ({ level }) => (loose(level).lots! += 1),
  'a level loses an order': ({ level }) => {
    level.first = level.first!.next;
  },
  'a level ends early': ({ level }) => {
    level.last = level.first;
  },
  'a level has its queue reversed': ({ level }) => {
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
    queue.oldestBuy = queue.oldestBuy!.newer;
  },
  'a queue ends at another order': ({ queue }) => {
    queue.newestBuy = queue.oldestBuy;
  },
  'an order is linked to another position': ({ order, position }) => {
    order.position = order.position === position ? null : position;
  },
  'an order has more open lots': ({ order }) => (loose(order).open! += 1),
  'an order has another price': ({ order }) => (loose(order).ticks! += 1),
  'an order has another quantity': ({ order }) => (loose(order).lots! += 1),
  'an order belongs to another account': ({ order }) => (loose(order).account! += 1),
  'an order has a later rank': ({ order }) => (loose(order).priority = 1e9),
  'a filled order reads NEW': ({ order }) => {
    order.status = order.filled > 0 ? 'NEW' : 'PARTIALLY_FILLED';
  },
  'an order freezes more': ({ covered, exchange }) => {
    loose(covered).freeze! += 1;
    loose(exchange.accounts[covered.account]!).freezes! += 1;
    loose(exchange.accounts[covered.account]!).available! -= 1;
  },
  'an order has less cover': ({ covered }) => (loose(covered).cover! -= 1),
  'a reduce-only order freezes': ({ reduceOnly }) => (loose(reduceOnly).freeze! += 1),
  'a reduce-only order exceeds the position': ({ reduceOnly, exchange }) => {
    const lots = Math.abs(
      exchange.accounts[reduceOnly.account]!.positions[reduceOnly.market]!.lots,
    );
    loose(reduceOnly.level!).lots! += lots;
    loose(reduceOnly).open! += lots;
    loose(reduceOnly).lots! += lots;
  },
  'an order is missing among the active ones': ({ exchange, order }) =>
    directDelete(exchange.orders, order.id),
  'an active order stands under another number': ({ exchange, order }) => {
    directDelete(exchange.orders, order.id);
    exchange.orders.others.set(exchange.sequence + 1, order);
    exchange.orders.size += 1;
  },
  'a client order id has no order': ({ exchange, named }) => {
    exchange.accounts[named.account]!.clientOrderIds.delete(named.clientOrderId);
  },
  'a client order id is left behind': ({ account, order }) => {
    account.clientOrderIds.set('ghost', order.id);
  },
  'a number was never drawn': ({ exchange }) => (loose(exchange).sequence = 1),
  'an address has no account': ({ exchange, account }) => {
    exchange.accountByAddress.delete(account.address);
  },
  'a symbol has no market': ({ exchange }) => exchange.marketBySymbol.delete('BTCUSDT'),
  'an API key has no record': ({ exchange }) => exchange.apiKeys.clear(),
  'a credit has no account': ({ exchange }) => {
    const [reference] = exchange.credits.keys();
    exchange.credits.set(reference!, { account: 999 as never, amount: 1 as never });
  },
  'an order needs more than its freeze': ({ covered, exchange }) => {
    loose(covered).uncovered! += 1;
    loose(exchange.accounts[covered.account]!).uncovered! += 1;
  },
  'a cross account has an offset': ({ account, position }) => {
    loose(position).uncovered! += 1;
    loose(account).uncovered! += 1;
  },
  'the offset differs from its sum': ({ exchange }) => {
    const unified = liveAccounts(exchange).find(({ marginMode }) => marginMode === 'unified')!;
    loose(unified).uncovered! += 1;
  },
  'the offset is negative': ({ account }) => (loose(account).uncovered = -1),
  'an account without a position is flagged': ({ exchange }) => {
    const flat = ({ id, positions }: Account): boolean =>
      id > 0 && positions.every((position) => !position?.lots);
    liveAccounts(exchange).find(flat)!.flagged = true;
  },
  'a position of a cross account is flagged': ({ position }) => {
    position.flagged = true;
  },
  'the fund pays margin': ({ exchange }) => {
    loose(exchange.accounts[0]!).collateral! += 1;
    loose(exchange.accounts[0]!).available! -= 1;
  },
  'the fund is not an internal account': ({ exchange }) => {
    exchange.accounts[0]!.house = false;
  },
  'a volume is negative': ({ account }) => (loose(account.volume).today = -1),
  'a volume has fewer days': ({ account }) => {
    Object.assign(account.volume, { past: [1, 2, 3] });
  },
  'an order of the exchange itself rests': ({ order }) => {
    Object.assign(order, { origin: 'liquidation' });
  },
  'an order names a trigger that does not name it': ({ order, trigger }) => {
    Object.assign(order, { trigger });
  },
  'a trigger is missing in the list of all': ({ exchange, trigger }) =>
    exchange.triggers.delete(trigger.id),
  'the triggers are in another order': ({ exchange }) => {
    const [first] = exchange.triggers.values();
    exchange.triggers.delete(first!.id);
    exchange.triggers.set(first!.id, first!);
  },
  'a trigger is missing in its account': ({ exchange, trigger }) => {
    exchange.accounts[trigger.account]!.triggers.splice(0, 1);
  },
  'a trigger belongs to another account': ({ trigger }) => (loose(trigger).account! += 1),
  'a trigger waits for no mark': ({ exchange, trigger }) =>
    removeWaiting(exchange.markets[trigger.market]!.triggers, trigger),
  'a trailing trigger waits for no mark': ({ exchange, trailing }) =>
    removeWaiting(exchange.markets[trailing.market]!.triggers, trailing),
  'a trigger waits in two markets': ({ exchange, trigger }) => {
    addWaiting(exchange.markets[(trigger.market + 1) % 3]!.triggers, trigger);
  },
  'a trigger waits on the wrong side': ({ exchange, trigger }) => {
    const { triggers } = exchange.markets[trigger.market]!;
    removeWaiting(triggers, trigger);
    const { rising, falling } = onlyReduces(trigger) ? triggers.reducing : triggers.opening;
    const [to, key] = isRising(trigger)
      ? ([falling, -trigger.stopTicks] as const)
      : ([rising, trigger.stopTicks] as const);
    sortedAdd(to, key, trigger.id, trigger);
  },
  'a trigger has a price that differs from its key': ({ trigger }) =>
    (loose(trigger).stopTicks! += 1),
  'a trigger has fired without an order': ({ trigger }) => {
    trigger.status = 'TRIGGERED';
  },
  'a final trigger is left behind': ({ trigger }) => {
    trigger.status = 'CANCELED';
  },
  'a trigger closes a missing position': ({ trigger }) => {
    Object.assign(trigger, { closePosition: true });
  },
  'waiting triggers are counted wrongly': ({ account }) => (loose(account).waitingTriggers! += 1),
  'closing triggers are counted wrongly': ({ position }) => (loose(position).closeTriggers! += 1),
  'a trigger has no timer': ({ trigger }) => (loose(trigger).goodTillDate = 1e15),
  'the client id of a trigger names another one': ({ exchange, trigger }) => {
    Object.assign(trigger, { clientOrderId: 'ghost' });
    exchange.accounts[trigger.account]!.clientOrderIds.set('ghost', 1 as never);
  },
  'a market waits for no funding': ({ exchange }) =>
    (loose(exchange.markets[0]!.dues).fundingTimer = 0),
  'a timer is missing': ({ exchange }) => exchange.timers.items.splice(0, 1),
  'the timers are no heap': ({ exchange }) => exchange.timers.items.reverse(),
  'a withdrawal is missing': ({ exchange }) => exchange.withdrawals.clear(),
  'a withdrawal has a fee above its amount': ({ exchange }) => {
    const [id, withdrawal] = [...exchange.withdrawals][0]!;
    exchange.withdrawals.set(id, { ...withdrawal, fee: withdrawal.amount });
  },
  'a deposit of a vault that is not there': ({ exchange }) => {
    exchange.vault.depositCount = 1;
  },
  'a vault beside credits': ({ exchange }) => {
    const { kind: _kind, chainId: _chain, ...binding } = bindVaultCommand;
    exchange.vault.binding = binding;
    exchange.vault.depositTotal = exchange.funds.deposits;
  },
  'a deposit that was not credited': ({ exchange }) => {
    const { kind: _kind, chainId: _chain, ...binding } = bindVaultCommand;
    exchange.vault.binding = binding;
    exchange.vault.depositTotal = exchange.funds.deposits + 1n;
    exchange.credits.clear();
  },
  'parked money of no deposit': ({ exchange }) => exchange.vault.parked.set('0xab', 1n),
  'parked money of nothing': ({ exchange }) => exchange.vault.parked.set('0xab', 0n),
  'money without a name': ({ exchange }) => {
    exchange.vault.unnamed = 1n;
  },
  'less than nothing without a name': ({ exchange }) => {
    exchange.vault.parked.set('0xab', 1n);
    exchange.vault.unnamed = -1n;
  },
  'too many wallets with parked money': ({ exchange }) => {
    Object.defineProperty(exchange.vault.parked, 'size', { value: parkedWalletsMax + 1 });
  },
  'a withdrawal that costs all of it': ({ exchange }) => {
    exchange.vault.withdrawalFee = exchange.vault.withdrawalMin;
  },
  'a withdrawal with a negative fee': ({ exchange }) => {
    exchange.vault.withdrawalFee = -1 as Money;
  },
  'a least withdrawal of nothing': ({ exchange }) => {
    exchange.vault.withdrawalMin = 0 as Money;
    exchange.vault.withdrawalFee = -1 as Money;
  },
  'a least withdrawal above its bound': ({ exchange }) => {
    exchange.vault.withdrawalMin = (withdrawalMinMax + 1) as Money;
  },
  'a withdrawal has no account': ({ exchange }) => {
    const [id, withdrawal] = [...exchange.withdrawals][0]!;
    exchange.withdrawals.set(id, { ...withdrawal, account: 999 as never });
  },
  'the fees fall with volume': ({ exchange }) => {
    const [plain] = exchange.feeTiers;
    exchange.feeTiers = [plain!, plain!];
  },
  'the fees have no first tier': ({ exchange }) => {
    exchange.feeTiers = [];
  },
  'a settled market trades': ({ exchange, position }) => {
    loose(exchange.markets[position.market]!.dues).settledAt = 1;
  },
  'closed positions keep their triggers': ({ exchange, position }) =>
    exchange.flattened.push(position),
  'an account is dirty and not listed': ({ account }) => {
    account.dirty = true;
  },
  'an account is listed and not dirty': ({ exchange, account }) => exchange.dirty.push(account),
  'a holder is missing': ({ exchange, position }) =>
    exchange.markets[position.market]!.risk.holders.pop(),
  'a holder is there twice': ({ exchange, position }) =>
    exchange.markets[position.market]!.risk.holders.push(position),
  'an open position is in no list of holders': ({ position }) => {
    position.held = false;
  },
  'a position is in no liquidation index': ({ exchange }) => {
    atRisk(exchange).liquidationSide = 0;
  },
  'a position has another key': ({ exchange }) => (loose(atRisk(exchange)).liquidationKey! += 1),
  'a sum of funding is more than its time allows': ({ exchange }) => {
    const { figures, dues } = exchange.markets[0]!;
    loose(figures).fundingSum = 1e8 * (figures.fundingAt - dues.fundingFrom) + 1;
  },
  'a due sum of funding is more than its time allows': ({ exchange }) => {
    const { dues } = exchange.markets[0]!;
    loose(dues).fundingSum = -1e8 * dues.fundingMs - 1;
  },
  'an interval of funding begins after its sum': ({ exchange }) => {
    const { figures, dues } = exchange.markets[0]!;
    loose(dues).fundingFrom = figures.fundingAt + 1;
  },
  'an interval of funding ends before its sum': ({ exchange }) => {
    const { figures, dues } = exchange.markets[0]!;
    loose(dues).fundingEnd = figures.fundingAt - 1;
  },
  'a tentative execution is left open': ({ exchange }) => {
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

  test('LIQ-3 counts the fund apart from the balances', () => {
    const { exchange } = richCopy();
    const { figures } = checkInvariants(exchange);
    expect(figures.insurance).toBe(BigInt(exchange.accounts[0]!.available));
    expect(figures.insurance).toBeGreaterThan(0n);
    expect(figures.accounts).toBe(exchange.accounts.length - 1);
    const others = liveAccounts(exchange)
      .slice(1)
      .map((account) => BigInt(balanceOf(account)));
    expect(figures.balances).toBe(others.reduce((sum, balance) => sum + balance, 0n));
    expect(figures.triggers).toBe(exchange.triggers.size);
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

  test('passes on the undamaged copy', () => {
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

  test('finds a crossed book', () => {
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

  test.each([1, 3, 4, 5, 6, 7])(
    'LIQ-1 every account that fails at any mark is tested, seed %i',
    (seed) => {
      const exchange = runStream(seed, 1_200 + 200 * seed);
      const prng = createPrng(seed);
      updateLiquidationIndex(exchange);
      let failing = 0;
      for (let round = 0; round < 300; round += 1) {
        for (const { prices } of exchange.markets) {
          const width = prng.below(4) === 0 ? 0.9 : 0.1;
          const moved = prices.index * (1 + (prng.unit() * 2 - 1) * width);
          prices.mark = Math.max(1, Math.round(moved)) as Ticks;
        }
        expect(checkInvariants(exchange).failures).toEqual([]);
        const fails = (account: Account): boolean =>
          equityOf(exchange, account) < maintenanceOf(exchange, account);
        failing += liveAccounts(exchange).filter(fails).length;
      }
      expect(failing).toBeGreaterThan(30);
    },
  );

  test('LIQ-1 finds an account that the liquidation index would miss', () => {
    const { exchange } = richCopy();
    const short = liveAccounts(exchange)
      .filter(({ id, marginMode }) => id > 0 && marginMode !== 'isolated')
      .flatMap(({ positions }) => positions)
      .find((position) => position !== undefined && position.lots < 0)!;
    const account = exchange.accounts[short.account]!;
    // All of its keys so far away that no mark crosses them.
    for (const position of account.positions) {
      if (!position?.lots) continue;
      const { longs, shorts } = exchange.markets[position.market]!.risk;
      const set = position.lots > 0 ? longs : shorts;
      if (position.liquidationSide !== 0) sortedRemove(set, position.liquidationKey, account.id);
      position.liquidationSide = position.lots > 0 ? 1 : -1;
      position.liquidationKey = 1e12;
      sortedAdd(set, position.liquidationKey, account.id, position);
    }
    expect(checkInvariants(exchange).failures).toEqual([]);
    const { prices } = exchange.markets[short.market]!;
    prices.mark = (prices.mark * 1000) as Ticks;
    const { failures } = checkInvariants(exchange);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(new RegExp(`^account ${account.id}: equity .* and not found$`));
  });

  test('lists at most a hundred failures', () => {
    const { exchange } = richCopy();
    for (let i = 0; i < 200; i += 1) exchange.credits.set(`bad ${i}`, { account: 9999 } as never);
    const { ok, failures } = checkInvariants(exchange);
    expect(ok).toBe(false);
    expect(failures).toHaveLength(100);
  });
});
