// GET /operator/invariants: the full check of the state (BAL-2) by the archivist. It lists every
// figure, whether the check passes or fails.

import { Type } from 'typebox';
import { countNumber, decimalText, exactObject, plainText } from '../answerSchema.ts';
import { answerJson, defineProcedure } from '../operation.ts';
import { figuresText } from './figuresText.ts';

const figuresSchema = exactObject({
  accounts: countNumber(),
  markets: countNumber(),
  orders: countNumber(),
  triggers: countNumber(),
  balances: decimalText('USDT.'),
  available: decimalText('USDT.'),
  freezes: decimalText('USDT.'),
  collateral: decimalText('USDT.'),
  uncovered: decimalText('USDT.'),
  insurance: decimalText('USDT.'),
  fee_revenue: decimalText('USDT.'),
  referral_payable: decimalText('USDT.'),
  pending_withdrawals: decimalText('USDT.'),
  shortfall: decimalText('USDT.'),
  entries: decimalText('Signed entry notional of all positions, USDT.'),
  deposits: decimalText('USDT.'),
  withdrawals: decimalText('USDT.'),
  difference: decimalText('The left side of BAL-2 less the right.'),
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
  response: exactObject({
    position: countNumber(),
    ok: Type.Boolean(),
    failures: Type.Array(plainText('What does not hold.')),
    figures: figuresSchema,
  }),
  procedure: async ({ deployment: { archivist } }) => {
    const { position, ok, failures, figures } = await archivist.invariants();
    return answerJson({ position, ok, failures, figures: figuresText(figures) });
  },
});
