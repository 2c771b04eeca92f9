// Mixes the events of referral (NAT-4) into the running hash of events (eventHash.ts), and passes
// those of connections and of the vault on.

import { type Hash, hashNumber, hashPair, hashText } from '../../std/hash.ts';
import { hashReferralTerms } from '../codec/referralTerms.ts';
import type { ConnectionEvent } from '../connectionEvent.ts';
import type { ReferralEvent } from '../event.ts';
import type { VaultEvent } from '../vaultEvent.ts';
import { hashConnectionEvent } from './hashConnectionEvent.ts';

/** Each begins with the number of its kind, which no other kind of event has. */
export function hashReferralEvent(
  hash: Hash,
  event: ReferralEvent | ConnectionEvent | VaultEvent,
): void {
  switch (event.kind) {
    case 'referralTermsSet':
      hashPair(hash, 70, 0);
      hashReferralTerms(hash, event.terms);
      return;
    case 'referralCodeSet':
      hashPair(hash, 71, 0);
      hashNumber(hash, event.account);
      hashText(hash, event.code);
      return;
    case 'referralBound':
      hashPair(hash, 72, 0);
      hashNumber(hash, event.account);
      hashNumber(hash, event.referrer);
      return;
    case 'referralAccrued':
      hashPair(hash, 73, event.market);
      hashNumber(hash, event.account);
      hashNumber(hash, event.referee);
      hashNumber(hash, event.amount);
      hashNumber(hash, event.day);
      hashNumber(hash, event.today);
      return;
    case 'referralClaimed':
      hashPair(hash, 74, 0);
      hashNumber(hash, event.account);
      hashNumber(hash, event.id);
      hashNumber(hash, event.amount);
      hashNumber(hash, event.balance);
      return;
    default:
      hashConnectionEvent(hash, event);
      return;
  }
}
