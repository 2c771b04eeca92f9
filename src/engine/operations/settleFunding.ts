// Funding is paid (FUND-1 … FUND-4): once per market and boundary, at the first accepted mark after
// it. Every account pays or receives what it has accrued by its lots and their time (FUND-1c). The
// insurance fund pays the unpaid amounts; beyond what it may pay, the receivers get less, pro rata.

import { mulDivFloor, mulDivHalfEven } from '../../units/mulDiv.ts';
import { type Lots, type Money, type Rate, rateOne, type Time } from '../../units/units.ts';
import { balanceOf, positionIn } from '../account.ts';
import {
  type Accrual,
  accruals,
  beginRest,
  clearDue,
  dueAccruals,
  endInterval,
  fundingUntil,
  intervalMs,
} from '../clearing/accrueFunding.ts';
import { charge, take } from '../clearing/debit.ts';
import { drawFund, isFund, payFund } from '../clearing/insurance.ts';
import { post } from '../clearing/ledger.ts';
import { holdersOf } from '../clearing/liquidationIndex.ts';
import type { SettleFunding } from '../command.ts';
import { flushEnded } from '../endOrder.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { isMarketLive, type Market } from '../market.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { Position } from '../position.ts';
import { runLiquidations } from './runLiquidations.ts';

/** Settles now, with the present time as the boundary (OPS-1). */
export function settleFunding(exchange: Exchange, command: SettleFunding): Outcome {
  const market = exchange.markets[command.market];
  if (market === undefined) return rejected({ reason: 'marketUnknown' });
  if (!isMarketLive(market, exchange.time)) {
    const halted = market.status === 'HALT' || market.dues.settledAt !== 0;
    return rejected({ reason: halted ? 'marketHalted' : 'priceUnavailable' });
  }
  // From here settleFunding must succeed.
  exchange.committed = true;
  if (market.dues.funding !== 0) settleDue(exchange, market);
  // A boundary is settled once, even when it is exactly this moment.
  if (market.dues.fundedAt !== exchange.time) settleSoFar(exchange, market);
  // Paying may have ruined an account (LIQ-5).
  runLiquidations(exchange, [market]);
  return { kind: 'accepted', market };
}

/** Settles what is due in those of these markets that are live. */
export function settleDueFunding(exchange: Exchange, markets: readonly Market[]): void {
  for (const market of markets) {
    const { dues } = market;
    if (dues.funding === 0 || !isMarketLive(market, exchange.time)) continue;
    settleDue(exchange, market);
  }
}

function settleDue(exchange: Exchange, market: Market): void {
  const { funding: boundary, fundingSum: sum, fundingMs: ms } = market.dues;
  const accrued = dueAccruals(market);
  clearDue(market);
  settle(exchange, market, { boundary, sum, ms, accrued });
}

/**
 * What is settled: the sum of an interval and its length, and what each account has accrued in it.
 */
type Interval = {
  readonly boundary: Time;
  readonly sum: number;
  readonly ms: number;
  readonly accrued: readonly Accrual[];
};

/** As the part of the interval that has passed (FUND-1c); the rest of it accrues anew. */
function settleSoFar(exchange: Exchange, market: Market): void {
  const passed = intervalSoFar(exchange, market);
  beginRest(exchange, market);
  settle(exchange, market, passed);
}

function intervalSoFar(exchange: Exchange, market: Market): Interval {
  const boundary = exchange.time;
  const sum = fundingUntil(market, boundary);
  const accrued = accruals(exchange, market, sum);
  return { boundary, sum, ms: intervalMs(market), accrued };
}

/**
 * Settles what has accrued before a delivery, as the part of its interval that has passed
 * (FUND-1c); nothing when nothing has accrued.
 */
export function settleBeforeDelivery(exchange: Exchange, market: Market): void {
  const passed = intervalSoFar(exchange, market);
  if (passed.accrued.some(({ amount }) => amount !== 0n)) settle(exchange, market, passed);
  endInterval(exchange, market, { boundary: exchange.time, isDue: false });
}

/**
 * Records a boundary that is not settled at rate 0: missed, or in HALT (FUND-3). A boundary that is
 * more than a day old has no row per position: a month of boundaries would be millions of rows at
 * one moment.
 */
export function recordFunding(exchange: Exchange, market: Market, boundary: Time): void {
  if (boundary >= exchange.time - dayMs) {
    const accrued = holdersOf(market).map(({ account }) => ({ account, amount: 0n }));
    return settle(exchange, market, { boundary, sum: 0, ms: intervalMs(market), accrued });
  }
  market.dues.fundedAt = boundary;
  announceSettlement({ exchange, market, boundary, rate: 0 as Rate });
}

const dayMs = 86_400_000;

type Payment = {
  readonly position: Position;
  readonly lots: Lots;
  readonly due: number;
  /**
   * What the position pays that it has now, at most `due`: as much of it the fund may help with.
   */
  readonly present: number;
};

function settle(exchange: Exchange, market: Market, interval: Interval): void {
  const { boundary, sum, ms, accrued } = interval;
  market.dues.fundedAt = boundary;
  const rate = mulDivHalfEven(sum, 1, ms) as Rate;
  const payers: Payment[] = [];
  const receivers: Payment[] = [];
  for (const { account, amount } of accrued) {
    const position = positionIn(exchange.accounts[account]!, market.id);
    if (position.lots === 0 && amount === 0n) continue;
    const due = dueOf(market, amount, ms);
    const lots = sum === 0 ? position.lots : meanLots(amount, sum);
    const present = Math.min(due, dueOf(market, BigInt(position.lots) * BigInt(sum), ms));
    if (due >= 0) payers.push({ position, lots, due, present });
    else receivers.push({ position, lots, due: -due, present: 0 });
  }
  const settlement = { exchange, market, boundary, rate };
  let collected = 0;
  let unpaid = 0;
  for (const payer of payers) {
    const paid = collect(settlement, payer);
    collected += paid.collected;
    unpaid += paid.unpaid;
  }
  const owed = receivers.reduce((sum, { due }) => sum + due, 0);
  let given = 0;
  for (const { position, lots, due } of receivers) {
    const share = unpaid === 0 ? due : mulDivFloor(due, Math.max(0, owed - unpaid), owed);
    given += share;
    if (share > 0) give(exchange, position, share as Money);
    announce(settlement, position, lots, share as Money);
  }
  // Payers round up and receivers down: the fund gets the difference.
  if (collected > given) payFund(exchange, (collected - given) as Money);
  flushEnded(exchange);
  announceSettlement(settlement);
}

function announceSettlement({ exchange, market, boundary, rate }: Settlement): void {
  const { mark } = market.prices;
  exchange.events.push({ kind: 'fundingSettled', market: market.id, boundary, rate, mark });
}

/**
 * payment = mark × Σ lots × rate × ms / the interval's length, signed: what the account pays,
 * rounded up, or, negative, what it receives, rounded down (FUND-2).
 */
function dueOf({ prices, grain }: Market, accrued: bigint, ms: number): number {
  if (accrued === 0n) return 0;
  const product = accrued * BigInt(prices.mark) * BigInt(grain);
  const divisor = BigInt(rateOne) * BigInt(ms);
  const quotient = product / divisor;
  return Number(product % divisor > 0n ? quotient + 1n : quotient);
}

/** The lots that, held for the whole interval, had accrued as much: to the nearest. */
function meanLots(accrued: bigint, sum: number): Lots {
  const [size, part] = [BigInt(Math.abs(sum)), sum < 0 ? -accrued : accrued];
  const rounded = (2n * (part < 0n ? -part : part) + size) / (2n * size);
  return Number(part < 0n ? -rounded : rounded) as Lots;
}

type Settlement = {
  readonly exchange: Exchange;
  readonly market: Market;
  readonly boundary: Time;
  readonly rate: Rate;
};

/**
 * Debits a payer by BAL-4. The fund pays the unpaid amount as far as it may (LIQ-3), which is
 * nothing when the fund itself is the payer, and only of what the present position owes (FUND-1c).
 */
function collect(
  settlement: Settlement,
  { position, lots, due, present }: Payment,
): { readonly collected: number; readonly unpaid: number } {
  const { exchange } = settlement;
  const account = exchange.accounts[position.account]!;
  const taken = due === 0 ? 0 : take(exchange, account, position, charge(due as Money));
  const unpaid = due - taken;
  const mayHelp = Math.max(0, present - taken);
  const helped = mayHelp === 0 ? 0 : drawFund(exchange, mayHelp as Money);
  announce(settlement, position, lots, (0 - taken) as Money);
  if (helped > 0) {
    const { account: payer, market } = position;
    const amount = helped as Money;
    exchange.events.push({ kind: 'fundingCovered', account: payer, market, amount });
  }
  return { collected: taken + helped, unpaid: unpaid - helped };
}

function give(exchange: Exchange, position: Position, amount: Money): void {
  const account = exchange.accounts[position.account]!;
  if (isFund(account)) payFund(exchange, amount);
  else post(exchange, account, 'available', amount);
}

function announce(settlement: Settlement, position: Position, lots: Lots, amount: Money): void {
  const { exchange, market, boundary, rate } = settlement;
  const account = exchange.accounts[position.account]!;
  exchange.events.push({
    kind: 'fundingPaid',
    id: drawNumber(exchange),
    account: account.id,
    market: market.id,
    boundary,
    rate,
    lots,
    amount,
    balance: balanceOf(account),
  });
}
