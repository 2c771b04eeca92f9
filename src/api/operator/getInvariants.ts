// GET /operator/invariants: the full check of the state (BAL-2) by the archivist, every figure
// listed, whether it holds or not.

import { Type } from 'typebox';
import type { InvariantFigures } from '../../engine/invariants.ts';
import { formatQuotient } from '../../units/decimal.ts';
import { moneyDecimals, usdt } from '../../units/units.ts';
import { answerJson, defineProcedure } from '../operation.ts';

const money = () => Type.String({ description: 'USDT.' });

const figuresSchema = Type.Object({
  accounts: Type.Integer(),
  markets: Type.Integer(),
  orders: Type.Integer(),
  triggers: Type.Integer(),
  balances: money(),
  available: money(),
  freezes: money(),
  collateral: money(),
  uncovered: money(),
  insurance: money(),
  fee_revenue: money(),
  referral_payable: money(),
  pending_withdrawals: money(),
  shortfall: money(),
  entries: Type.String({ description: 'Signed entry notional of all positions, USDT.' }),
  deposits: money(),
  withdrawals: money(),
  difference: Type.String({ description: 'The left side of BAL-2 less the right.' }),
});

export const getInvariants = defineProcedure({
  name: 'getInvariants',
  surface: 'operator',
  method: 'GET',
  path: '/operator/invariants',
  auth: 'operator',
  weight: 1,
  summary: 'Runs the full check of every invariant and lists its figures.',
  parameters: Type.Object({}),
  response: Type.Object({
    position: Type.Integer(),
    ok: Type.Boolean(),
    failures: Type.Array(Type.String()),
    figures: figuresSchema,
  }),
  procedure: async ({ deployment: { archivist } }) => {
    const { position, ok, failures, figures } = await archivist.invariants();
    return answerJson({ position, ok, failures, figures: figuresText(figures) });
  },
});

/** Totals may pass what a number holds, so they are told from bigints. */
function figuresText(figures: InvariantFigures): Record<string, number | string> {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof value === 'bigint' ? formatQuotient(value, BigInt(usdt), moneyDecimals) : value,
    ]),
  );
}
