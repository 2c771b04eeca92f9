// Measures a simulated day: it checks every event of every command against its own books. It
// changes nothing and trusts nothing; the agents and the engine decide.

import { balanceOf } from '../src/engine/account.ts';
import type { Command } from '../src/engine/command.ts';
import type { Event, Traded } from '../src/engine/event.ts';
import type { Exchange } from '../src/engine/exchange.ts';
import { checkInvariants } from '../src/engine/invariants/invariants.ts';
import { liveAccounts } from '../src/engine/liveAccounts.ts';
import type { Market } from '../src/engine/market.ts';
import type { Outcome } from '../src/engine/outcome.ts';
import type { Deleveraged, LiquidationFlagged } from '../src/engine/riskEvent.ts';
import { notionalOf } from '../src/units/notional.ts';
import { type AccountId, rateOne, type Ticks } from '../src/units/units.ts';
import { printTraderIds } from './cast.ts';
import {
  createLiquidationSteps,
  endSteps,
  type LiquidationSteps,
  noteClosed,
  noteDeleveraged,
  noteOrdered,
} from './liquidationSteps.ts';
import {
  bookEvent,
  createShadowLedger,
  equityAt,
  maintenanceAt,
  type ShadowLedger,
  shadowDifference,
} from './shadowLedger.ts';
import { market as marketId } from './simMarket.ts';
import { createViolations, type Violations, violated } from './violations.ts';

const fund = 0 as AccountId;
const printTraders: ReadonlySet<AccountId> = new Set(printTraderIds);

/** Sums of the day; money is 1e-6 USDT. */
export type CrashDayFigures = {
  commands: number;
  rejections: number;
  trades: number;
  triggersFired: number;
  breakersTripped: number;
  indexesRefused: number;
  fundingBoundaries: number;
  bookNotional: number;
  takeoverNotional: number;
  adlNotional: number;
  fundReduction: number;
  insuranceUsed: number;
  /** What deleveraged accounts lost against the mark, and profit that was shared for deficits. */
  honestLosses: number;
  liquidationFees: number;
  /** The worst |mark − index| / index. */
  markIndexDifference: number;
  innocentLiquidated: number;
  negativeBuckets: number;
  /** Checks in which money was made or lost, and assertions of the engine that failed. */
  unconserved: number;
  faults: number;
  /** The lowest price of a trade that was not a liquidation, in ticks. */
  lowestTrade: number;
  /** Trades of the two accounts that make the book trade at recorded prints. */
  printsTraded: number;
  /** The highest notional of long positions, at the mark of a minute. */
  openInterestMax: number;
  fullChecks: number;
  moneyChecks: number;
};

export type CrashDayWatch = {
  readonly violations: Violations;
  readonly figures: CrashDayFigures;
  readonly steps: LiquidationSteps;
  readonly ledger: ShadowLedger;
  /** Accounts that were flagged at least once, and those that are flagged now. */
  readonly liquidated: Set<AccountId>;
  readonly flagged: Set<AccountId>;
  /** Accounts whose buckets the present command changed. */
  readonly touched: Set<AccountId>;
  index: Ticks;
  mark: Ticks;
  /** Whether the present command contained an accepted index. */
  priced: boolean;
};

const figuresAtStart = (): CrashDayFigures => ({
  commands: 0,
  rejections: 0,
  trades: 0,
  triggersFired: 0,
  breakersTripped: 0,
  indexesRefused: 0,
  fundingBoundaries: 0,
  bookNotional: 0,
  takeoverNotional: 0,
  adlNotional: 0,
  fundReduction: 0,
  insuranceUsed: 0,
  honestLosses: 0,
  liquidationFees: 0,
  markIndexDifference: 0,
  innocentLiquidated: 0,
  negativeBuckets: 0,
  unconserved: 0,
  faults: 0,
  lowestTrade: Number.POSITIVE_INFINITY,
  printsTraded: 0,
  openInterestMax: 0,
  fullChecks: 0,
  moneyChecks: 0,
});

/** A watch of a listed market, before any account has money. */
export function createCrashDayWatch(accounts: number, { grain, terms }: Market): CrashDayWatch {
  return {
    violations: createViolations(),
    figures: figuresAtStart(),
    steps: createLiquidationSteps(),
    ledger: createShadowLedger(accounts, {
      grain,
      maintenanceRate: terms.maintenanceMarginRate,
      brackets: terms.brackets,
    }),
    liquidated: new Set(),
    flagged: new Set(),
    touched: new Set(),
    index: 0 as Ticks,
    mark: 0 as Ticks,
    priced: false,
  };
}

/** Takes the events of one command, or of the timers before a batch, and checks the rules. */
export function watchCommand(
  watch: CrashDayWatch,
  exchange: Exchange,
  command: Command | undefined,
  outcome: Outcome | undefined,
): void {
  const { violations, figures, ledger, touched } = watch;
  const { events } = exchange;
  exchange.events = [];
  if (command !== undefined) figures.commands += 1;
  if (outcome?.kind === 'rejected') {
    figures.rejections += 1;
    const { rejection } = outcome;
    if (rejection.reason === 'fault') {
      figures.faults += 1;
      violated(violations, `a fault: ${rejection.detail}`);
    }
  }
  watch.priced = false;
  for (const event of events) {
    measure(watch, exchange, event);
    bookEvent(ledger, event);
  }
  if (touched.size > 0) checkTouched(watch, exchange);
  if (watch.steps.open.size > 0) endSteps(worldOf(watch, exchange));
  if (watch.priced && command?.kind === 'indexTick') checkTick(watch);
}

const worldOf = (watch: CrashDayWatch, exchange: Exchange) => ({
  steps: watch.steps,
  ledger: watch.ledger,
  terms: exchange.markets[marketId]!.terms,
  mark: watch.mark,
  violations: watch.violations,
});

function measure(watch: CrashDayWatch, exchange: Exchange, event: Event): void {
  const { figures, touched } = watch;
  switch (event.kind) {
    case 'priced': {
      watch.index = event.index;
      watch.mark = event.mark;
      watch.priced = true;
      const difference = Math.abs(event.mark - event.index) / event.index;
      figures.markIndexDifference = Math.max(figures.markIndexDifference, difference);
      return;
    }
    case 'traded':
      return measureTrade(watch, exchange, event);
    case 'takenOver': {
      noteClosed(worldOf(watch, exchange), event.account.account, event.lots);
      figures.takeoverNotional += notionalOf(event.ticks, event.lots, watch.ledger.grain);
      figures.insuranceUsed += Math.max(0, -event.fund.pnl);
      touched.add(event.account.account).add(fund);
      return;
    }
    case 'deleveraged':
      return measureDeleveraging(watch, exchange, event);
    case 'fundingCovered':
      figures.insuranceUsed += event.amount;
      touched.add(fund);
      return;
    case 'lossCovered':
      figures.insuranceUsed += event.fund;
      touched.add(event.account).add(fund);
      return;
    case 'orderPlaced':
      touched.add(event.account);
      // The client id that marks a liquidation order; the agents give their own orders no ids.
      if (event.account !== fund && event.clientOrderId.startsWith('autoclose-')) {
        noteOrdered(worldOf(watch, exchange), event.account, event.lots);
      }
      return;
    case 'liquidationFlagged':
      return measureFlag(watch, event);
    case 'liquidationFeePaid':
      figures.liquidationFees += event.amount;
      touched.add(event.account).add(fund);
      return;
    default:
      return measureRest(watch, event);
  }
}

function measureRest({ figures, touched }: CrashDayWatch, event: Event): void {
  if (event.kind === 'triggerFired') figures.triggersFired += 1;
  else if (event.kind === 'breakerTripped') figures.breakersTripped += 1;
  else if (event.kind === 'indexRefused') figures.indexesRefused += 1;
  else if (event.kind === 'fundingSettled') figures.fundingBoundaries += 1;
  else if (event.kind === 'fundingPaid') touched.add(event.account);
  else if (event.kind === 'profitShared' || event.kind === 'profitRealized') {
    touched.add(event.account);
    if (event.kind === 'profitShared') figures.honestLosses += event.amount;
  }
}

function measureTrade(watch: CrashDayWatch, exchange: Exchange, event: Traded): void {
  const { figures, touched } = watch;
  const { taker, maker, lots, ticks, liquidation } = event;
  touched.add(taker.account).add(maker.account);
  figures.trades += 1;
  if (!liquidation) {
    figures.lowestTrade = Math.min(figures.lowestTrade, ticks);
    if (printTraders.has(taker.account) && printTraders.has(maker.account)) {
      figures.printsTraded += 1;
    }
    return;
  }
  if (taker.account === fund) {
    figures.insuranceUsed += Math.max(0, -taker.pnl);
    return;
  }
  noteClosed(worldOf(watch, exchange), taker.account, lots);
  figures.bookNotional += notionalOf(ticks, lots, watch.ledger.grain);
}

function measureDeleveraging(watch: CrashDayWatch, exchange: Exchange, event: Deleveraged): void {
  const { figures, touched, ledger } = watch;
  const { bankrupt, counterparty, lots, ticks, cause } = event;
  touched.add(bankrupt.account).add(counterparty.account);
  const notional = notionalOf(ticks, lots, ledger.grain);
  for (const { account, pnl } of [bankrupt, counterparty]) {
    if (account === fund) figures.insuranceUsed += Math.max(0, -pnl);
  }
  if (cause === 'fund_reduction') {
    figures.fundReduction += notional;
    return;
  }
  figures.adlNotional += notional;
  if (counterparty.account !== fund) {
    const worse = Math.max(0, event.side * (event.mark - ticks));
    figures.honestLosses += worse * lots * ledger.grain;
  }
  if (bankrupt.account === fund) {
    const equity = equityAt(ledger, fund, watch.mark);
    if (equity > 0) violated(watch.violations, `the fund is deleveraged at equity ${equity}`);
  } else noteDeleveraged(worldOf(watch, exchange), event);
}

/** LIQ-1: below maintenance at the mark and at the index, or without equity at the mark. */
function measureFlag(watch: CrashDayWatch, event: LiquidationFlagged): void {
  const { ledger, mark, index, violations, figures } = watch;
  const { account, flagged } = event;
  if (!flagged) {
    watch.flagged.delete(account);
    return;
  }
  watch.flagged.add(account);
  watch.liquidated.add(account);
  const equity = equityAt(ledger, account, mark);
  const maintenance = maintenanceAt(ledger, account, mark);
  if (event.equity !== equity || event.maintenance !== maintenance) {
    const reported = `${event.equity} of ${event.maintenance}`;
    violated(
      violations,
      `account ${account} has ${equity} of ${maintenance}, flagged at ${reported}`,
    );
  }
  if (equity >= maintenance) violated(violations, `account ${account} is flagged and holds`);
  const atIndex = equityAt(ledger, account, index);
  const needed = maintenanceAt(ledger, account, index);
  if (atIndex < needed) return;
  figures.innocentLiquidated += 1;
  violated(violations, `account ${account} holds at the index: ${atIndex} of ${needed}`);
}

/** BAL-2: no bucket is ever negative. */
function checkTouched(watch: CrashDayWatch, exchange: Exchange): void {
  for (const id of watch.touched) {
    const { available, freezes, collateral } = exchange.accounts[id]!;
    if (available >= 0 && freezes >= 0 && collateral >= 0) continue;
    watch.figures.negativeBuckets += 1;
    const buckets = `${available}, ${freezes}, ${collateral}`;
    violated(watch.violations, `account ${id} has the buckets ${buckets}`);
  }
  watch.touched.clear();
}

/** After an accepted index: no account without equity has a position left (LIQ-5). */
function checkTick({ ledger, mark, violations }: CrashDayWatch): void {
  const { cash, lots, grain } = ledger;
  const value = mark * grain;
  for (let id = 1; id < cash.length; id += 1) {
    if (lots[id] === 0 || cash[id]! + lots[id]! * value > 0) continue;
    const equity = equityAt(ledger, id as AccountId, mark);
    violated(violations, `account ${id} keeps ${lots[id]} lots with equity ${equity} (LIQ-5)`);
  }
}

/** Between two ticks, an account that fails at mark and index is always flagged (LIQ-1). */
export function checkNobodyIsMissed(watch: CrashDayWatch): void {
  const { ledger, mark, index, flagged, violations } = watch;
  const { cash, lots, grain } = ledger;
  const value = mark * grain;
  // Clearly more than the maintenance rate: exact products are made only for accounts near it.
  const near = value * (ledger.brackets.at(-1)!.rate / rateOne) * 1.01;
  for (let account = 1; account < cash.length; account += 1) {
    const held = lots[account]!;
    if (held === 0 || cash[account]! + held * value > Math.abs(held) * near) continue;
    const id = account as AccountId;
    if (flagged.has(id)) continue;
    if (equityAt(ledger, id, mark) >= maintenanceAt(ledger, id, mark)) continue;
    if (equityAt(ledger, id, index) >= maintenanceAt(ledger, id, index)) continue;
    violated(violations, `account ${id} fails at mark and index and is not flagged (LIQ-1)`);
  }
}

/** Compares every account's balance and position, and the sum of all money, with our own books. */
export function checkMoney(watch: CrashDayWatch, exchange: Exchange): void {
  const { ledger, violations, figures } = watch;
  const { longLots } = exchange.markets[marketId]!.figures;
  figures.openInterestMax = Math.max(figures.openInterestMax, longLots * watch.mark * ledger.grain);
  const { funds } = exchange;
  figures.moneyChecks += 1;
  let sum = funds.feeRevenue + funds.referralPayable + funds.pendingWithdrawals;
  sum -= funds.shortfall + ledger.deposits;
  for (const account of liveAccounts(exchange)) {
    const position = account.positions[marketId];
    const own = balanceOf(account) - (position?.entry ?? 0);
    sum += own;
    const { id } = account;
    if (own !== ledger.cash[id] || (position?.lots ?? 0) !== ledger.lots[id]) {
      const kept = `${position?.lots ?? 0} lots and ${own}`;
      const due = `${ledger.lots[id]} lots and ${ledger.cash[id]}`;
      violated(violations, `account ${id} has ${kept} instead of ${due}`);
    }
    if (account.available < 0 || account.freezes < 0 || account.collateral < 0) {
      figures.negativeBuckets += 1;
    }
  }
  const apart = shadowDifference(ledger);
  if (sum !== 0 || apart !== 0) {
    figures.unconserved += 1;
    violated(violations, `balances make or lose ${sum}, events ${apart} (BAL-2)`);
  }
  if (funds.shortfall !== ledger.shortfall) {
    violated(violations, `shortfall ${funds.shortfall} instead of ${ledger.shortfall}`);
  }
}

/** The engine's own full check. */
export function checkEverything(watch: CrashDayWatch, exchange: Exchange): void {
  watch.figures.fullChecks += 1;
  const { failures, figures } = checkInvariants(exchange);
  if (figures.difference !== 0n) watch.figures.unconserved += 1;
  for (const failure of failures) violated(watch.violations, failure);
}
