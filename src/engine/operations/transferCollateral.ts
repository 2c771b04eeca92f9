// Adds to the collateral of an isolated position, or removes from it (MAR-7). Money moves between
// two buckets of one account; its balance stays the same.

import { marginUp } from '../../units/notional.ts';
import type { Money } from '../../units/units.ts';
import { gapMargin } from '../clearing/gapMargin.ts';
import { openingMultiple } from '../clearing/initialMargin.ts';
import { move } from '../clearing/ledger.ts';
import { maintenanceMargin } from '../clearing/maintenance.ts';
import { notionalAtMark, unrealizedOf } from '../clearing/margin.ts';
import { markDirty } from '../clearing/markDirty.ts';
import type { TransferCollateral } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { isMarkDoubtful } from '../market.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { Position } from '../position.ts';
import { leverageOf } from '../views/leverageOf.ts';

export function transferCollateral(exchange: Exchange, command: TransferCollateral): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  const market = exchange.markets[command.market];
  if (market === undefined) return rejected({ reason: 'marketUnknown' });
  const { delta } = command;
  if (!Number.isSafeInteger(delta) || delta === 0) return rejected({ reason: 'amountInvalid' });
  if (account.marginMode !== 'isolated') return rejected({ reason: 'marginModeCross' });
  const position = account.positions[market.id];
  if (position === undefined || position.lots === 0) return rejected({ reason: 'positionMissing' });
  const max = delta > 0 ? account.available : removable(exchange, position);
  if (Math.abs(delta) > max) return rejected({ reason: 'balanceInsufficient', max });
  // From here transferCollateral must succeed.
  exchange.committed = true;
  position.collateral = (position.collateral + delta) as Money;
  position.updatedAt = exchange.time;
  const amount = Math.abs(delta) as Money;
  if (delta > 0) move(exchange, account, { from: 'available', to: 'collateral', amount });
  else move(exchange, account, { from: 'collateral', to: 'available', amount });
  account.updatedAt = exchange.time;
  markDirty(exchange, account);
  exchange.events.push({
    kind: 'collateralTransferred',
    account: account.id,
    market: market.id,
    delta,
    collateral: position.collateral,
  });
  return { kind: 'accepted', account, market };
}

/**
 *   collateral + min(0, unrealised) − the margin that must stay, not below 0.
 * That margin is ceil(notional at the mark / leverage setting), at least twice the maintenance and
 * at least maintenance plus the gap margin, as for an opening fill (MAR-9a, MAR-7b). 0 while the
 * mark is in doubt, or while the position is being liquidated, because removing adds risk (LIQ-1).
 */
function removable(exchange: Exchange, position: Position): Money {
  const market = exchange.markets[position.market]!;
  if (position.flagged || isMarkDoubtful(market, exchange.time)) return 0 as Money;
  const initial = marginUp(notionalAtMark(market, position), leverageOf(market, position));
  const gap = gapMargin(exchange, market, position.lots);
  const maintenance = maintenanceMargin(market, position);
  const required = Math.max(initial, openingMultiple * maintenance, maintenance + gap);
  const loss = Math.min(unrealizedOf(market, position), 0);
  return Math.max(position.collateral + loss - required, 0) as Money;
}
