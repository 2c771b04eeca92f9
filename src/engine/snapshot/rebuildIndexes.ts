// What a snapshot does not hold because it follows from the records of accounts: the maps of API
// keys and of referral codes, the holders of positions, and counts.

import { assert } from '../../std/assert.ts';
import { noteHolder, setReach } from '../clearing/liquidationIndex.ts';
import { markDirty } from '../clearing/markDirty.ts';
import type { Exchange } from '../exchange.ts';
import { countUnfunded, isKeptByNothing, placeGuest } from '../guests.ts';
import { liveAccounts } from '../liveAccounts.ts';
import { countReferee, hasReferralCode } from '../referral.ts';

/** After every record has been read. Cost: one pass over accounts and their positions. */
export function rebuildIndexes(exchange: Exchange): void {
  addApiKeys(exchange);
  addHolders(exchange);
  addReferrals(exchange);
  addUnfunded(exchange);
}

/** Lists the holders of positions; the next command sets their keys in the liquidation index. */
function addHolders(exchange: Exchange): void {
  for (const market of exchange.markets) setReach(market);
  for (const account of liveAccounts(exchange)) {
    for (const position of account.positions) {
      if (position === undefined || position.lots === 0) continue;
      noteHolder(exchange.markets[position.market]!, position);
      markDirty(exchange, account);
    }
  }
}

/** The map of all keys, in the order of their creation. */
function addApiKeys(exchange: Exchange): void {
  const keys = liveAccounts(exchange).flatMap(({ apiKeys }) => apiKeys);
  keys.sort((a, b) => a.id - b.id);
  for (const key of keys) {
    assert(!exchange.apiKeys.has(key.apiKey), 'an API key comes twice');
    exchange.apiKeys.set(key.apiKey, key);
  }
}

/** The owner of each code, and the number of its referees. */
function addReferrals(exchange: Exchange): void {
  const { referralCodes } = exchange;
  const accounts = liveAccounts(exchange);
  for (const account of accounts) {
    if (!hasReferralCode(account)) continue;
    const { code } = account.referral!;
    assert(!referralCodes.has(code), 'a referral code comes twice');
    referralCodes.set(code, account.id);
  }
  for (const account of accounts) countReferee(exchange, account, 1);
}

/**
 * Counts the accounts that were never credited. Guests that no section names come from a state of
 * format 2, whose numbers are all kept: their day begins with that state.
 */
function addUnfunded(exchange: Exchange): void {
  const { accounts, guests, time } = exchange;
  const isOlder = guests.waiting.items.length === 0 && guests.numbersKept === accounts.length;
  for (const account of liveAccounts(exchange)) {
    countUnfunded(exchange, account, 1);
    if (account.guestSlot >= 0 || !isKeptByNothing(account)) continue;
    assert(isOlder, 'a guest stands among the guests');
    placeGuest(exchange, account, time);
  }
}
