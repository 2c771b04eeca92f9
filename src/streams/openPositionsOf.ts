// The positions of an account that are not flat.

import type { Account } from '../engine/views/account.ts';
import { type Position, positionsOf } from '../engine/views/position.ts';

/** Cost: the account's markets. */
export function openPositionsOf(account: Account): Position[] {
  return positionsOf(account).filter(
    (each): each is Position => each !== undefined && each.lots !== 0,
  );
}
