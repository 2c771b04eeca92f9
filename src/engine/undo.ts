// Tentative execution: a match is executed so that it can still be undone (ORD-10). During it,
// every record is saved before its first write; a rollback restores them all. Structures (queues of
// a level or an account, ladders, maps) do not change: orders that end only become dead, and are
// unlinked when the command is committed (endOrder.ts).
//
// Each kind of record has a copy of the fields that a tentative execution can write, and one
// function that copies them, from the record to save it and into it to restore it. The fields are
// named one by one, because a field chosen by a string needs a new look-up each time. A copy is a
// record itself, so that small integers stay small integers: once a field has held a double, the
// compiler keeps it in an object of its own in every record of the kind.

import { assert } from '../std/assert.ts';
import type { Lots, Money, Ticks, Time } from '../units/units.ts';
import type { Account } from './account.ts';
import type { Level } from './book/level.ts';
import type { CommandCheck, Funds } from './exchange.ts';
import type { FundingShare, MarketFigures } from './market.ts';
import type { Order } from './order.ts';
import type { CancelReason, OrderStatus } from './orderTypes.ts';
import type { Attachments, Pair } from './pair.ts';
import type { Position } from './position.ts';
import type { Referral } from './referral.ts';

/**
 * Records of one kind that the present tentative execution has saved, and their copies, in the same
 * order.
 */
type Saves<Kept, Fields> = {
  readonly records: Kept[];
  /** At least as many as records; the next tentative execution uses them again. */
  readonly copies: Fields[];
  readonly blank: () => Fields;
};

export type Undo = {
  active: boolean;
  /**
   * The number of the present or last tentative execution; a record with this number is already
   * saved.
   */
  epoch: number;
  /** The number of records that the present tentative execution has saved. */
  saved: number;
  readonly accounts: Saves<Account, AccountFields>;
  readonly positions: Saves<Position, PositionFields>;
  readonly levels: Saves<Level, LevelFields>;
  readonly orders: Saves<Order, OrderFields>;
  readonly figures: Saves<MarketFigures, FiguresFields>;
  readonly shares: Saves<FundingShare, ShareFields>;
  readonly funds: Saves<Funds, FundsFields>;
  readonly checks: Saves<CommandCheck, CheckFields>;
  readonly pairs: Saves<Pair, PairFields>;
  readonly attachments: Saves<Attachments, AttachmentsFields>;
  readonly referrals: Saves<Referral, ReferralFields>;
};

export function createUndo(): Undo {
  return {
    active: false,
    epoch: 0,
    saved: 0,
    accounts: createSaves(blankAccount),
    positions: createSaves(blankPosition),
    levels: createSaves(blankLevel),
    orders: createSaves(blankOrder),
    figures: createSaves(blankFigures),
    shares: createSaves(blankShare),
    funds: createSaves(blankFunds),
    checks: createSaves(blankCheck),
    pairs: createSaves(blankPair),
    attachments: createSaves(blankAttachments),
    referrals: createSaves(blankReferral),
  };
}

function createSaves<Kept, Fields>(blank: () => Fields): Saves<Kept, Fields> {
  return { records: [], copies: [], blank };
}

export function beginTentative(undo: Undo): void {
  assert(!undo.active, 'tentative executions do not nest');
  undo.active = true;
  undo.epoch += 1;
}

/** Keeps the writes of the tentative execution. */
export function commitTentative(undo: Undo): void {
  assert(undo.active, 'no tentative execution to commit');
  forget(undo);
}

/** Restores every record that the tentative execution wrote. */
export function rollbackTentative(undo: Undo): void {
  assert(undo.active, 'no tentative execution to roll back');
  restore(undo.accounts, copyAccount);
  restore(undo.positions, copyPosition);
  restore(undo.levels, copyLevel);
  restore(undo.orders, copyOrder);
  restore(undo.figures, copyFigures);
  restore(undo.shares, copyShare);
  restore(undo.funds, copyFunds);
  restore(undo.checks, copyCheck);
  restore(undo.pairs, copyPair);
  restore(undo.attachments, copyAttachments);
  restore(undo.referrals, copyReferral);
  forget(undo);
}

function restore<Fields, Kept extends Fields>(
  { records, copies }: Saves<Kept, Fields>,
  copy: (from: Fields, to: Fields) => void,
): void {
  for (let i = 0; i < records.length; i += 1) copy(copies[i]!, records[i]!);
}

function forget(undo: Undo): void {
  undo.active = false;
  undo.saved = 0;
  empty(undo.accounts.records);
  empty(undo.positions.records);
  empty(undo.levels.records);
  empty(undo.orders.records);
  empty(undo.figures.records);
  empty(undo.shares.records);
  empty(undo.funds.records);
  empty(undo.checks.records);
  empty(undo.pairs.records);
  empty(undo.attachments.records);
  empty(undo.referrals.records);
}

/** By popping, because assigning a length calls into the runtime. */
function empty(records: unknown[]): void {
  while (records.length > 0) records.pop();
}

/** Marks a record as saved; gives the copy for its fields. */
function copyFor<Kept, Fields>(undo: Undo, saves: Saves<Kept, Fields>, record: Kept): Fields {
  const { records, copies } = saves;
  const at = records.length;
  records.push(record);
  undo.saved += 1;
  if (at === copies.length) copies.push(saves.blank());
  return copies[at]!;
}

type AccountFields = ReturnType<typeof blankAccount>;

const blankAccount = () => ({
  available: 0 as Money,
  freezes: 0 as Money,
  collateral: 0 as Money,
  uncovered: 0 as Money,
  updatedAt: 0 as Time,
});

function copyAccount(from: AccountFields, to: AccountFields): void {
  to.available = from.available;
  to.freezes = from.freezes;
  to.collateral = from.collateral;
  to.uncovered = from.uncovered;
  to.updatedAt = from.updatedAt;
}

/**
 * Must be called before an account is written wherever a tentative execution can write; the same
 * holds for the functions below.
 */
export function touchAccount(undo: Undo, account: Account): void {
  if (!undo.active || account.epoch === undo.epoch) return;
  account.epoch = undo.epoch;
  copyAccount(account, copyFor(undo, undo.accounts, account));
}

type PositionFields = ReturnType<typeof blankPosition>;

const blankPosition = () => ({
  lots: 0 as Lots,
  entry: 0 as Money,
  collateral: 0 as Money,
  uncovered: 0 as Money,
  surcharge: 0n,
  covered: 0 as Lots,
  orderCount: 0,
  reduceOnlyCount: 0,
  updatedAt: 0 as Time,
});

function copyPosition(from: PositionFields, to: PositionFields): void {
  to.lots = from.lots;
  to.entry = from.entry;
  to.collateral = from.collateral;
  to.uncovered = from.uncovered;
  to.surcharge = from.surcharge;
  to.covered = from.covered;
  to.orderCount = from.orderCount;
  to.reduceOnlyCount = from.reduceOnlyCount;
  to.updatedAt = from.updatedAt;
}

export function touchPosition(undo: Undo, position: Position): void {
  if (!undo.active || position.epoch === undo.epoch) return;
  position.epoch = undo.epoch;
  copyPosition(position, copyFor(undo, undo.positions, position));
}

type LevelFields = ReturnType<typeof blankLevel>;

const blankLevel = () => ({ lots: 0 as Lots });

function copyLevel(from: LevelFields, to: LevelFields): void {
  to.lots = from.lots;
}

export function touchLevel(undo: Undo, level: Level): void {
  if (!undo.active || level.epoch === undo.epoch) return;
  level.epoch = undo.epoch;
  copyLevel(level, copyFor(undo, undo.levels, level));
}

type OrderFields = ReturnType<typeof blankOrder>;

const blankOrder = () => ({
  level: null as Level | null,
  status: 'NEW' as OrderStatus,
  cancelReason: 'NONE' as CancelReason,
  ticks: 0 as Ticks,
  lots: 0 as Lots,
  leverage: 0,
  updatedAt: 0 as Time,
  open: 0 as Lots,
  filled: 0 as Lots,
  filledNotional: 0 as Money,
  cover: 0 as Lots,
  freeze: 0 as Money,
  uncovered: 0 as Money,
  priority: 0,
});

function copyOrder(from: OrderFields, to: OrderFields): void {
  to.level = from.level;
  to.status = from.status;
  to.cancelReason = from.cancelReason;
  to.ticks = from.ticks;
  to.lots = from.lots;
  to.leverage = from.leverage;
  to.updatedAt = from.updatedAt;
  to.open = from.open;
  to.filled = from.filled;
  to.filledNotional = from.filledNotional;
  to.cover = from.cover;
  to.freeze = from.freeze;
  to.uncovered = from.uncovered;
  to.priority = from.priority;
}

export function touchOrder(undo: Undo, order: Order): void {
  if (!undo.active || order.epoch === undo.epoch) return;
  order.epoch = undo.epoch;
  copyOrder(order, copyFor(undo, undo.orders, order));
}

type FiguresFields = ReturnType<typeof blankFigures>;

const blankFigures = () => ({
  last: 0 as Ticks,
  lastAt: 0 as Time,
  lastRegular: 0 as Ticks,
  tradeId: 0,
  longLots: 0 as Lots,
  shortLots: 0 as Lots,
  positionLots: 0 as Lots,
  entry: 0 as Money,
  fundingSum: 0,
  fundingAt: 0 as Time,
  feesToShare: 0 as Money,
});

function copyFigures(from: FiguresFields, to: FiguresFields): void {
  to.last = from.last;
  to.lastAt = from.lastAt;
  to.lastRegular = from.lastRegular;
  to.tradeId = from.tradeId;
  to.longLots = from.longLots;
  to.shortLots = from.shortLots;
  to.positionLots = from.positionLots;
  to.entry = from.entry;
  to.fundingSum = from.fundingSum;
  to.fundingAt = from.fundingAt;
  to.feesToShare = from.feesToShare;
}

export function touchFigures(undo: Undo, figures: MarketFigures): void {
  if (!undo.active || figures.epoch === undo.epoch) return;
  figures.epoch = undo.epoch;
  copyFigures(figures, copyFor(undo, undo.figures, figures));
}

type ShareFields = ReturnType<typeof blankShare>;

const blankShare = () => ({ accrued: 0n, sum: 0, due: 0n });

function copyShare(from: ShareFields, to: ShareFields): void {
  to.accrued = from.accrued;
  to.sum = from.sum;
  to.due = from.due;
}

export function touchShare(undo: Undo, share: FundingShare): void {
  if (!undo.active || share.epoch === undo.epoch) return;
  share.epoch = undo.epoch;
  copyShare(share, copyFor(undo, undo.shares, share));
}

type FundsFields = ReturnType<typeof blankFunds>;

const blankFunds = () => ({
  feeRevenue: 0 as Money,
  referralPayable: 0 as Money,
  pendingWithdrawals: 0 as Money,
  shortfall: 0 as Money,
});

function copyFunds(from: FundsFields, to: FundsFields): void {
  to.feeRevenue = from.feeRevenue;
  to.referralPayable = from.referralPayable;
  to.pendingWithdrawals = from.pendingWithdrawals;
  to.shortfall = from.shortfall;
}

export function touchFunds(undo: Undo, funds: Funds): void {
  if (!undo.active || funds.epoch === undo.epoch) return;
  funds.epoch = undo.epoch;
  copyFunds(funds, copyFor(undo, undo.funds, funds));
}

type CheckFields = ReturnType<typeof blankCheck>;

const blankCheck = () => ({ balances: 0, funds: 0, entries: 0, deposits: 0 });

function copyCheck(from: CheckFields, to: CheckFields): void {
  to.balances = from.balances;
  to.funds = from.funds;
  to.entries = from.entries;
  to.deposits = from.deposits;
}

export function touchCheck(undo: Undo, check: CommandCheck): void {
  if (!undo.active || check.epoch === undo.epoch) return;
  check.epoch = undo.epoch;
  copyCheck(check, copyFor(undo, undo.checks, check));
}

type ReferralFields = ReturnType<typeof blankReferral>;

const blankReferral = () => ({ accrued: 0 as Money, day: 0, today: 0 as Money });

function copyReferral(from: ReferralFields, to: ReferralFields): void {
  to.accrued = from.accrued;
  to.day = from.day;
  to.today = from.today;
}

export function touchReferral(undo: Undo, referral: Referral): void {
  if (!undo.active || referral.epoch === undo.epoch) return;
  referral.epoch = undo.epoch;
  copyReferral(referral, copyFor(undo, undo.referrals, referral));
}

type PairFields = ReturnType<typeof blankPair>;

const blankPair = () => ({ lots: 0 as Lots, life: 0 });

function copyPair(from: PairFields, to: PairFields): void {
  to.lots = from.lots;
  to.life = from.life;
}

export function touchPair(undo: Undo, pair: Pair): void {
  if (!undo.active || pair.epoch === undo.epoch) return;
  pair.epoch = undo.epoch;
  copyPair(pair, copyFor(undo, undo.pairs, pair));
}

type AttachmentsFields = ReturnType<typeof blankAttachments>;

const blankAttachments = () => ({ life: 0, low: 0 });

function copyAttachments(from: AttachmentsFields, to: AttachmentsFields): void {
  to.life = from.life;
  to.low = from.low;
}

export function touchAttachments(undo: Undo, attachments: Attachments): void {
  if (!undo.active || attachments.epoch === undo.epoch) return;
  attachments.epoch = undo.epoch;
  copyAttachments(attachments, copyFor(undo, undo.attachments, attachments));
}
