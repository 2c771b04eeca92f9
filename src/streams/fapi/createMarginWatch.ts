// MARGIN_CALL (conventions, 12.7): the margin ratio of an account, or of an isolated position, has
// risen through 0.8 (LIQ-7).

import type { Account } from '../../engine/views/account.ts';
import { accountFigures } from '../../engine/views/accountFigures.ts';
import { marketById } from '../../engine/views/exchange.ts';
import { marginRatio } from '../../engine/views/marginRatio.ts';
import type { Market } from '../../engine/views/market.ts';
import type { Position } from '../../engine/views/position.ts';
import { type PositionFigures, positionFigures } from '../../engine/views/positionFigures.ts';
import { must } from '../../std/assert.ts';
import { formatSteps, formatTrimmed } from '../../units/decimal.ts';
import { type Money, moneyDecimals, type Rate } from '../../units/units.ts';
import { openPositionsOf } from '../openPositionsOf.ts';
import type { StreamContext } from '../streamContext.ts';
import type { UserEvent } from './userStream.ts';

/** The call is due from this ratio on. */
export const callRatio = 80_000_000 as Rate;

/**
 * Checks the account; gives the call when one is due since the last check. Cost: the account's
 * markets.
 */
export function createMarginWatch(
  context: StreamContext,
  account: Account,
): () => UserEvent | undefined {
  let before = subjectsBeyond(context, account);
  return () => {
    const beyond = subjectsBeyond(context, account);
    const risen = [...beyond].filter((subject) => !before.has(subject));
    before = beyond;
    if (risen.length === 0) return undefined;
    const open = openPositionsOf(account);
    const called = open.filter(({ market }) => risen.includes(whole) || risen.includes(market));
    return marginCall(context, account, called);
  };
}

/** Stands for an account whose positions are liquidated together. */
const whole = -1;

/** What is beyond the ratio: the account, or markets of isolated positions. */
function subjectsBeyond(context: StreamContext, account: Account): ReadonlySet<number> {
  const { exchange } = context;
  const open = openPositionsOf(account);
  if (account.marginMode !== 'isolated') {
    const beyond = open.length > 0 && accountFigures(exchange, account).marginRatio >= callRatio;
    return new Set(beyond ? [whole] : []);
  }
  const called = open.filter((position) => {
    const { maintenance, collateral, unrealized } = positionFigures(exchange, position);
    return marginRatio(maintenance, (collateral + unrealized) as Money) >= callRatio;
  });
  return new Set(called.map(({ market }) => market));
}

function marginCall(
  { exchange }: StreamContext,
  account: Account,
  called: readonly Position[],
): UserEvent {
  const { crossBalance } = accountFigures(exchange, account);
  const p = called.map((position) => {
    const market = must(marketById(exchange, position.market), 'a position is on a market');
    return calledRow(market, positionFigures(exchange, position));
  });
  return { e: 'MARGIN_CALL', cw: moneyText(crossBalance), p };
}

const moneyText = (money: Money): string => formatTrimmed(money, moneyDecimals);

function calledRow(
  market: Market,
  { lots, mark, unrealized, maintenance }: PositionFigures,
): object {
  return {
    s: market.symbol,
    ps: 'BOTH',
    pa: formatSteps(lots, market.lot),
    mt: 'CROSSED',
    iw: '0',
    mp: formatSteps(mark, market.tick),
    up: moneyText(unrealized),
    mm: moneyText(maintenance),
  };
}
