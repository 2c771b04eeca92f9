// An account is bound to the owner of a code, once and before its first trade (NAT-4a). From then
// on it pays less of its fees, and the owner earns a share of them. No account may be its own
// referrer, not even through others.

import { assert } from '../../std/assert.ts';
import type { AccountId } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import { referralChainMax } from '../limits.ts';
import { insuranceAccount } from '../marginModes.ts';
import { type Outcome, rejected } from '../outcome.ts';
import { countReferee, createReferral, isBound, isReferralCode } from '../referral.ts';
import type { BindReferral } from '../referralCommand.ts';
import type { Rejection } from '../rejection.ts';
import { workOf } from '../work.ts';

export function bindReferral(exchange: Exchange, command: BindReferral): Outcome {
  const account = exchange.accounts[command.account];
  if (account === undefined) return rejected({ reason: 'accountUnknown' });
  assert(account.id !== insuranceAccount, 'the insurance fund has no referrer');
  const { code } = command;
  if (!exchange.referralTerms.enabled) return rejected({ reason: 'referralDisabled' });
  if (!isReferralCode(code)) return rejected({ reason: 'referralCodeInvalid' });
  const owner = exchange.referralCodes.get(code);
  if (owner === undefined) return rejected({ reason: 'referralCodeUnknown' });
  const referrer = exchange.accounts[owner]!;
  const refused = refusalOf(account, referrer) ?? circleOf(exchange, account, referrer);
  if (refused !== undefined) return rejected(refused);
  // From here bindReferral must succeed.
  exchange.committed = true;
  account.referral ??= createReferral();
  account.referral.referrer = owner;
  countReferee(exchange, account, 1);
  exchange.events.push({ kind: 'referralBound', account: account.id, referrer: owner });
  return { kind: 'accepted', account };
}

function refusalOf(account: Account, referrer: Account): Rejection | undefined {
  if (account.house || referrer.house) {
    const detail = 'Internal accounts take no part in referral.';
    return { reason: 'referralNotEligible', detail };
  }
  if (isBound(account)) return { reason: 'referralAlreadyBound' };
  return account.traded ? { reason: 'referralAlreadyTraded' } : undefined;
}

/**
 * Whether the binding would make a circle: the account stands at the top of its referrer's chain.
 * Only an account with referees can stand there. Cost: the chain, at most `referralChainMax`.
 */
function circleOf(exchange: Exchange, account: Account, referrer: Account): Rejection | undefined {
  if (account.id === referrer.id) return { reason: 'referralSelf' };
  if (account.referral === null || account.referral.referees === 0) return undefined;
  let at: AccountId = referrer.id;
  for (let steps = 0; steps < referralChainMax; steps += 1) {
    exchange.work += workOf.looked;
    at = exchange.accounts[at]!.referral!.referrer;
    if (at === insuranceAccount) return undefined;
    if (at === account.id) return { reason: 'referralSelf' };
  }
  const detail = 'This code has too many referrers above it for an account with referees.';
  return { reason: 'referralNotEligible', detail };
}
