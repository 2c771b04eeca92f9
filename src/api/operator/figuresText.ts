// The figures of the full check (BAL-2) as people and programs read them, from a running exchange
// and from its files alike: the names of the wire, money in USDT.

import type { InvariantFigures } from '../../engine/invariants/invariants.ts';
import { formatQuotient } from '../../units/decimal.ts';
import { moneyDecimals, usdt } from '../../units/units.ts';

/** Totals may pass what a number holds, so they are written from bigints. */
export function figuresText(figures: InvariantFigures): Record<string, number | string> {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof value === 'bigint' ? formatQuotient(value, BigInt(usdt), moneyDecimals) : value,
    ]),
  );
}
