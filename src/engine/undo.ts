// Trying a match for real and taking it back (ORD-10). While a trial runs, every record is saved
// before its first write; rolling back restores them all. Structures (queues of a level or an
// account, ladders, maps) do not change during a trial: orders that end only become dead and are
// unlinked when the command is sure (endOrder.ts).
//
// Each kind of record has its own pair of save and restore over the fields that a trial can reach:
// saving is on the way of every trade, and copying whole records cost a tenth of the engine.

import { assert } from '../std/assert.ts';
import type { Lots, Money, Ticks, Time } from '../units/units.ts';
import type { Account } from './account.ts';
import type { Level } from './book/level.ts';
import type { CommandCheck, Funds } from './exchange.ts';
import type { MarketFigures } from './market.ts';
import type { CancelReason, Order, OrderStatus } from './order.ts';
import type { Position } from './position.ts';

export type Undo = {
  active: boolean;
  /** The number of the present or last trial; a record that carries it is saved already. */
  epoch: number;
  /** What restores the records, in the order of saving, and the records themselves. */
  readonly restores: Restore[];
  readonly records: unknown[];
  /** Where the numbers of each record begin. */
  readonly starts: number[];
  /** Fields that are no numbers. */
  readonly references: unknown[];
  numbers: Float64Array;
  count: number;
};

/** Restores a record from its numbers, which begin at `at`. */
type Restore = (undo: Undo, record: never, at: number) => void;

export function createUndo(): Undo {
  return {
    active: false,
    epoch: 0,
    restores: [],
    records: [],
    starts: [],
    references: [],
    numbers: new Float64Array(1024),
    count: 0,
  };
}

export function beginTrial(undo: Undo): void {
  assert(!undo.active, 'trials do not nest');
  undo.active = true;
  undo.epoch += 1;
}

/** Keeps what the trial wrote. */
export function commitTrial(undo: Undo): void {
  assert(undo.active, 'no trial to commit');
  forget(undo);
}

/** Restores every record that the trial wrote. */
export function rollbackTrial(undo: Undo): void {
  assert(undo.active, 'no trial to roll back');
  for (let i = undo.records.length - 1; i >= 0; i -= 1) {
    undo.restores[i]!(undo, undo.records[i] as never, undo.starts[i]!);
  }
  assert(undo.references.length === 0, 'a trial is restored whole');
  forget(undo);
}

function forget(undo: Undo): void {
  undo.active = false;
  // Popping, because assigning a length calls into the runtime.
  while (undo.records.length > 0) {
    undo.restores.pop();
    undo.records.pop();
    undo.starts.pop();
  }
  while (undo.references.length > 0) undo.references.pop();
  undo.count = 0;
}

/** Room for `size` numbers of a record; gives where they begin. */
function reserve(undo: Undo, record: unknown, restore: Restore, size: number): number {
  const at = undo.count;
  undo.count = at + size;
  if (undo.count > undo.numbers.length) {
    const grown = new Float64Array(undo.numbers.length * 2);
    grown.set(undo.numbers);
    undo.numbers = grown;
  }
  undo.restores.push(restore);
  undo.records.push(record);
  undo.starts.push(at);
  return at;
}

/**
 * What was saved, where it has 31 bits as a small integer of the runtime: a record holds that in
 * place. One field that was once restored as a double makes every record of its kind keep it in an
 * object of its own, one more line of memory to wait for and one more object to collect.
 */
function integerIn(numbers: Float64Array, at: number): number {
  const value = numbers[at]!;
  const small = value | 0;
  return small === value ? small : value;
}

/** Must be called before an account is written wherever a trial can reach; so the others below. */
export function touchAccount(undo: Undo, account: Account): void {
  if (!undo.active || account.epoch === undo.epoch) return;
  account.epoch = undo.epoch;
  const at = reserve(undo, account, restoreAccount, 5);
  const { numbers } = undo;
  numbers[at] = account.available;
  numbers[at + 1] = account.freezes;
  numbers[at + 2] = account.collateral;
  numbers[at + 3] = account.updatedAt;
  numbers[at + 4] = account.uncovered;
}

function restoreAccount({ numbers }: Undo, account: Account, at: number): void {
  account.available = integerIn(numbers, at) as Money;
  account.freezes = integerIn(numbers, at + 1) as Money;
  account.collateral = integerIn(numbers, at + 2) as Money;
  account.updatedAt = integerIn(numbers, at + 3) as Time;
  account.uncovered = integerIn(numbers, at + 4) as Money;
}

export function touchPosition(undo: Undo, position: Position): void {
  if (!undo.active || position.epoch === undo.epoch) return;
  position.epoch = undo.epoch;
  const at = reserve(undo, position, restorePosition, 8);
  const { numbers } = undo;
  numbers[at] = position.lots;
  numbers[at + 1] = position.entry;
  numbers[at + 2] = position.collateral;
  numbers[at + 3] = position.updatedAt;
  numbers[at + 4] = position.orderCount;
  numbers[at + 5] = position.reduceOnlyCount;
  numbers[at + 6] = position.covered;
  numbers[at + 7] = position.uncovered;
}

function restorePosition({ numbers }: Undo, position: Position, at: number): void {
  position.lots = integerIn(numbers, at) as Lots;
  position.entry = integerIn(numbers, at + 1) as Money;
  position.collateral = integerIn(numbers, at + 2) as Money;
  position.updatedAt = integerIn(numbers, at + 3) as Time;
  position.orderCount = integerIn(numbers, at + 4);
  position.reduceOnlyCount = integerIn(numbers, at + 5);
  position.covered = integerIn(numbers, at + 6) as Lots;
  position.uncovered = integerIn(numbers, at + 7) as Money;
}

export function touchLevel(undo: Undo, level: Level): void {
  if (!undo.active || level.epoch === undo.epoch) return;
  level.epoch = undo.epoch;
  const at = reserve(undo, level, restoreLevel, 1);
  undo.numbers[at] = level.lots;
}

function restoreLevel({ numbers }: Undo, level: Level, at: number): void {
  level.lots = integerIn(numbers, at) as Lots;
}

export function touchOrder(undo: Undo, order: Order): void {
  if (!undo.active || order.epoch === undo.epoch) return;
  order.epoch = undo.epoch;
  const at = reserve(undo, order, restoreOrder, 11);
  const { numbers } = undo;
  numbers[at] = order.ticks;
  numbers[at + 1] = order.lots;
  numbers[at + 2] = order.leverage;
  numbers[at + 3] = order.updatedAt;
  numbers[at + 4] = order.open;
  numbers[at + 5] = order.filled;
  numbers[at + 6] = order.filledNotional;
  numbers[at + 7] = order.cover;
  numbers[at + 8] = order.freeze;
  numbers[at + 9] = order.priority;
  numbers[at + 10] = order.uncovered;
  undo.references.push(order.status, order.cancelReason, order.level);
}

function restoreOrder({ numbers, references }: Undo, order: Order, at: number): void {
  order.level = references.pop() as Level | null;
  order.cancelReason = references.pop() as CancelReason;
  order.status = references.pop() as OrderStatus;
  order.ticks = integerIn(numbers, at) as Ticks;
  order.lots = integerIn(numbers, at + 1) as Lots;
  order.leverage = integerIn(numbers, at + 2);
  order.updatedAt = integerIn(numbers, at + 3) as Time;
  order.open = integerIn(numbers, at + 4) as Lots;
  order.filled = integerIn(numbers, at + 5) as Lots;
  order.filledNotional = integerIn(numbers, at + 6) as Money;
  order.cover = integerIn(numbers, at + 7) as Lots;
  order.freeze = integerIn(numbers, at + 8) as Money;
  order.priority = integerIn(numbers, at + 9);
  order.uncovered = integerIn(numbers, at + 10) as Money;
}

export function touchFigures(undo: Undo, figures: MarketFigures): void {
  if (!undo.active || figures.epoch === undo.epoch) return;
  figures.epoch = undo.epoch;
  const at = reserve(undo, figures, restoreFigures, 8);
  const { numbers } = undo;
  numbers[at] = figures.last;
  numbers[at + 1] = figures.lastAt;
  numbers[at + 2] = figures.tradeId;
  numbers[at + 3] = figures.longLots;
  numbers[at + 4] = figures.shortLots;
  numbers[at + 5] = figures.positionLots;
  numbers[at + 6] = figures.entry;
  numbers[at + 7] = figures.lastRegular;
}

function restoreFigures({ numbers }: Undo, figures: MarketFigures, at: number): void {
  figures.last = integerIn(numbers, at) as Ticks;
  figures.lastAt = integerIn(numbers, at + 1) as Time;
  figures.tradeId = integerIn(numbers, at + 2);
  figures.longLots = integerIn(numbers, at + 3) as Lots;
  figures.shortLots = integerIn(numbers, at + 4) as Lots;
  figures.positionLots = integerIn(numbers, at + 5) as Lots;
  figures.entry = integerIn(numbers, at + 6) as Money;
  figures.lastRegular = integerIn(numbers, at + 7) as Ticks;
}

export function touchFunds(undo: Undo, funds: Funds): void {
  if (!undo.active || funds.epoch === undo.epoch) return;
  funds.epoch = undo.epoch;
  const at = reserve(undo, funds, restoreFunds, 2);
  undo.numbers[at] = funds.feeRevenue;
  undo.numbers[at + 1] = funds.shortfall;
}

function restoreFunds({ numbers }: Undo, funds: Funds, at: number): void {
  funds.feeRevenue = integerIn(numbers, at) as Money;
  funds.shortfall = integerIn(numbers, at + 1) as Money;
}

export function touchCheck(undo: Undo, check: CommandCheck): void {
  if (!undo.active || check.epoch === undo.epoch) return;
  check.epoch = undo.epoch;
  const at = reserve(undo, check, restoreCheck, 3);
  undo.numbers[at] = check.balances;
  undo.numbers[at + 1] = check.funds;
  undo.numbers[at + 2] = check.entries;
}

function restoreCheck({ numbers }: Undo, check: CommandCheck, at: number): void {
  check.balances = integerIn(numbers, at);
  check.funds = integerIn(numbers, at + 1);
  check.entries = integerIn(numbers, at + 2);
}
