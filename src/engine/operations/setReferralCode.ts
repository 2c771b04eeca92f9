// An account gets the code by which others are bound to it, once (NAT-4a). Only accounts that are
// kept for ever have one, so that a binding never leads to an account that was forgotten.

import { assert } from '../../std/assert.ts';
import type { Exchange } from '../exchange.ts';
import { insuranceAccount } from '../marginModes.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { createReferral, hasReferralCode, isReferralCode } from '../referral.ts';
import type { SetReferralCode } from '../referralCommand.ts';

export function setReferralCode(exchange: Exchange, command: SetReferralCode): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  assert(account.id !== insuranceAccount, 'the insurance fund has no referral code');
  const { code } = command;
  const { referralCodes, referralTerms } = exchange;
  if (!referralTerms.enabled) return rejected({ reason: 'referralDisabled' });
  if (!isReferralCode(code)) return rejected({ reason: 'referralCodeInvalid' });
  if (account.house || !account.funded) {
    const detail = account.house ? 'An internal account' : 'An account without a deposit';
    return rejected({ reason: 'referralNotEligible', detail: `${detail} has no referral code.` });
  }
  if (hasReferralCode(account)) return rejected({ reason: 'referralCodePresent' });
  if (referralCodes.has(code)) return rejected({ reason: 'referralCodeTaken' });
  // From here setReferralCode must succeed.
  exchange.committed = true;
  account.referral ??= createReferral();
  account.referral.code = code;
  referralCodes.set(code, account.id);
  exchange.events.push({ kind: 'referralCodeSet', account: account.id, code });
  return { kind: 'accepted', account };
}
