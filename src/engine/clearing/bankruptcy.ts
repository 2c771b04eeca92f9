// The price at which closing a position uses up exactly its share of the account's equity (LIQ-2),
// and how much of the position a liquidation step closes (LIQ-1).

import { assert } from '../../std/assert.ts';
import { mulDivCeil } from '../../units/mulDiv.ts';
import { notionalOf } from '../../units/notional.ts';
import type { Lots, Money, Ticks } from '../../units/units.ts';
import type { Exchange } from '../exchange.ts';
import { isMarketLive, type Market } from '../market.ts';
import type { Position } from '../position.ts';
import { lotsToFree, maintenanceMargin } from './maintenance.ts';
import { unrealizedOf } from './margin.ts';
import { type MarginStatus, positionsOf, type Subject } from './marginStatus.ts';

/** A position of at most this notional is closed whole: 100,000 USDT. */
const wholeNotionalMax = 100_000_000_000;

/**
 * With equity E > 0 the position bears E × w, where w is its part of Σ maintenance:
 *   y = floor(E × maintenance / (Σ maintenance × size × grain)) ticks;
 *   long mark − y, short mark + y.
 * With E ≤ 0 the losing positions in live markets bear −E, at most Σ loss, pro rata to their loss:
 *   y = ceil(min(−E, Σ loss) × loss / (Σ loss × size × grain));
 *   long mark + y, short mark − y.
 * A position without a loss then closes at the mark. Rounded to a tick in favour of the account
 * (long up, short down).
 */
export function bankruptcyTicks(
  exchange: Exchange,
  subject: Subject,
  position: Position,
  { equity, maintenance }: MarginStatus,
): Ticks {
  assert(position.lots !== 0, 'a flat position has no bankruptcy price');
  const market = exchange.markets[position.market]!;
  const { mark } = market.prices;
  const direction = position.lots > 0 ? 1 : -1;
  const unit = BigInt(Math.abs(position.lots)) * BigInt(market.grain);
  if (equity > 0) {
    const weight = BigInt(maintenanceMargin(market, position));
    const away = Number((BigInt(equity) * weight) / (BigInt(maintenance) * unit));
    return Math.max(1, mark - direction * away) as Ticks;
  }
  const loss = lossOf(exchange, position);
  if (loss === 0n) return mark;
  const losses = positionsOf(subject).reduce((sum, each) => sum + lossOf(exchange, each), 0n);
  const deficit = BigInt(-equity);
  const borne = (deficit < losses ? deficit : losses) * loss;
  const divisor = losses * unit;
  const away = Number((borne + divisor - 1n) / divisor);
  return Math.max(1, mark + direction * away) as Ticks;
}

/** The unrealised loss of a position in a live market, else 0. */
function lossOf(exchange: Exchange, position: Position): bigint {
  const market = exchange.markets[position.market]!;
  if (!isMarketLive(market, exchange.time)) return 0n;
  const unrealized = unrealizedOf(market, position);
  return unrealized < 0 ? BigInt(-unrealized) : 0n;
}

/**
 * The lots to close so that equity, after the fee, reaches 1.2 × Σ maintenance, at least a fifth of
 * the position. All of it when it is small, or when equity is below two thirds of Σ maintenance.
 */
export function lotsToClose(
  market: Market,
  position: Position,
  { equity, maintenance }: MarginStatus,
): Lots {
  const size = Math.abs(position.lots) as Lots;
  const { mark } = market.prices;
  if (notionalOf(mark, size, market.grain) <= wholeNotionalMax) return size;
  if (isDeep({ equity, maintenance })) return size;
  const amount = 12n * BigInt(maintenance) - 10n * BigInt(equity);
  const cost = market.terms.liquidationFeeRate;
  const restoring = lotsToFree(market, position, { amount, tenths: 12, cost });
  return Math.max(Math.ceil(size / 5), restoring) as Lots;
}

/**
 * The part of Σ maintenance below which a liquidation no longer waits: 2 / 3. An account that a
 * tick has tested has at least this afterwards, and the tables of brackets count on it (MAR-10c).
 */
export const waitingPart = { of: 3, parts: 2 } as const;

/**
 * Below two thirds of Σ maintenance the fund and deleveraging take what the book leaves (LIQ-3).
 */
export function isDeep({ equity, maintenance }: MarginStatus): boolean {
  return waitingPart.of * equity < waitingPart.parts * maintenance;
}

/** From 1.2 × Σ maintenance on, an account is no longer being liquidated (LIQ-1). */
export function isRestored({ equity, maintenance }: MarginStatus): boolean {
  return 10 * equity >= 12 * maintenance;
}

/**
 * What a fee may take (LIQ-3c): max(0, equity − 1.2 × Σ maintenance, (equity − Σ maintenance) / 2),
 * rounded down.
 */
export function feeMax({ equity, maintenance }: MarginStatus): Money {
  const overRestored = equity - mulDivCeil(maintenance, 12, 10);
  return Math.max(0, overRestored, Math.floor((equity - maintenance) / 2)) as Money;
}

/** The change of the account's equity at the mark when a position closes at `ticks`. */
export function equityChangeAt(market: Market, lots: Lots, ticks: Ticks): Money {
  return notionalOf((ticks - market.prices.mark) as Ticks, lots, market.grain);
}
