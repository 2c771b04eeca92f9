// Funding is paid (FUND-1 … FUND-4): once per market and boundary, at the first accepted mark after
// it. Every position pays or receives quantity × mark × rate. The insurance fund pays the unpaid
// amounts; beyond what it may pay, the receivers get less, pro rata.

import { mulDivCeil, mulDivFloor } from '../../units/mulDiv.ts';
import { notionalOf } from '../../units/notional.ts';
import { type Money, type Rate, rateOne, type Time } from '../../units/units.ts';
import { balanceOf } from '../account.ts';
import { charge, take } from '../clearing/debit.ts';
import { drawFund, isFund, payFund } from '../clearing/insurance.ts';
import { post } from '../clearing/ledger.ts';
import { holdersOf } from '../clearing/liquidationIndex.ts';
import type { SettleFunding } from '../command.ts';
import { flushEnded } from '../endOrder.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { isMarketLive, type Market, type MarketDues } from '../market.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { Position } from '../position.ts';
import { fundingRateOf } from '../views/fundingRateOf.ts';
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
  const { dues } = market;
  // A boundary is settled once, even when it is exactly this moment. The interval goes on (FUND-1b).
  const isDue = dues.funding === exchange.time;
  const rate = isDue ? dues.fundingRate : fundingRateOf(market, exchange.time);
  if (isDue) clearFunding(dues);
  settle(exchange, market, exchange.time, rate);
  // Paying may have ruined an account (LIQ-5).
  runLiquidations(exchange, [market]);
  return { kind: 'accepted', market };
}

/** Settles what is due in those of these markets that are live. */
export function settleDueFunding(exchange: Exchange, markets: readonly Market[]): void {
  for (const market of markets) {
    const { dues } = market;
    if (dues.funding === 0 || !isMarketLive(market, exchange.time)) continue;
    const { funding: boundary, fundingRate: rate } = dues;
    clearFunding(dues);
    settle(exchange, market, boundary, rate);
  }
}

/** No boundary is due any more. */
export function clearFunding(dues: MarketDues): void {
  dues.funding = 0 as Time;
  dues.fundingRate = 0 as Rate;
}

/**
 * Records a boundary that is not settled at rate 0: missed, or in HALT (FUND-3). A boundary that is
 * more than a day old has no row per position: a month of boundaries would be millions of rows at
 * one moment.
 */
export function recordFunding(exchange: Exchange, market: Market, boundary: Time): void {
  if (boundary >= exchange.time - dayMs) return settle(exchange, market, boundary, 0 as Rate);
  market.dues.fundedAt = boundary;
  announceSettlement({ exchange, market, boundary, rate: 0 as Rate });
}

const dayMs = 86_400_000;

type Payment = { readonly position: Position; readonly due: number };

function settle(exchange: Exchange, market: Market, boundary: Time, rate: Rate): void {
  market.dues.fundedAt = boundary;
  const payers: Payment[] = [];
  const receivers: Payment[] = [];
  for (const position of holdersOf(market)) {
    const payment = { position, due: dueOf(market, position, rate) };
    if (payment.due >= 0) payers.push(payment);
    else receivers.push({ position, due: -payment.due });
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
  for (const { position, due } of receivers) {
    const share = unpaid === 0 ? due : mulDivFloor(due, Math.max(0, owed - unpaid), owed);
    given += share;
    if (share > 0) give(exchange, position, share as Money);
    announce(settlement, position, share as Money);
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
 * payment = quantity × mark × rate, signed: what the position pays, rounded up, or, negative, what
 * it receives, rounded down (FUND-2).
 */
function dueOf(market: Market, position: Position, rate: Rate): number {
  const value = notionalOf(market.prices.mark, position.lots, market.grain);
  return mulDivCeil(value, rate, rateOne);
}

type Settlement = {
  readonly exchange: Exchange;
  readonly market: Market;
  readonly boundary: Time;
  readonly rate: Rate;
};

/**
 * Debits a payer by BAL-4. The fund pays the unpaid amount as far as it may (LIQ-3), which is
 * nothing when the fund itself is the payer.
 */
function collect(
  settlement: Settlement,
  { position, due }: Payment,
): { readonly collected: number; readonly unpaid: number } {
  const { exchange } = settlement;
  const account = exchange.accounts[position.account]!;
  const taken = due === 0 ? 0 : take(exchange, account, position, charge(due as Money));
  const unpaid = due - taken;
  const helped = unpaid === 0 ? 0 : drawFund(exchange, unpaid as Money);
  announce(settlement, position, (0 - taken) as Money);
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

function announce(settlement: Settlement, position: Position, amount: Money): void {
  const { exchange, market, boundary, rate } = settlement;
  const account = exchange.accounts[position.account]!;
  exchange.events.push({
    kind: 'fundingPaid',
    id: drawNumber(exchange),
    account: account.id,
    market: market.id,
    boundary,
    rate,
    lots: position.lots,
    amount,
    balance: balanceOf(account),
  });
}
