// The liquidation waterfall (LIQ-1 … LIQ-5). An account that fails is flagged, its orders are
// cancelled, and its positions are closed step by step: by the book, by the insurance fund, by
// deleveraging. It runs at every index tick, and when a market becomes live again.

import { notionalOf, shareUp } from '../../units/notional.ts';
import type { Lots, Money } from '../../units/units.ts';
import { type Account, balanceOf } from '../account.ts';
import {
  bankruptcyTicks,
  feeMax,
  isDeep,
  isRestored,
  lotsToClose,
} from '../clearing/bankruptcy.ts';
import { charge, take } from '../clearing/debit.ts';
import { createDeleveraging, type Deleveraging, deleverage } from '../clearing/deleverage.ts';
import { isFund, payFund, recordFundPeak } from '../clearing/insurance.ts';
import { move } from '../clearing/ledger.ts';
import { atRiskIn, takeFailing } from '../clearing/liquidationIndex.ts';
import { maintenanceMargin } from '../clearing/maintenance.ts';
import {
  holdsAny,
  isFailing,
  type MarginStatus,
  marginStatusAtIndex,
  marginStatusOf,
  positionsOf,
  type Subject,
  statusToSpend,
  subjectOf,
  subjectsOf,
} from '../clearing/marginStatus.ts';
import { markDirty } from '../clearing/markDirty.ts';
import { takeOver } from '../clearing/takeOver.ts';
import { flushEnded } from '../endOrder.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { isMarketLive, type Market } from '../market.ts';
import type { Side } from '../orderTypes.ts';
import type { Position } from '../position.ts';
import { cancelQueues } from './cancelAllOrders.ts';
import { boundedTicks, closeByBook } from './closeByBook.ts';
import { closingTerms } from './closingTerms.ts';
import { tendFund } from './tendFund.ts';

/** The time between steps, unless equity is below two thirds of Σ maintenance (LIQ-1). */
const stepMs = 30_000;

type Case = { readonly subject: Subject; readonly marginStatus: MarginStatus };

/**
 * Tests all accounts with a position in the markets that ticked and liquidates those that fail,
 * lowest equity first; then the fund; then the accounts that this work itself brought to no equity,
 * until there are none (LIQ-5). Cost: the accounts near liquidation, not all with positions.
 */
export function runLiquidations(exchange: Exchange, ticked: readonly Market[]): void {
  if (ticked.length === 0) return;
  const live = ticked.filter((market) => isMarketLive(market, exchange.time));
  if (live.length > 0) recordFundPeak(exchange);
  const candidates = new Set<Subject>();
  // A delivery or funding may have ruined an account whose own markets do not tick now (LIQ-5).
  for (const subject of takeFailing(exchange).flatMap(subjectsOf)) {
    if (marginStatusOf(exchange, subject).equity <= 0) candidates.add(subject);
  }
  // A market that is not live changes equities too: the other markets of an account then find it.
  for (const market of ticked) {
    for (const position of atRiskIn(market)) candidates.add(subjectOf(exchange, position));
  }
  const subjects = uniqueSubjects(candidates);
  for (const { account } of subjects) markDirty(exchange, account);
  const isLive = new Set(live.map(({ id }) => id));
  const deleveraging = createDeleveraging();
  const first = casesOf(exchange, subjects, (subject, { equity, maintenance }) => {
    if (!isFlagged(subject) && equity >= maintenance) return false;
    return holdsAny(subject, ({ market }) => isLive.has(market));
  });
  for (const { subject } of first) workSubject(exchange, deleveraging, subject);
  tendFund(exchange, deleveraging, live);
  for (;;) {
    const ruined = ruinedSubjects(exchange);
    if (ruined.length === 0) return;
    for (const { subject } of ruined) workSubject(exchange, deleveraging, subject);
    tendFund(exchange, deleveraging, []);
  }
}

/** The same account or isolated position may have been found through several positions. */
function uniqueSubjects(found: Iterable<Subject>): Subject[] {
  const unique = new Map<Bearer, Subject>();
  for (const subject of found) unique.set(bearerOf(subject), subject);
  return [...unique.values()];
}

/** By equity, then account, then market. */
function casesOf(
  exchange: Exchange,
  subjects: Iterable<Subject>,
  applies: (subject: Subject, marginStatus: MarginStatus) => boolean,
): Case[] {
  const cases: Case[] = [];
  for (const subject of subjects) {
    const marginStatus = marginStatusOf(exchange, subject);
    if (applies(subject, marginStatus)) cases.push({ subject, marginStatus });
  }
  return cases.sort(
    (a, b) =>
      a.marginStatus.equity - b.marginStatus.equity ||
      a.subject.account.id - b.subject.account.id ||
      (a.subject.position?.market ?? 0) - (b.subject.position?.market ?? 0),
  );
}

/**
 * The subjects that this command brought to no equity, if they have a position that can be closed.
 */
function ruinedSubjects(exchange: Exchange): Case[] {
  const isLive = ({ market }: Position): boolean =>
    isMarketLive(exchange.markets[market]!, exchange.time);
  const subjects: Subject[] = [];
  // Most of them were closed just now: they are not worth the sums.
  for (const account of exchange.dirty) {
    if (isFund(account) || !holdsAny({ account, position: undefined }, isLive)) continue;
    for (const subject of subjectsOf(account)) {
      if (subject.position === undefined || isLive(subject.position)) subjects.push(subject);
    }
  }
  return casesOf(exchange, subjects, (_, { equity }) => equity <= 0);
}

/** What carries the flag of a subject, and the time of its last step. */
type Bearer = Account | Position;

const bearerOf = ({ account, position }: Subject): Bearer => position ?? account;

const isFlagged = (subject: Subject): boolean => bearerOf(subject).flagged;

/** Lowers the flag of a subject that has no position any more. */
export function lowerEmptyFlags(exchange: Exchange, account: Account): void {
  for (const position of account.positions) {
    if (position?.flagged === true) lowerFlagIfEmpty(exchange, { account, position });
  }
  if (account.flagged) lowerFlagIfEmpty(exchange, { account, position: undefined });
}

function lowerFlagIfEmpty(exchange: Exchange, subject: Subject): void {
  if (holdsAny(subject, () => true)) return;
  setFlag(exchange, subject, false, marginStatusOf(exchange, subject));
}

function setFlag(
  exchange: Exchange,
  subject: Subject,
  flagged: boolean,
  { equity, maintenance }: MarginStatus,
): void {
  const { account, position } = subject;
  const bearer = bearerOf(subject);
  if (bearer.flagged === flagged) return;
  bearer.flagged = flagged;
  markDirty(exchange, account);
  exchange.events.push({
    kind: 'liquidationFlagged',
    account: account.id,
    market: position?.market,
    flagged,
    equity,
    maintenance,
  });
}

/**
 * Works on one subject until it is restored, must wait, or has nothing left that can be closed now.
 */
function workSubject(exchange: Exchange, deleveraging: Deleveraging, subject: Subject): void {
  const bearer = bearerOf(subject);
  const leftOver: Position[] = [];
  for (;;) {
    const marginStatus = marginStatusOf(exchange, subject);
    if (isRestored(marginStatus)) return setFlag(exchange, subject, false, marginStatus);
    if (!isFailing(marginStatus, () => marginStatusAtIndex(exchange, subject))) return;
    setFlag(exchange, subject, true, marginStatus);
    cancelOrders(exchange, subject);
    const waits = bearer.steppedAt !== 0 && exchange.time - bearer.steppedAt < stepMs;
    if (waits && !isDeep(marginStatus)) return;
    const position = largestPosition(exchange, subject, leftOver);
    if (position === undefined) return;
    const step = { exchange, deleveraging, subject, position };
    if (takeStep(step, marginStatus)) bearer.steppedAt = exchange.time;
    else leftOver.push(position);
  }
}

function cancelOrders(exchange: Exchange, { account, position }: Subject): void {
  for (const each of position === undefined ? account.positions : [position]) {
    if (each !== undefined) cancelQueues(exchange, each, 'LIQUIDATION');
  }
}

/** The live position with the largest maintenance margin that was not left over yet. */
function largestPosition(
  exchange: Exchange,
  subject: Subject,
  leftOver: readonly Position[],
): Position | undefined {
  let largest: Position | undefined;
  let maintenance = -1;
  for (const position of positionsOf(subject)) {
    const market = exchange.markets[position.market]!;
    if (leftOver.includes(position) || !isMarketLive(market, exchange.time)) continue;
    const own = maintenanceMargin(market, position);
    if (own <= maintenance) continue;
    largest = position;
    maintenance = own;
  }
  return largest;
}

type Step = {
  readonly exchange: Exchange;
  readonly deleveraging: Deleveraging;
  readonly subject: Subject;
  readonly position: Position;
};

/**
 * One step of one position: book, fund, deleveraging, fee. Gives whether all of it was closed. The
 * margin status is the present one: cancelled orders change no equity.
 */
function takeStep(step: Step, marginStatus: MarginStatus): boolean {
  const { exchange, subject, position } = step;
  const market = exchange.markets[position.market]!;
  const { available } = subject.account;
  const side = (position.lots > 0 ? -1 : 1) as Side;
  const wanted = lotsToClose(market, position, marginStatus);
  const toSpend = statusToSpend(exchange, subject, marginStatus);
  const ticks = bankruptcyTicks(exchange, subject, position, toSpend);
  const limit = boundedTicks(market, side, { ticks, rate: market.terms.markBand });
  const filled = closeByBook(exchange, position, { lots: wanted, limit, origin: 'liquidation' });
  const kept = keepReleased(step, available);
  const outside = closeOutside(step, market, (wanted - filled.lots) as Lots);
  payFee(step, {
    market,
    notional: (filled.notional + outside.notional) as Money,
    availableBefore: available,
    kept: (kept + outside.kept) as Money,
  });
  // Closing at a price may have ended orders of both sides, and paying may too (BAL-4).
  flushEnded(exchange);
  return outside.left === 0;
}

type ClosedOutside = {
  readonly left: number;
  /** What the fund took and a fee is due for: not where the price is the charge (LIQ-3, LIQ-3d). */
  readonly notional: number;
  /** As keepReleased gives it. */
  readonly kept: number;
};

/**
 * Closes what the book left of a step, as long as equity is below two thirds of Σ maintenance:
 * first by the fund, then by deleveraging (LIQ-3, LIQ-4).
 */
function closeOutside(step: Step, market: Market, wanted: Lots): ClosedOutside {
  const { exchange, deleveraging, subject, position } = step;
  const { available } = subject.account;
  const isDeepNow = (): boolean => isDeep(marginStatusOf(exchange, subject));
  let left: number = wanted;
  let notional = 0;
  let kept = 0;
  if (left > 0 && isDeepNow()) {
    const terms = closingTerms(exchange, { subject, position, lots: left as Lots });
    const taken = takeOver(exchange, position, terms.lots, terms.ticks);
    left -= taken;
    // Where the account keeps a part of its equity, the price is what it pays.
    if (!terms.restores) notional = notionalOf(terms.ticks, taken, market.grain);
    kept += keepReleased(step, available);
  }
  if (left > 0 && isDeepNow()) {
    const terms = closingTerms(exchange, { subject, position, lots: left as Lots });
    const marginStatus = marginStatusOf(exchange, subject);
    const cause = 'deleveraging' as const;
    const closing = { exchange, deleveraging, market, position, cause, marginStatus };
    deleverage(closing, terms.lots, terms.ticks);
    left -= terms.lots;
    kept += keepReleased(step, available);
  }
  return { left, notional, kept };
}

/**
 * What a close released from an isolated position stays with the remaining position. Closing a part
 * must make it safer, and a release pro rata would not (LIQ-1c). Gives what stayed.
 */
function keepReleased({ exchange, position, subject }: Step, availableBefore: Money): Money {
  const nothing = 0 as Money;
  if (subject.position === undefined) return nothing;
  const { account } = subject;
  const freed = (account.available - availableBefore) as Money;
  if (position.lots === 0 || freed <= 0) return nothing;
  move(exchange, account, { from: 'available', to: 'collateral', amount: freed });
  position.collateral = (position.collateral + freed) as Money;
  return freed;
}

type FeeBase = {
  readonly market: Market;
  /** For which a fee is due. */
  readonly notional: Money;
  readonly availableBefore: Money;
  /** What the step released and left with an isolated position: it pays the fee first. */
  readonly kept: Money;
};

/**
 * fee = notional × liquidation fee rate, rounded up, of what the book and the fund took (LIQ-3), as
 * far as the rest stays above Σ maintenance; all of the equity only with nothing left (LIQ-3c). For
 * an isolated position equity is what the step left of its own: available does not belong to it.
 */
function payFee(step: Step, { market, notional, availableBefore, kept }: FeeBase): void {
  const { exchange, subject, position } = step;
  const { account } = subject;
  const due = shareUp(notional, market.terms.liquidationFeeRate);
  const { equity, maintenance } = marginStatusOf(exchange, subject);
  const freed = subject.position === undefined ? 0 : account.available - availableBefore;
  const present = { equity: (equity + freed) as Money, maintenance };
  const toSpend = statusToSpend(exchange, subject, present, (account.available - freed) as Money);
  const fee = Math.min(due, feeMax(toSpend)) as Money;
  if (fee === 0) return;
  const released = Math.min(fee, kept, position.collateral) as Money;
  if (released > 0) {
    move(exchange, account, { from: 'collateral', to: 'available', amount: released });
    position.collateral = (position.collateral - released) as Money;
  }
  const amount = take(exchange, account, position, charge(fee));
  payFund(exchange, amount);
  exchange.events.push({
    kind: 'liquidationFeePaid',
    id: drawNumber(exchange),
    account: account.id,
    market: market.id,
    amount,
    balance: balanceOf(account),
  });
}
