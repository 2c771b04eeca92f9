// What one account of the recovery campaign knows of its withdrawals: each is requested once,
// whatever happened to the answer (ID-3), and ends as the operator's answer said, or not at all.

import assert from 'node:assert/strict';
import type { Client } from '../../src/client/client.ts';
import type { Prng } from '../../src/std/prng.ts';
import type { Answer, answered as send } from './answered.ts';

const amountMax = 100;
const endings = { complete: 'completed', release: 'released' } as const;

type Claim = {
  /** The Idempotency-Key. */
  readonly key: string;
  readonly amount: string;
  /** undefined: no answer came. */
  id: string | undefined;
  /** How the operator asked for its end. */
  asked: keyof typeof endings | undefined;
  /** Whether that was answered. */
  ended: boolean;
};

type Clients = {
  readonly native: Client['native'];
  readonly operator: Client['operator'];
};

type Answered = typeof send;

export type WithdrawalClaims = {
  /** Asks for one, or has the operator end one. */
  readonly act: (clients: Clients, answered: Answered) => Promise<Answer>;
  /** Compares every answer that it received with the present answers of the exchange. */
  readonly check: (clients: Clients) => Promise<void>;
};

export function createWithdrawalClaims(name: string, prng: Prng): WithdrawalClaims {
  const claims: Claim[] = [];
  return {
    act: async (clients, answered) => {
      const waiting = claims.find(({ id, asked }) => id !== undefined && asked === undefined);
      if (waiting !== undefined && prng.below(2) === 0) {
        waiting.asked = prng.below(2) === 0 ? 'complete' : 'release';
        return end(waiting, clients, answered);
      }
      const amount = String(1 + prng.below(amountMax));
      const key = `${name}-withdrawal-${claims.length}`;
      const claim: Claim = { key, amount, id: undefined, asked: undefined, ended: false };
      claims.push(claim);
      return answered(() => request(claim, clients));
    },
    check: async (clients) => {
      for (const claim of claims) if (claim.id === undefined) await request(claim, clients);
      const rows = await clients.native.listWithdrawals({ limit: 1000 });
      assert.deepEqual(
        rows.map(({ id }) => id).sort(),
        claims.map(({ id }) => id).sort(),
        `${name}: its withdrawals`,
      );
      for (const { id, amount, status } of rows) {
        const claim = claims.find((candidate) => candidate.id === id)!;
        assert.equal(amount, claim.amount, `${claim.key}: ${id}`);
        const possible: string[] = claim.ended ? [] : ['pending'];
        if (claim.asked !== undefined) possible.push(endings[claim.asked]);
        assert(possible.includes(status), `${claim.key}: ${id} is ${status}`);
        // An end without an answer may still come.
        claim.ended = status !== 'pending';
      }
    },
  };
}

/** The same request, sent again, finds the result of the first. */
async function request(claim: Claim, { native }: Clients): Promise<void> {
  const { amount, key } = claim;
  const { id } = await native.requestWithdrawal({ amount }, { idempotencyKey: key });
  claim.id = id;
}

async function end(claim: Claim, { operator }: Clients, answered: Answered): Promise<Answer> {
  const { id, asked: action } = claim;
  const result = await answered(() => operator.resolveWithdrawal({ id: id!, action: action! }));
  assert.notEqual(result, 'refused', `${claim.key}: its end was refused`);
  claim.ended = result === 'yes';
  return result;
}
