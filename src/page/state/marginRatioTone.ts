// How alarming a margin ratio is. At 100% the account, or its isolated position, is liquidated
// (LIQ-1).

import { scaledOf } from './grid.ts';

/** The style class of a margin ratio of the wire. */
export function marginRatioTone(ratio: string): '' | 'warn' | 'down' {
  const percent = scaledOf(ratio, 2);
  return percent >= 80n ? 'down' : percent >= 50n ? 'warn' : '';
}
