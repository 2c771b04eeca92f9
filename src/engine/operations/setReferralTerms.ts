// The operator sets the terms of referral (NAT-4). They apply at once, to bindings of before too.
// Terms under which a referee's fee would no longer pay a market's rebate are refused (MAR-3).

import type { Rate } from '../../units/units.ts';
import { brokenRebate } from '../clearing/fees.ts';
import type { Exchange } from '../exchange.ts';
import { referralRateMax } from '../limits.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { SetReferralTerms } from '../referralCommand.ts';

export function setReferralTerms(exchange: Exchange, command: SetReferralTerms): Outcome {
  const { terms } = command;
  const { feeTiers } = exchange;
  const detail =
    isBounded(terms.discount) && isBounded(terms.share)
      ? brokenRebate(exchange, { feeTiers, referralTerms: terms })
      : 'discount and share are rates from 0 to 0.5';
  if (detail !== undefined) return rejected({ reason: 'referralTermsInvalid', detail });
  // From here setReferralTerms must succeed.
  exchange.committed = true;
  exchange.referralTerms = terms;
  exchange.events.push({ kind: 'referralTermsSet', terms });
  return { kind: 'accepted' };
}

const isBounded = (rate: Rate): boolean =>
  Number.isSafeInteger(rate) && rate >= 0 && rate <= referralRateMax;
