// Acceptance (ORD-3, MAR-1, MAR-4, MAR-9): whether an account can bear an order, judged by what its
// tentative execution did. clearing/fillPasses.ts judges each fill.

import { notionalOf } from '../../units/notional.ts';
import { type Lots, type Money, type Rate, rateOne, type Ticks } from '../../units/units.ts';
import { feeOf, feeRateOf } from '../clearing/fees.ts';
import { keepsRatio } from '../clearing/fillPasses.ts';
import { standInRoom } from '../clearing/hold.ts';
import {
  equityAboveInitial,
  heldByOrders,
  isWithinBand,
  openingMargin,
  openingMultiple,
} from '../clearing/initialMargin.ts';
import { maintenanceAfter, maintenanceMargin } from '../clearing/maintenance.ts';
import {
  closingLots,
  equityOf,
  flatElsewhere,
  lossAgainstMark,
  ownEquityOf,
} from '../clearing/margin.ts';
import { type MarginStatus, marginStatusOf, subjectOf } from '../clearing/marginStatus.ts';
import { openingSurcharge } from '../clearing/openingSurcharge.ts';
import type { Order } from '../order.ts';
import type { Rejection } from '../rejection.ts';
import type { Place } from './restOrder.ts';

/** An order to accept or to refuse. */
export type Candidate = Place & {
  readonly order: Order;
  /** The worst price at which it may trade: its limit, or the bound of a MARKET order (ORD-3). */
  readonly limit: Ticks;
  readonly mayRest: boolean;
  readonly maxSlippage: Rate | undefined;
};

export type Figures = {
  readonly available: Money;
  /** What can be held: available, and in unified mode the free unified-margin offset (MAR-7). */
  readonly room: number;
  /** Equity; less Σ initial margin, unless the order only reduces. */
  readonly surplus: Money;
  /** What its open orders hold. */
  readonly freezes: number;
  readonly open: Lots;
  readonly onlyReduces: boolean;
  /** Isolated: the initial margin of what it opens (MAR-9a). */
  readonly due: Money;
  readonly leavesFlat: boolean;
  /**
   * Of an order that only reduces and may rest at a price worse than the mark: the margin status
   * before, and Σ maintenance once all of it has filled (MAR-4e).
   */
  readonly reduction: { readonly before: MarginStatus; readonly maintenance: Money } | undefined;
};

const noMoney = 0 as Money;

/** The account as acceptance sees it: before the sweep, without the order. */
export function figuresBefore(candidate: Candidate): Figures {
  const { exchange, account, position, order, market } = candidate;
  const onlyReduces = order.reduceOnly || order.open === order.cover;
  const whole = order.open === Math.abs(position.lots);
  const isolated = account.marginMode === 'isolated';
  const worse = order.side * (candidate.limit - market.prices.mark) > 0;
  return {
    available: account.available,
    room: account.available + standInRoom(exchange, account),
    surplus: onlyReduces ? equityToReduce(candidate) : equityToOpen(candidate),
    freezes: heldByOrders(account),
    open: order.open,
    onlyReduces,
    due: isolated && !onlyReduces ? openingMargin(market, position, openingOf(candidate)) : noMoney,
    leavesFlat: onlyReduces && whole && (isolated || flatElsewhere(account, position.market)),
    reduction: onlyReduces && worse && candidate.mayRest ? reductionOf(candidate) : undefined,
  };
}

function equityToReduce({ exchange, account, market, position }: Candidate): Money {
  if (account.marginMode === 'isolated') return ownEquityOf(market, position);
  return equityOf(exchange, account);
}

/**
 * Equity less Σ initial margin. An isolated position's own, less its initial margin after the order
 * has filled (MAR-9a).
 */
function equityToOpen(candidate: Candidate): Money {
  const { exchange, account, market, position, order } = candidate;
  if (account.marginMode !== 'isolated') {
    return equityAboveInitial(exchange, account);
  }
  const change = (order.side * order.open) as Lots;
  const { surcharge } = openingOf(candidate);
  const maintenance = maintenanceAfter(market, position, change, surcharge);
  return (ownEquityOf(market, position) - openingMultiple * maintenance) as Money;
}

/** The opening lots of an order as if all of it filled, and their surcharge (MAR-10). */
function openingOf({ market, account, position, order }: Candidate) {
  const { side, open } = order;
  const lots = (open - closingLots(position, side, open)) as Lots;
  const ticks = order.ticks > 0 ? order.ticks : market.prices.mark;
  return { side, lots, surcharge: openingSurcharge(market, account, { side, lots, ticks }) };
}

function reductionOf({ exchange, market, position, order }: Candidate): Figures['reduction'] {
  const before = marginStatusOf(exchange, subjectOf(exchange, position));
  const change = (order.side * order.open) as Lots;
  const added = maintenanceAfter(market, position, change) - maintenanceMargin(market, position);
  return { before, maintenance: (before.maintenance + added) as Money };
}

export type Sums = {
  readonly freeze: Money;
  readonly loss: Money;
  readonly fee: Money;
  readonly lots: Lots;
  readonly notional: Money;
  /** The remaining lots of the order, which may rest. */
  readonly rest: Lots;
};

export const blankSums = (freezeDue: Money, order: Order): Sums => ({
  freeze: freezeDue,
  loss: 0 as Money,
  fee: 0 as Money,
  lots: 0 as Lots,
  notional: 0 as Money,
  rest: order.open,
});

export const marginInsufficient: Rejection = { reason: 'marginInsufficient' };

/**
 * Slippage, then the freeze, then equity − losses − fees ≥ Σ initial margin + Σ freezes including
 * this one; > 0, or ≥ 0 when it leaves the account flat, for an order that only reduces. The
 * crossing part counts at its trade prices, the rest at its limit price. In isolated mode the
 * position answers alone, and available pays fees and the rest of its initial margin (MAR-9a).
 */
export function judgeEntry(
  candidate: Candidate,
  figures: Figures,
  sums: Sums,
): Rejection | undefined {
  const { market, account, order, limit } = candidate;
  if (candidate.maxSlippage !== undefined && slips(candidate, sums, candidate.maxSlippage)) {
    return { reason: 'slippageExceeded' };
  }
  if (sums.freeze > figures.room) return marginInsufficient;
  const rest = (candidate.mayRest ? sums.rest : 0) as Lots;
  const restTerms = { side: order.side, lots: rest, ticks: limit };
  const restLoss = lossAgainstMark(restTerms, market.prices.mark, market.grain);
  const loss = sums.loss + restLoss;
  const makerFee = feeOf(
    notionalOf(limit, rest, market.grain),
    feeRateOf(candidate.exchange, market, account, 'maker'),
  );
  const fees = sums.fee + Math.max(makerFee, 0);
  const isolated = account.marginMode === 'isolated';
  const free = figures.available - sums.freeze;
  const left = figures.surplus - loss - (isolated ? Math.max(0, fees - free) : fees);
  if (figures.onlyReduces) return reduces(figures, left, restLoss) ? undefined : marginInsufficient;
  // In isolated mode the freeze becomes the position's own; else it must not be money that
  // maintains another position.
  if (!isolated) return left >= figures.freezes + sums.freeze ? undefined : marginInsufficient;
  const mayTopUp = restLoss === 0 || isWithinBand(market, { side: order.side, ticks: limit });
  const missing = mayTopUp ? figures.due - sums.freeze + loss : 0;
  const added = Math.max(0, Math.min(missing, free - fees));
  return left + sums.freeze + added >= 0 ? undefined : marginInsufficient;
}

/**
 * Whether an order that only reduces may leave this equity. Its fills have passed their own check;
 * what would rest at a price worse than the mark must keep the margin ratio too (MAR-4e).
 */
function reduces(figures: Figures, left: number, restLoss: number): boolean {
  if (figures.leavesFlat) return left >= 0;
  if (left <= 0 || restLoss === 0 || figures.reduction === undefined) return left > 0;
  const { before, maintenance } = figures.reduction;
  return keepsRatio(before, { equity: left as Money, maintenance });
}

/** |average price − mark| / mark > max_slippage, compared without division (ORD-3). */
function slips({ market }: Candidate, sums: Sums, max: Rate): boolean {
  const { prices, grain } = market;
  const atMark = BigInt(notionalOf(prices.mark, sums.lots, grain));
  const away = BigInt(sums.notional) - atMark;
  return (away < 0n ? -away : away) * BigInt(rateOne) > atMark * BigInt(max);
}
