// The operator changes a market's terms or status (SYM-1, SYM-2, OPS-2). The new terms must pass
// the same checks as at listing; the grid cannot change. A raised maintenance rate waits a day
// while there are positions, so that an operator's change alone liquidates no account. The whole
// table of brackets moves with the rate; in all else a table holds at once, because it concerns
// only what opens (MAR-10).

import { assert } from '../../std/assert.ts';
import type { AccountId, Rate, Time } from '../../units/units.ts';
import { advanceFunding } from '../clearing/accrueFunding.ts';
import { holdersOf, markHoldersDirty } from '../clearing/liquidationIndex.ts';
import type { ChangeMarket, JudgedChange } from '../command.ts';
import { drawNumber, type Exchange, type Timer } from '../exchange.ts';
import { deliveryOf, isMarketLive, type Market } from '../market.ts';
import { type MarketStatus, type MarketTerms, sameSources, termsAfter } from '../marketTerms.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { Rejection } from '../rejection.ts';
import { changesSettling } from '../settlementTicks.ts';
import { cancelTimer, schedule } from '../timers.ts';
import { liquidatedByTerms } from '../views/liquidatedBy.ts';
import { checkRebates } from './checkRebates.ts';
import { checkDelivery, checkTerms } from './checkTerms.ts';
import { scheduleDelivery, scheduleFunding } from './marketTimers.ts';
import { runLiquidations } from './runLiquidations.ts';

const raiseDelayMs = 86_400_000;

export function changeMarket(exchange: Exchange, command: ChangeMarket): Outcome {
  const market = exchange.markets[command.market];
  if (market === undefined) return rejected({ reason: 'marketUnknown' });
  const status = command.status ?? market.status;
  const wanted = termsAfter(market.terms, command.terms);
  const refused =
    checkChange(market, { status, terms: wanted }, exchange.time) ?? checkRebates(exchange, wanted);
  if (refused !== undefined) return rejected(refused);
  const present = market.terms.maintenanceMarginRate;
  const raised = wanted.maintenanceMarginRate;
  const waits = raised > present && holdersOf(market).length > 0;
  const terms = waits ? termsAfter(wanted, { maintenanceMarginRate: present }) : wanted;
  const refusedToday = waits ? checkTerms(terms) : undefined;
  const late =
    refusedToday ?? checkJudged(exchange, market, { status, terms: wanted }, command.judged);
  if (late !== undefined) return rejected(late);
  // From here changeMarket must succeed.
  exchange.committed = true;
  const ruled = command.terms.maintenanceMarginRate !== undefined;
  if (ruled) scheduleRaise(exchange, market, waits ? raised : undefined);
  const wasHalted = market.status === 'HALT';
  setTerms(exchange, market, { status, terms });
  // Accounts that failed while the market was halted are tested now, not at some later price
  // (LIQ-5).
  const revived = wasHalted && isMarketLive(market, exchange.time);
  if (revived) runLiquidations(exchange, [market]);
  return { kind: 'accepted', market };
}

/** The day of a raised rate has come. */
export function raiseMaintenance(exchange: Exchange, timer: Timer): void {
  const market = exchange.markets[timer.market]!;
  const { raise, status } = market;
  assert(raise.timer === timer.id, 'a market waits for its raised rate');
  const terms = termsAfter(market.terms, { maintenanceMarginRate: raise.rate });
  scheduleRaise(exchange, market, undefined);
  // A settled market never changes again.
  if (market.dues.settledAt !== 0) return;
  // Terms that have changed since may no longer allow the rate; then it is dropped.
  if (checkTerms(terms) === undefined) setTerms(exchange, market, { status, terms });
}

type Wanted = { readonly status: MarketStatus; readonly terms: MarketTerms };

/**
 * The values by which the operator's request was judged must be unchanged, and immediate
 * liquidations must be confirmed (OPS-4). Cost: the positions of the market, when a term changes
 * that affects the mark.
 */
function checkJudged(
  exchange: Exchange,
  market: Market,
  wanted: Wanted,
  judged: JudgedChange | undefined,
): Rejection | undefined {
  if (judged === undefined) return undefined;
  const { terms, status } = market;
  const stands =
    judged.status === status &&
    judged.markClamp === terms.markClamp &&
    sameSources(judged.indexSources, terms.indexSources);
  if (!stands) return { reason: 'termsChanged' };
  const touched =
    (status === 'HALT' && wanted.status !== 'HALT') ||
    changesSettling(market, wanted, exchange.time) ||
    wanted.terms.markClamp !== terms.markClamp ||
    !sameSources(wanted.terms.indexSources, terms.indexSources);
  if (!touched || judged.mayLiquidate) return undefined;
  const { accounts } = liquidatedByTerms(exchange, market, wanted);
  return accounts === 0 ? undefined : { reason: 'wouldLiquidate', accounts };
}

/**
 * The terms must hold, and a delivery that this change schedules must be in the future (SYM-2a).
 */
function checkChange(market: Market, wanted: Wanted, now: Time): Rejection | undefined {
  if (market.dues.settledAt !== 0) {
    const detail = 'a settled market never changes';
    return { reason: 'termsInvalid', field: 'status', detail };
  }
  const refused = checkTerms(wanted.terms);
  if (refused !== undefined) return refused;
  return deliveryOf(wanted) === deliveryOf(market) ? undefined : checkDelivery(wanted, now);
}

/** Applies the terms and the status, with the effects of each that changed. */
function setTerms(exchange: Exchange, market: Market, wanted: Wanted): void {
  const { status, terms } = wanted;
  const before = market.terms;
  const delivery = deliveryOf(market);
  // Up to now funding has accrued by the terms before (FUND-1c).
  advanceFunding(exchange, market);
  market.status = status;
  market.terms = terms;
  const sources = new Set(terms.indexSources.map(({ source }) => source));
  market.prices.sources = market.prices.sources.filter(({ source }) => sources.has(source));
  if (terms.fundingIntervalHours !== before.fundingIntervalHours) {
    scheduleFunding(exchange, market);
  }
  if (deliveryOf(market) !== delivery) scheduleDelivery(exchange, market);
  if (terms.maintenanceMarginRate !== before.maintenanceMarginRate) {
    markHoldersDirty(exchange, market);
  }
  exchange.events.push({ kind: 'marketChanged', market: market.id, terms, status });
}

/** Schedules the rate, or, undefined, drops the scheduled one. */
function scheduleRaise(exchange: Exchange, market: Market, rate: Rate | undefined): void {
  const { raise } = market;
  cancelTimer(exchange, raise.timer);
  raise.rate = rate ?? (0 as Rate);
  raise.at = (rate === undefined ? 0 : exchange.time + raiseDelayMs) as Time;
  raise.timer = rate === undefined ? 0 : drawNumber(exchange);
  if (rate === undefined) return;
  const { at: time, timer: id } = raise;
  const owner = { account: 0 as AccountId, market: market.id };
  schedule(exchange, { time, id, kind: 'maintenance' as const, ...owner, nonce: '' });
}
