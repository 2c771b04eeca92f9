// The invariants of guests and of the numbers of forgotten accounts (AUTH-5a).

import { balanceOf } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import { isKeptByNothing } from '../guests.ts';
import { checkHeap } from './checkHeap.ts';
import { type Findings, must } from './findings.ts';

export function checkGuests(findings: Findings, exchange: Exchange): void {
  const { accounts, credits, guests, vault } = exchange;
  const { waiting, vacancies, numbersKept } = guests;
  checkHeap(findings, waiting, ({ id }) => `guest ${id}`);
  checkHeap(findings, vacancies, ({ id }) => `vacant number ${id}`);
  const credited = new Set([...credits.values()].map(({ account }) => account));
  let unfunded = 0;
  let unfundedWithKeys = 0;
  for (const account of accounts) {
    if (account === undefined) continue;
    const { id, funded, apiKeys, guestSlot, guestSince } = account;
    const isGuest = isKeptByNothing(account);
    const listed = waiting.items[guestSlot] === account;
    must(findings, isGuest === listed && isGuest === guestSince > 0, () => {
      return `account ${id} is kept by ${isGuest ? 'nothing' : 'something'} and listed wrongly`;
    });
    // Deposits of a vault leave no record beside the account.
    const hadMoney = vault.binding === null ? credited.has(id) : funded || balanceOf(account) !== 0;
    must(findings, funded === (id === 0 || hadMoney), () => {
      return `account ${id} says that it was ${funded ? '' : 'never '}credited`;
    });
    if (funded) continue;
    unfunded += 1;
    if (apiKeys.length > 0) unfundedWithKeys += 1;
  }
  const counted = unfunded === guests.unfunded && unfundedWithKeys === guests.unfundedWithKeys;
  must(findings, counted, () => {
    return `${unfunded} accounts without money, ${unfundedWithKeys} with keys, are counted wrongly`;
  });
  const vacant = new Set(vacancies.items.map(({ id }) => id));
  must(findings, vacant.size === vacancies.items.length, () => 'a number is vacant twice');
  accounts.forEach((account, id) => {
    const due = account === undefined && id >= numbersKept;
    must(findings, vacant.has(id as never) === due, () => `number ${id} is vacant wrongly`);
  });
}
