// How an account's positions share its money (MAR-7). The mode changes only while the account has
// no orders, no waiting triggers and no positions, so that no figure has to change with it.

import { assert } from '../../std/assert.ts';
import type { SetMarginMode } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { insuranceAccount } from '../marginModes.ts';
import { type Outcome, rejected } from '../outcome.ts';

export function setMarginMode(exchange: Exchange, command: SetMarginMode): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  assert(account.id !== insuranceAccount, 'the insurance fund has no margin');
  const { mode } = command;
  // To set the present mode again is no change and needs nothing.
  if (mode === account.marginMode) return { kind: 'accepted', account };
  const { positions } = account;
  if (account.waitingTriggers > 0 || positions.some((position) => position?.orderCount)) {
    return rejected({ reason: 'openOrdersPresent' });
  }
  if (positions.some((position) => position?.lots)) {
    return rejected({ reason: 'openPositionsPresent' });
  }
  assert(account.uncovered === 0, 'without orders and positions nothing is uncovered');
  // From here setMarginMode must succeed.
  exchange.committed = true;
  account.marginMode = mode;
  account.updatedAt = exchange.time;
  exchange.events.push({ kind: 'marginModeSet', account: account.id, mode });
  return { kind: 'accepted', account };
}
