// The account of a wallet, made at the first login or credit.

import type { AccountId } from '../../units/units.ts';
import { type Account, createAccount } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import { accountsMax } from '../limits.ts';

/** Whether the wallet has an account or may still get one. */
export function hasRoomForAccount(exchange: Exchange, address: string): boolean {
  return exchange.accountByAddress.has(address) || exchange.accounts.length < accountsMax;
}

/** The wallet's account, created when it has none. The caller has passed its checks. */
export function openAccount(exchange: Exchange, address: string): Account {
  const present = exchange.accountByAddress.get(address);
  if (present !== undefined) return exchange.accounts[present]!;
  const id = exchange.accounts.length as AccountId;
  const account = createAccount(id, address, exchange.time);
  exchange.accounts.push(account);
  exchange.accountByAddress.set(address, id);
  exchange.events.push({ kind: 'accountCreated', account: id, address });
  return account;
}
