// The share of its referees' net fees that accrues for a referrer, fill by fill (NAT-4c). A rebate
// counts against the fee that paid it: then no fill pays out more than it collected, with a
// referrer on either side or on both.

import { shareDown } from '../../units/notional.ts';
import type { AccountId, MarketId, Money } from '../../units/units.ts';
import { referrerOf } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { Fill } from '../fill.ts';
import { insuranceAccount } from '../marginModes.ts';
import { dayOf } from './fees.ts';
import { postFee, postReferral } from './ledger.ts';

/** Accrues what both sides of a fill give their referrers, from the fees as they were collected. */
export function accrueReferrals(
  exchange: Exchange,
  market: MarketId,
  { taker, maker }: { readonly taker: Fill; readonly maker: Fill },
): void {
  if (!exchange.referralTerms.enabled) return;
  const rebate = Math.min(maker.fee, 0);
  accrueShare(exchange, market, { payer: taker.account, net: (taker.fee + rebate) as Money });
  accrueShare(exchange, market, { payer: maker.account, net: maker.fee });
}

/** share = net fee × rate, rounded down; from the fee revenue, before the fund gets its share. */
function accrueShare(
  exchange: Exchange,
  market: MarketId,
  { payer, net }: { readonly payer: AccountId; readonly net: Money },
): void {
  if (net <= 0) return;
  const { accounts, referralTerms } = exchange;
  const id = referrerOf(accounts[payer]!);
  if (id === insuranceAccount) return;
  const referrer = accounts[id]!;
  if (referrer.house) return;
  const amount = shareDown(net, referralTerms.share);
  if (amount === 0) return;
  postFee(exchange, market, -amount as Money);
  const referral = referrer.referral!;
  postReferral(exchange, referral, amount);
  const day = dayOf(exchange.time);
  referral.today = ((referral.day === day ? referral.today : 0) + amount) as Money;
  referral.day = day;
  exchange.events.push({
    kind: 'referralAccrued',
    account: referrer.id,
    referee: payer,
    market,
    amount,
    day,
    today: referral.today,
  });
}
