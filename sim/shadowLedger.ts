// What every account owns, computed from events alone and apart from the engine's own books: its
// cash (deposits and everything it sold, minus everything it bought and paid) and its lots. On one
// market cash + lots × price is equity at any price, however PnL was booked in between.

import type { Bracket } from '../src/engine/bracket.ts';
import type { Event, Traded } from '../src/engine/event.ts';
import type { Fill } from '../src/engine/fill.ts';
import type { Side } from '../src/engine/orderTypes.ts';
import type { Deleveraged, LossCovered, TakenOver } from '../src/engine/riskEvent.ts';
import { mulDivCeil } from '../src/units/mulDiv.ts';
import { type Grain, notionalOf } from '../src/units/notional.ts';
import {
  type AccountId,
  type Lots,
  type Money,
  type Rate,
  rateOne,
  type Ticks,
} from '../src/units/units.ts';

const fund = 0 as AccountId;

export type ShadowLedger = {
  /**
   * The contract multiplier of the next event's market; a caller that books several markets sets
   * it.
   */
  grain: Grain;
  readonly maintenanceRate: Rate;
  /** Of the one market (MAR-10); one bracket or none: nothing is added to the maintenance rate. */
  readonly brackets: readonly Bracket[];
  /** By account: Σ lots × (rate at which they opened − maintenance rate), in 1e-8 lots. */
  readonly surcharges: BigInt64Array;
  /** Internal accounts, and the open interest of the others. */
  readonly internal: Set<AccountId>;
  readonly openLots: { long: number; short: number };
  /** By account, 1e-6 USDT. */
  readonly cash: Float64Array;
  readonly lots: Float64Array;
  feeRevenue: number;
  referralPayable: number;
  shortfall: number;
  deposits: number;
  /** Payments of the funding boundary that is being settled, and what the fund added to them. */
  fundingPool: number;
};

type ShadowTerms = {
  readonly grain: Grain;
  readonly maintenanceRate: Rate;
  readonly brackets?: readonly Bracket[];
};

export function createShadowLedger(
  accounts: number,
  { grain, maintenanceRate, brackets = [] }: ShadowTerms,
): ShadowLedger {
  return {
    grain,
    maintenanceRate,
    brackets,
    surcharges: new BigInt64Array(accounts),
    internal: new Set([fund]),
    openLots: { long: 0, short: 0 },
    cash: new Float64Array(accounts),
    lots: new Float64Array(accounts),
    feeRevenue: 0,
    referralPayable: 0,
    shortfall: 0,
    deposits: 0,
    fundingPool: 0,
  };
}

/** equity = cash + lots × price */
export function equityAt(ledger: ShadowLedger, account: AccountId, ticks: Ticks): number {
  return ledger.cash[account]! + ledger.lots[account]! * ticks * ledger.grain;
}

/** maintenance = (|lots| × maintenance rate + surcharge) × price, rounded up */
export function maintenanceAt(ledger: ShadowLedger, account: AccountId, ticks: Ticks): number {
  const size = Math.abs(ledger.lots[account]!);
  const surcharge = ledger.surcharges[account]!;
  if (surcharge === 0n) {
    return mulDivCeil(size * ticks * ledger.grain, ledger.maintenanceRate, rateOne);
  }
  const weight = BigInt(size) * BigInt(ledger.maintenanceRate) + surcharge;
  const one = BigInt(rateOne);
  return Number((weight * BigInt(ticks * ledger.grain) + one - 1n) / one);
}

/** Books what an event moved. */
export function bookEvent(ledger: ShadowLedger, event: Event): void {
  const { cash } = ledger;
  switch (event.kind) {
    case 'accountFlagged':
      if (event.house) ledger.internal.add(event.account);
      else ledger.internal.delete(event.account);
      return;
    case 'credited':
      cash[event.account]! += event.amount;
      ledger.deposits += event.amount;
      return;
    case 'insuranceCredited':
      payFund(ledger, event.amount);
      ledger.deposits += event.amount;
      return;
    case 'traded':
      return bookTrade(ledger, event);
    case 'takenOver':
    case 'deleveraged':
      return bookClose(ledger, event);
    case 'lossCovered':
      return bookLoss(ledger, event);
    case 'fundingCovered':
      cash[fund]! -= event.amount;
      ledger.fundingPool += event.amount;
      return;
    case 'feesShared':
      ledger.feeRevenue -= event.amount;
      payFund(ledger, event.amount);
      return;
    case 'referralAccrued':
      ledger.feeRevenue -= event.amount;
      ledger.referralPayable += event.amount;
      return;
    case 'referralClaimed':
      ledger.referralPayable -= event.amount;
      cash[event.account]! += event.amount;
      return;
    case 'liquidationFeePaid':
      cash[event.account]! -= event.amount;
      payFund(ledger, event.amount);
      return;
    case 'profitShared':
      cash[event.account]! -= event.amount;
      return;
    case 'fundingPaid':
      ledger.fundingPool -= event.amount;
      if (event.account === fund && event.amount > 0) payFund(ledger, event.amount);
      else cash[event.account]! += event.amount;
      return;
    case 'fundingSettled':
      // The fund gets what was rounded away from payers and receivers.
      payFund(ledger, ledger.fundingPool);
      ledger.fundingPool = 0;
      return;
    default:
      return;
  }
}

/** Income of the fund repays the shortfall first. */
function payFund(ledger: ShadowLedger, amount: number): void {
  const repaid = Math.min(ledger.shortfall, amount);
  ledger.shortfall -= repaid;
  ledger.cash[fund]! += amount - repaid;
}

function bookTrade(ledger: ShadowLedger, { taker, maker, takerSide, lots, ticks }: Traded): void {
  exchangeLots(ledger, { fill: taker, side: takerSide, lots, ticks });
  exchangeLots(ledger, { fill: maker, side: -takerSide as Side, lots, ticks });
  for (const { account, fee } of [taker, maker]) {
    ledger.cash[account]! -= fee;
    ledger.feeRevenue += fee;
  }
}

function bookClose(ledger: ShadowLedger, event: TakenOver | Deleveraged): void {
  const { side, lots, ticks } = event;
  const isTakeover = event.kind === 'takenOver';
  const closed = isTakeover ? event.account : event.bankrupt;
  const other = isTakeover ? event.fund : event.counterparty;
  exchangeLots(ledger, { fill: closed, side, lots, ticks });
  exchangeLots(ledger, { fill: other, side: -side as Side, lots, ticks });
}

type Exchanged = {
  readonly fill: Fill;
  readonly side: Side;
  readonly lots: Lots;
  readonly ticks: Ticks;
};

function exchangeLots(ledger: ShadowLedger, { fill, side, lots, ticks }: Exchanged): void {
  const { account, pnl } = fill;
  if (ledger.brackets.length > 1) noteSurcharge(ledger, account, { side, lots, ticks });
  ledger.cash[account]! -= side * notionalOf(ticks, lots, ledger.grain);
  ledger.lots[account]! += side * lots;
  if (account === fund && pnl > 0) {
    const repaid = Math.min(ledger.shortfall, pnl);
    ledger.shortfall -= repaid;
    ledger.cash[fund]! -= repaid;
  }
}

/** MAR-10: closed lots take their share with them; opened ones pay by where their side stands. */
function noteSurcharge(
  ledger: ShadowLedger,
  account: AccountId,
  { side, lots, ticks }: Omit<Exchanged, 'fill'>,
): void {
  if (ledger.internal.has(account)) return;
  const { surcharges, openLots, brackets, grain } = ledger;
  const before = ledger.lots[account]!;
  const closing = Math.min(lots, Math.max(0, -side * before));
  if (closing > 0) {
    const share = (surcharges[account]! * BigInt(closing)) / BigInt(Math.abs(before));
    surcharges[account]! -= share;
    openLots[side > 0 ? 'short' : 'long'] -= closing;
  }
  const name = side > 0 ? 'long' : 'short';
  const to = openLots[name] + lots - closing;
  for (const [at, { upTo, rate }] of brackets.entries()) {
    const isLast = at === brackets.length - 1;
    const end = isLast ? to : Math.min(to, Math.floor(upTo / (ticks * grain)));
    if (end <= openLots[name]) continue;
    const opened = BigInt(end - openLots[name]);
    surcharges[account]! += opened * BigInt(rate - ledger.maintenanceRate);
    openLots[name] = end;
  }
}

/** What an account could not pay of a loss; shares of the winners were debited before. */
function bookLoss(ledger: ShadowLedger, { account, ...paid }: LossCovered): void {
  ledger.cash[fund]! -= paid.fund;
  ledger.shortfall += paid.shortfall;
  ledger.cash[account]! += paid.fund + paid.shared + paid.shortfall;
}

/**
 * Σ cash + fee revenue + referral payable − shortfall − deposits: 0 when no money was made or lost
 * (BAL-2).
 */
export function shadowDifference(ledger: ShadowLedger): Money {
  let sum = ledger.feeRevenue + ledger.referralPayable - ledger.shortfall - ledger.deposits;
  for (const cash of ledger.cash) sum += cash;
  return sum as Money;
}
