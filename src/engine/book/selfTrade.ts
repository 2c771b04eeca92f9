// Which orders end when a taker meets an order of its own account (ORD-4). The caller ends them.

import { unreachable } from '../../std/assert.ts';
import type { SelfTradeMode } from '../orderTypes.ts';

/** The orders that end without a trade; 'none' allows the trade. */
export type SelfTradeEnds = 'none' | 'taker' | 'maker' | 'both';

/** The decision of the taker's mode; the maker's mode does not count. */
export function selfTrade(takerMode: SelfTradeMode): SelfTradeEnds {
  switch (takerMode) {
    case 'NONE':
      return 'none';
    case 'EXPIRE_TAKER':
      return 'taker';
    case 'EXPIRE_MAKER':
      return 'maker';
    case 'EXPIRE_BOTH':
      return 'both';
    default:
      return unreachable(takerMode);
  }
}
