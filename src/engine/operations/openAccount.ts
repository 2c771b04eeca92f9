// The account of a wallet, made at the first login or credit. From the first credit on it is kept
// for ever (AUTH-5a).

import { type Account, createAccount } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import { countUnfunded, hasNumber, placeGuest, takeNumber } from '../guests.ts';

/** Whether the wallet has an account or may still get one with money. */
export function hasRoomForAccount(exchange: Exchange, address: string): boolean {
  return exchange.accountByAddress.has(address) || hasNumber(exchange);
}

/** The wallet's account, created when there is none. The caller has made its checks. */
export function openAccount(exchange: Exchange, address: string): Account {
  const present = exchange.accountByAddress.get(address);
  if (present !== undefined) return exchange.accounts[present]!;
  const account = createAccount(takeNumber(exchange), address, exchange.time);
  exchange.accounts[account.id] = account;
  exchange.accountByAddress.set(address, account.id);
  countUnfunded(exchange, account, 1);
  return account;
}

/** A deposit has reached the account. Only the first one makes an event. */
export function noteFunded(exchange: Exchange, account: Account): void {
  if (account.funded) return;
  countUnfunded(exchange, account, -1);
  account.funded = true;
  placeGuest(exchange, account, exchange.time);
  const { id, address } = account;
  // For an account that is older than AUTH-5a, the event came at its login.
  if (id < exchange.guests.numbersKept) return;
  exchange.events.push({ kind: 'accountCreated', account: id, address });
}
