// The figures of the full check (BAL-2) as people and programs read them, both from a running
// exchange and from its files: the names of the wire, money in USDT.

import type { InvariantFigures } from '../../engine/invariants/invariants.ts';
import { formatQuotient } from '../../units/decimal.ts';
import { moneyDecimals, usdt } from '../../units/units.ts';

/** Totals may exceed what a number holds exactly, so they are bigints. */
export function figuresText(figures: InvariantFigures): Record<string, number | string> {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof value === 'bigint' ? formatQuotient(value, BigInt(usdt), moneyDecimals) : value,
    ]),
  );
}
