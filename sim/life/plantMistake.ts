// Mistakes in memory that a start makes on purpose after everything was compared, so that only what
// clients are answered, or the next comparison, can show them. They conserve money.

import type { Account } from '../../src/engine/account.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import type { Referral } from '../../src/engine/referral.ts';
import type { Session } from '../../src/engine/session.ts';
import type { AccountId, Money } from '../../src/units/units.ts';
import type { Mistake } from './lifeWorld.ts';

/** The sessions of each account at the last start. */
export type FormerSessions = Map<AccountId, readonly Session[]>;

export function plantMistake(
  mistake: Mistake | undefined,
  exchange: Exchange,
  former: FormerSessions,
): void {
  for (const account of liveAccounts(exchange)) {
    const { referral } = account;
    switch (mistake) {
      case 'payClaimAgain':
        // A claim is paid, and what was claimed stays there to be claimed.
        if (referral !== null) accrue(exchange, referral, referral.claimed);
        break;
      case 'loseAccrued':
        if (referral !== null) accrue(exchange, referral, -referral.accrued);
        break;
      case 'forgetEndedSession':
        reopenSessions(account, former);
        break;
      default:
        return;
    }
  }
}

/** Between the fee revenue and what has accrued: the sum of all money stays. */
function accrue({ funds }: Exchange, referral: Referral, amount: number): void {
  referral.accrued = (referral.accrued + amount) as Money;
  funds.referralPayable = (funds.referralPayable + amount) as Money;
  funds.feeRevenue = (funds.feeRevenue - amount) as Money;
}

function reopenSessions(account: Account, former: FormerSessions): void {
  const open = new Set(account.sessions.map(({ id }) => id));
  const ended = (former.get(account.id) ?? []).filter(({ id }) => !open.has(id));
  account.sessions.push(...ended);
  account.sessions.sort((a, b) => a.id - b.id);
  former.set(account.id, [...account.sessions]);
}
