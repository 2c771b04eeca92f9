// Referral, from events alone (NAT-4): which shares the fees of each trade give, by the bindings
// and the terms of that moment; and that a claim pays what has accrued since the last one, once.

import type { Event, Traded } from '../../../src/engine/event.ts';
import { defaultReferralTerms } from '../../../src/engine/referral.ts';
import type { AccountId } from '../../../src/units/units.ts';
import type { Auditor } from './witness.ts';

type Books = {
  readonly referrers: Map<AccountId, AccountId>;
  /** What has accrued and is not claimed, by referrer. */
  readonly due: Map<AccountId, number>;
  terms: { readonly enabled: boolean; readonly share: number };
};

const one = 100_000_000n;

/** For a deployment whose traders are no internal accounts. */
export function createReferralAuditor(): Auditor {
  const books: Books = { referrers: new Map(), due: new Map(), terms: defaultReferralTerms };
  return ({ events, exchange }) => {
    const wrong: string[] = [];
    const expected: string[] = [];
    const accrued: string[] = [];
    for (const event of events) {
      if (event.kind === 'traded') expected.push(...sharesOf(books, event));
      if (event.kind === 'referralAccrued') {
        accrued.push(shareText(event.account, event.referee, event.amount));
      }
      wrong.push(...book(books, event));
    }
    if (expected.join() !== accrued.join()) {
      wrong.push(`trades give referrers ${expected.join()}, they got ${accrued.join()} (NAT-4c)`);
    }
    if (accrued.length === 0 && events.every(({ kind }) => kind !== 'referralClaimed'))
      return wrong;
    const sum = [...books.due.values()].reduce((total, each) => total + each, 0);
    const { referralPayable } = exchange.funds;
    if (BigInt(sum) !== BigInt(referralPayable)) {
      wrong.push(`referrers are owed ${sum}, the fund for them has ${referralPayable} (NAT-4d)`);
    }
    return wrong;
  };
}

const shareText = (referrer: AccountId, referee: AccountId, amount: number | bigint): string =>
  `${amount} to ${referrer} of ${referee}`;

/** The taker's fee pays the maker's rebate first. */
function sharesOf({ referrers, terms }: Books, { taker, maker }: Traded): string[] {
  if (!terms.enabled) return [];
  const nets = [
    { payer: taker.account, net: taker.fee + Math.min(maker.fee, 0) },
    { payer: maker.account, net: maker.fee },
  ];
  return nets.flatMap(({ payer, net }) => {
    const referrer = referrers.get(payer);
    const amount = net > 0 ? (BigInt(net) * BigInt(terms.share)) / one : 0n;
    return referrer === undefined || amount === 0n ? [] : [shareText(referrer, payer, amount)];
  });
}

function book(books: Books, event: Event): string[] {
  const { due } = books;
  switch (event.kind) {
    case 'referralTermsSet':
      books.terms = event.terms;
      return [];
    case 'referralBound':
      books.referrers.set(event.account, event.referrer);
      return [];
    case 'referralAccrued':
      due.set(event.account, (due.get(event.account) ?? 0) + event.amount);
      return [];
    case 'referralClaimed': {
      const owed = due.get(event.account) ?? 0;
      due.delete(event.account);
      if (owed === event.amount) return [];
      return [`${event.account} claimed ${event.amount}, and ${owed} had accrued (NAT-4d)`];
    }
    default:
      return [];
  }
}
