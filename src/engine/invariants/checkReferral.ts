// The invariants of referral (NAT-4): codes, bindings without a circle, what has accrued, and terms
// under which every market's rebate is paid (MAR-3).

import type { Account } from '../account.ts';
import { dayOf, rebatesHold } from '../clearing/fees.ts';
import type { Exchange } from '../exchange.ts';
import { referralRateMax } from '../limits.ts';
import { insuranceAccount } from '../marginModes.ts';
import { hasReferralCode, isBound, isReferralCode, type Referral } from '../referral.ts';
import { type Findings, must } from './findings.ts';

export function checkReferral(findings: Findings, exchange: Exchange): void {
  const { accounts, funds, referralCodes } = exchange;
  const referees = new Map<number, number>();
  let accrued = 0n;
  let codes = 0;
  for (const account of accounts) {
    if (account === undefined || account.referral === null) continue;
    const { referral } = account;
    checkOwn(findings, exchange, account, referral);
    if (hasReferralCode(account)) codes += 1;
    if (isBound(account)) {
      referees.set(referral.referrer, (referees.get(referral.referrer) ?? 0) + 1);
    }
    accrued += BigInt(referral.accrued);
  }
  for (const account of accounts) {
    const counted = account?.referral?.referees ?? 0;
    const found = account === undefined ? 0 : (referees.get(account.id) ?? 0);
    must(findings, counted === found, () => {
      return `account ${account?.id} counts ${counted} of ${found} referees`;
    });
  }
  must(findings, codes === referralCodes.size, () => 'the map of referral codes holds strangers');
  must(findings, accrued === BigInt(funds.referralPayable), () => {
    return `referrers have accrued ${accrued}, the fund holds ${funds.referralPayable}`;
  });
  checkCircles(findings, exchange);
  checkReferralTerms(findings, exchange);
}

function checkOwn(
  findings: Findings,
  { accounts, referralCodes, time }: Exchange,
  account: Account,
  { code, referrer, accrued, claimed, day, today }: Referral,
): void {
  const name = `account ${account.id}`;
  const owns = code === '' || (isReferralCode(code) && referralCodes.get(code) === account.id);
  const mayOwn = code === '' || (account.funded && account.id !== insuranceAccount);
  must(findings, owns && mayOwn, () => `${name}: the referral code ${code} is not its own`);
  const owner = accounts[referrer];
  const leads = !isBound(account) || (owner !== undefined && hasReferralCode(owner));
  must(findings, leads, () => `${name}: its referrer ${referrer} has no code`);
  const whole = Number.isSafeInteger(accrued) && Number.isSafeInteger(claimed);
  must(findings, whole && accrued >= 0 && claimed >= 0, () => {
    return `${name}: ${accrued} accrued and ${claimed} claimed of referral`;
  });
  must(findings, code !== '' || (accrued === 0 && claimed === 0), () => {
    return `${name}: earned by referral without a code`;
  });
  const counted = today >= 0 && today <= accrued + claimed && day <= dayOf(time);
  must(findings, counted, () => `${name}: ${today} on day ${day} is more than it earned`);
}

/** Every chain of referrers ends. Cost: each account is passed once. */
function checkCircles(findings: Findings, { accounts }: Exchange): void {
  const ending = new Set<Account>();
  for (const account of accounts) {
    const path = new Set<Account>();
    let at = account;
    while (at !== undefined && !ending.has(at) && !path.has(at)) {
      path.add(at);
      at = isBound(at) ? accounts[at.referral!.referrer] : undefined;
    }
    const isCircle = at !== undefined && path.has(at);
    must(findings, !isCircle, () => `account ${at?.id} is its own referrer through others`);
    for (const passed of path) ending.add(passed);
  }
}

function checkReferralTerms(findings: Findings, exchange: Exchange): void {
  const { discount, share } = exchange.referralTerms;
  const bounded = [discount, share].every(
    (rate) => Number.isSafeInteger(rate) && rate >= 0 && rate <= referralRateMax,
  );
  must(findings, bounded, () => `referral gives ${discount} and ${share}, beyond its bounds`);
  for (const { symbol, terms } of exchange.markets) {
    must(findings, rebatesHold(terms, exchange), () => {
      return `${symbol}: a fee does not pay its rebate (MAR-3)`;
    });
  }
}
