// The insurance fund takes over what the book left of a position, at the price of LIQ-3d, as far as
// the fund can bear it (LIQ-3).

import { notionalOf } from '../../units/notional.ts';
import type { Lots, Money, Ticks } from '../../units/units.ts';
import { positionIn } from '../account.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import type { Side } from '../orderTypes.ts';
import type { Position } from '../position.ts';
import { type CloseResult, closeAt, openAt } from './closeAt.ts';
import { coverLoss } from './debit.ts';
import { fillOf } from './deleverage.ts';
import { fundHoldsItsPeak, fundOf } from './insurance.ts';
import { equityOf, notionalAtMark } from './margin.ts';

/** The part of the fund that bounds the notional of its position in one market: a quarter. */
const marketPart = 4;

const nothingClosed: CloseResult = { pnl: 0 as Money, unpaid: 0 as Money };

/** Takes over up to `lots` of the position at `ticks`; gives how many. */
export function takeOver(exchange: Exchange, position: Position, lots: Lots, ticks: Ticks): Lots {
  const direction = position.lots > 0 ? 1 : -1;
  const taken = lotsTakenOver(exchange, position, lots, ticks);
  if (taken === 0) return taken;
  const fund = fundOf(exchange);
  const own = positionIn(fund, position.market);
  const id = drawNumber(exchange);
  const closed = closeAt(exchange, position, taken, ticks);
  coverLoss(exchange, position, closed.unpaid);
  const netted = Math.min(taken, Math.max(0, -direction * own.lots)) as Lots;
  const fundClosed = netted > 0 ? closeAt(exchange, own, netted, ticks) : nothingClosed;
  coverLoss(exchange, own, fundClosed.unpaid);
  const opened = (direction * (taken - netted)) as Lots;
  if (opened !== 0) openAt(exchange, own, opened, ticks);
  const { figures } = exchange.markets[position.market]!;
  figures.tradeId += 1;
  exchange.events.push({
    kind: 'takenOver',
    id,
    market: position.market,
    tradeId: figures.tradeId,
    ticks,
    lots: taken,
    side: -direction as Side,
    account: fillOf(exchange, position, id, closed.pnl),
    fund: fillOf(exchange, own, id, fundClosed.pnl),
  });
  return taken;
}

/**
 * The largest number of lots after which the fund's notional over all markets is within its means,
 * and within a quarter of them in this market. Its means are the smaller of balance and equity,
 * less what the takeover loses at once against the mark. 0 when the fund has lost 7.5 % in eight
 * hours.
 */
function lotsTakenOver(exchange: Exchange, position: Position, lots: Lots, ticks: Ticks): Lots {
  const none = 0 as Lots;
  if (!fundHoldsItsPeak(exchange)) return none;
  const fund = fundOf(exchange);
  const market = exchange.markets[position.market]!;
  const { mark } = market.prices;
  const direction = position.lots > 0 ? 1 : -1;
  const held = fund.positions[position.market]?.lots ?? 0;
  let elsewhere = 0;
  for (const other of fund.positions) {
    if (other === undefined || other.market === position.market) continue;
    elsewhere += notionalAtMark(exchange.markets[other.market]!, other);
  }
  const means = Math.min(fund.available, equityOf(exchange, fund));
  const adverse = Math.max(0, direction * (ticks - mark)) as Ticks;
  const allowed = (taken: number): boolean => {
    const left = means - notionalOf(adverse, taken as Lots, market.grain);
    const size = Math.abs(held + direction * taken) as Lots;
    const own = notionalOf(mark, size, market.grain);
    return elsewhere + own <= left && marketPart * own <= left;
  };
  let low = Math.min(lots, Math.max(0, -direction * held));
  if (!allowed(low)) return none;
  let high: number = lots;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (allowed(middle)) low = middle;
    else high = middle - 1;
  }
  return low as Lots;
}
