// Messages of referral.

import { translated } from '../messages/language.ts';

export const referralMessages = translated('referral', {
  terms: (discount: string, share: string) =>
    `Accounts with your code pay ${discount} less in fees, and you earn ${share} of their fees.`,
  off: 'Referral is switched off here. What has accrued can still be claimed.',
  myCode: 'My code',
  copyCode: 'Copy code',
  newCode: 'New code',
  newCodeHint: '4 to 16 of A–Z and 0–9. It cannot be changed later.',
  setCode: 'Set my code',
  boundCode: 'Code of another',
  boundTo: 'Bound to',
  bindHint: 'Only before your first trade, and only once.',
  bind: 'Use this code',
  referees: 'Accounts that use my code',
  total: 'Earned in total',
  claimed: 'Claimed',
  accrued: 'Can be claimed',
  claim: 'Claim',
  claimDone: 'Referral credited',
  claimRefused: 'Nothing was claimed',
  days: 'Earned by day',
  day: 'Day (UTC)',
  earned: 'Earned (USDT)',
  noDays: 'Nothing was earned yet.',
});
