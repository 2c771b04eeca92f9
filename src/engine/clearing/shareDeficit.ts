// The winners of a market share a deficit that neither its account nor the fund can bear, pro rata
// to profit, without any of them falling below zero equity (LIQ-4, SYM-2).

import { mulDivFloor } from '../../units/mulDiv.ts';
import type { AccountId, Money } from '../../units/units.ts';
import { balanceOf } from '../account.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Position } from '../position.ts';
import { charge, realizeProfits, take } from './debit.ts';
import { holdersOf } from './liquidationIndex.ts';
import { unrealizedOf } from './margin.ts';
import { marginStatusOf, subjectOf } from './marginStatus.ts';

type Winner = {
  readonly position: Position;
  readonly weight: number;
  /** The smaller of weight and means. */
  readonly cap: number;
};

export type Deficit = { readonly amount: Money; readonly bankrupt: AccountId };

/**
 * Takes floor(deficit × profit / Σ profit) from each winner, at most its cap, then the rest in the
 * order of profit. `realized` contains profits of this command that are no longer in open
 * positions; what is taken from them is subtracted there. Gives the amount that no winner could
 * bear.
 */
export function shareDeficit(
  exchange: Exchange,
  market: Market,
  realized: Map<AccountId, number>,
  deficit: Deficit,
): Money {
  const winners = winnersOf(exchange, market, realized, deficit.bankrupt);
  const total = winners.reduce((sum, { weight }) => sum + weight, 0);
  let unpaid: number = deficit.amount;
  const shares = winners.map(({ weight, cap }) => {
    const share = Math.min(cap, mulDivFloor(deficit.amount, weight, total));
    unpaid -= share;
    return share;
  });
  winners.forEach(({ cap }, index) => {
    const more = Math.min(unpaid, cap - shares[index]!);
    shares[index]! += more;
    unpaid -= more;
  });
  winners.forEach(({ position }, index) => {
    const share = shares[index]!;
    if (share > 0) unpaid += share - takeShare(exchange, market, realized, position, share);
  });
  return unpaid as Money;
}

/** By profit, then by account; without those that can give nothing. */
function winnersOf(
  exchange: Exchange,
  market: Market,
  realized: Map<AccountId, number>,
  bankrupt: AccountId,
): Winner[] {
  const winners: Winner[] = [];
  const consider = (position: Position): void => {
    if (position.account === bankrupt) return;
    const open = Math.max(0, unrealizedOf(market, position));
    const closed = realized.get(position.account) ?? 0;
    const weight = open + closed;
    if (weight === 0) return;
    const means = meansOf(exchange, position, closed);
    winners.push({ position, weight, cap: Math.min(weight, means) });
  };
  for (const position of holdersOf(market)) consider(position);
  for (const account of realized.keys()) {
    const position = exchange.accounts[account]!.positions[market.id]!;
    if (position.lots === 0) consider(position);
  }
  return winners.sort((a, b) => b.weight - a.weight || a.position.account - b.position.account);
}

/**
 * What a winner can give: its equity; in isolated mode the position's equity, and what this
 * command's profit added to available.
 */
function meansOf(exchange: Exchange, position: Position, closed: number): number {
  const subject = subjectOf(exchange, position);
  const equity = Math.max(0, marginStatusOf(exchange, subject).equity);
  if (subject.position === undefined) return equity;
  return equity + Math.min(closed, subject.account.available);
}

/** Unrealised profit first, then money; gives the amount taken. */
function takeShare(
  exchange: Exchange,
  market: Market,
  realized: Map<AccountId, number>,
  position: Position,
  share: number,
): number {
  const account = exchange.accounts[position.account]!;
  const open = realizeProfits(exchange, account, [position], share as Money);
  const taken = take(exchange, account, position, charge(share as Money));
  const ofRealized = Math.min(realized.get(account.id) ?? 0, Math.max(0, taken - open));
  if (ofRealized > 0) realized.set(account.id, realized.get(account.id)! - ofRealized);
  exchange.events.push({
    kind: 'profitShared',
    id: drawNumber(exchange),
    account: account.id,
    market: market.id,
    amount: taken,
    balance: balanceOf(account),
  });
  return taken;
}
