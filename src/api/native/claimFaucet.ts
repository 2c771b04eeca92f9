// POST /api/v1/faucet (NAT-8): play money on a testnet, once a day for each wallet. The reference
// of the credit names wallet and day, so that the engine pays it once, whatever is repeated or
// killed.

import { Type } from 'typebox';
import { balanceOf } from '../../engine/views/account.ts';
import { accountByAddress, creditByReference } from '../../engine/views/exchange.ts';
import { must } from '../../std/assert.ts';
import { decimalText, exactObject, timeNumber } from '../answerSchema.ts';
import { moneyText } from '../grid.ts';
import { answerJson, callerOf, defineProcedure, type Failure } from '../operation.ts';
import * as routes from './nativeRoutes.ts';

const dayMs = 86_400_000;

export const claimFaucet = defineProcedure({
  ...routes.claimFaucet,
  name: 'claimFaucet',
  surface: 'native',
  // Each claim is kept for ever.
  weight: 20,
  summary: 'Gives the account play money of a testnet, once a day.',
  parameters: Type.Object({}),
  failures: ['faucetOff', 'faucetLimit'],
  response: exactObject({
    amount: decimalText(),
    balance: decimalText('Afterwards.'),
    next_claim_time: timeNumber(),
  }),
  procedure: async (context) => {
    const { deployment, client, now } = context;
    const { faucet, exchange } = deployment;
    if (faucet === undefined) return { reason: 'faucetOff' };
    const { address } = callerOf(context);
    const day = Math.floor(now / dayMs);
    const reference = `faucet ${address} ${day}`;
    const isClaimed = creditByReference(exchange, reference) !== undefined;
    if (isClaimed || !faucet.admit(client, now)) return { reason: 'faucetLimit' };
    const { amount } = faucet;
    const command = { kind: 'credit', address, amount, reference } as const;
    const done = await deployment.perform<Failure | { readonly balance: string }>(
      command,
      'order',
      (outcome) => {
        if (outcome.kind === 'rejected') return outcome.rejection;
        const account = must(accountByAddress(exchange, address), 'what is credited is there');
        return { balance: moneyText(balanceOf(account)) };
      },
    );
    if ('reason' in done) {
      faucet.giveBack(client);
      return done.reason === 'referenceConflict' ? { reason: 'faucetLimit' } : done;
    }
    const next_claim_time = (day + 1) * dayMs;
    return answerJson({ amount: moneyText(amount), balance: done.balance, next_claim_time });
  },
});
