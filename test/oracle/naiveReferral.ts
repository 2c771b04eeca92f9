// NAT-4: codes, bindings and claims, what a referee does not pay of a fee, and what its referrer
// earns of it.

import type { Command } from '../../src/engine/command.ts';
import { floorDiv, least, rateOne } from './exact.ts';
import { marketOf } from './naiveFigures.ts';
import type { NaiveOutcome } from './naivePlace.ts';
import { count, type NaiveAccount, type NaiveState } from './naiveState.ts';

type Of<Kind> = Extract<Command, { kind: Kind }>;

const done: NaiveOutcome = {};

/** Whether the account pays the fees of a referee. */
const paysLess = ({ referral }: NaiveState, { house, referrer }: NaiveAccount): boolean =>
  referral.enabled && referrer !== 0 && !house;

/** NAT-4b: a rate of the account on a market, as maker or as taker. */
export function rateOf(state: NaiveState, account: number, base: bigint): bigint {
  if (base <= 0n || !paysLess(state, state.accounts[account]!)) return base;
  return base - floorDiv(base * state.referral.discount, rateOne);
}

/** NAT-4c: of what the two sides of a fill paid, the maker's being below 0 for a rebate. */
export function shareWithReferrers(
  state: NaiveState,
  market: number,
  taker: { readonly account: number; readonly paid: bigint },
  maker: { readonly account: number; readonly paid: bigint },
): void {
  const rest = taker.paid + least(maker.paid, 0n);
  for (const [payer, net] of [
    [taker.account, rest],
    [maker.account, maker.paid],
  ] as const) {
    const account = state.accounts[payer]!;
    if (net <= 0n || !paysLess(state, account)) continue;
    const referrer = state.accounts[account.referrer]!;
    if (referrer.house) continue;
    const amount = floorDiv(net * state.referral.share, rateOne);
    referrer.accrued += amount;
    state.feeRevenue -= amount;
    marketOf(state, market).minuteFees -= amount;
    if (amount > 0n) count(state, maker.paid < 0n ? 'accruedLessRebate' : 'accrued');
  }
}

export function setCode(state: NaiveState, { account, code }: Of<'setReferralCode'>): NaiveOutcome {
  const owner = state.accounts[account]!;
  if (!state.referral.enabled) return { reason: 'referralDisabled' };
  if (code !== code.toUpperCase() || code.length < 4) return { reason: 'referralCodeInvalid' };
  if (owner.house) return { reason: 'referralNotEligible' };
  if (owner.code !== '') return { reason: 'referralCodePresent' };
  if (state.accounts.some((other) => other.code === code)) return { reason: 'referralCodeTaken' };
  owner.code = code;
  return done;
}

export function bind(state: NaiveState, { account, code }: Of<'bindReferral'>): NaiveOutcome {
  const referee = state.accounts[account]!;
  if (!state.referral.enabled) return { reason: 'referralDisabled' };
  if (code !== code.toUpperCase() || code.length < 4) return { reason: 'referralCodeInvalid' };
  const referrer = state.accounts.find((other) => other.code === code);
  if (referrer === undefined) return { reason: 'referralCodeUnknown' };
  if (referee.house || referrer.house) return { reason: 'referralNotEligible' };
  if (referee.referrer !== 0) return { reason: 'referralAlreadyBound' };
  if (referee.traded) return { reason: 'referralAlreadyTraded' };
  for (let at: number = referrer.id; at !== 0; at = state.accounts[at]!.referrer) {
    if (at === referee.id) return { reason: 'referralSelf' };
  }
  referee.referrer = referrer.id;
  return done;
}

export function claim(state: NaiveState, { account }: Of<'claimReferral'>): NaiveOutcome {
  const referrer = state.accounts[account]!;
  if (referrer.accrued === 0n) return { reason: 'referralNothingToClaim' };
  referrer.available += referrer.accrued;
  referrer.accrued = 0n;
  return done;
}

export function setTerms(state: NaiveState, { terms }: Of<'setReferralTerms'>): NaiveOutcome {
  const discount = BigInt(terms.discount);
  const share = BigInt(terms.share);
  const half = rateOne / 2n;
  const lost = (fee: bigint): bigint => (terms.enabled ? floorDiv(fee * discount, rateOne) : 0n);
  const isPaid = state.markets.every(({ terms: { makerFee, takerFee } }) => {
    return makerFee + takerFee - lost(takerFee) >= 0n;
  });
  if (discount > half || share > half || !isPaid) return { reason: 'referralTermsInvalid' };
  state.referral = { enabled: terms.enabled, discount, share };
  return done;
}
