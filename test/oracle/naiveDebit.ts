// BAL-4: who pays what, in which order; what the insurance fund pays for others and how it earns.

import { least, most } from './exact.ts';
import { equityOf, fundId, fundOf, profitOf } from './naiveFigures.ts';
import { count, type NaiveAccount, type NaiveOrder, type NaiveState } from './naiveState.ts';

/** Ends an order: its freeze returns to available. Its cover is dealt by who calls. */
export function endOrder(state: NaiveState, order: NaiveOrder, reason: string): void {
  state.accounts[order.account]!.available += order.freeze;
  order.freeze = 0n;
  order.cover = 0n;
  order.open = 0n;
  order.status = 'CANCELED';
  order.cancelReason = reason;
  state.orders = state.orders.filter((other) => other !== order);
}

/** All income of the fund repays the shortfall first (LIQ-4). */
export function fundEarns(state: NaiveState, amount: bigint): void {
  const repaid = least(state.shortfall, amount);
  state.shortfall -= repaid;
  fundOf(state).available += amount - repaid;
}

/** What the fund may pay for others: its balance and its equity bound it (LIQ-3). */
export function fundLimit(state: NaiveState): bigint {
  const fund = fundOf(state);
  return most(0n, least(fund.available, equityOf(state, fund)));
}

/** The fund pays the unpaid amount of others as far as it may; gives the rest. */
export function fundPays(state: NaiveState, unpaid: bigint): bigint {
  const paid = least(unpaid, fundLimit(state));
  fundOf(state).available -= paid;
  if (paid > 0n) count(state, 'fundPaid');
  return unpaid - paid;
}

export function intoShortfall(state: NaiveState, unpaid: bigint): void {
  if (unpaid === 0n) return;
  state.shortfall += unpaid;
  count(state, 'shortfall');
}

/** Profit becomes balance: the entry notional rises by the realised amount, which pays at once. */
function realise(state: NaiveState, account: NaiveAccount, market: number, amount: bigint): bigint {
  const position = account.positions[market]!;
  const realised = least(amount, most(0n, profitOf(state, position)));
  position.entry += realised;
  return amount - realised;
}

function fromAvailable(account: NaiveAccount, amount: bigint): bigint {
  const paid = least(amount, account.available);
  account.available -= paid;
  return amount - paid;
}

function fromCollateral(account: NaiveAccount, market: number, amount: bigint): bigint {
  const position = account.positions[market]!;
  const paid = least(amount, position.collateral);
  position.collateral -= paid;
  return amount - paid;
}

/** Markets by the account's unrealised profit at the mark, largest first. */
function byProfit(state: NaiveState, account: NaiveAccount): number[] {
  const profits = account.positions.map((position) => profitOf(state, position));
  const markets = account.positions.map(({ market }) => market);
  return markets.sort((a, b) => {
    if (profits[a] !== profits[b]) return profits[a]! > profits[b]! ? -1 : 1;
    return a - b;
  });
}

/** The name of the exchange's own orders: no debit cancels a liquidation. */
export const ownOrder = '';

function takeCross(
  state: NaiveState,
  account: NaiveAccount,
  market: number,
  amount: bigint,
): bigint {
  let unpaid = fromAvailable(account, amount);
  unpaid = fromCollateral(account, market, unpaid);
  for (const place of byProfit(state, account)) unpaid = realise(state, account, place, unpaid);
  while (unpaid > 0n) {
    const newest = state.orders.findLast(({ account: owner, open, name }) => {
      return owner === account.id && open > 0n && name !== ownOrder;
    });
    if (newest === undefined) break;
    endOrder(state, newest, 'MARGIN');
    unpaid = fromAvailable(account, unpaid);
  }
  for (const { market: place } of account.positions) {
    unpaid = fromCollateral(account, place, unpaid);
  }
  return unpaid;
}

function takeFromFund(state: NaiveState, amount: bigint): bigint {
  const fund = fundOf(state);
  let unpaid = fromAvailable(fund, amount);
  for (const place of byProfit(state, fund)) unpaid = realise(state, fund, place, unpaid);
  return unpaid;
}

export type Debit = {
  readonly account: NaiveAccount;
  readonly market: number;
  readonly amount: bigint;
};

/** A realised loss; `released` is the collateral that this close freed. Gives the unpaid amount. */
export function takeLoss(state: NaiveState, debit: Debit, released: bigint): bigint {
  const { account, market, amount } = debit;
  if (account.id === fundId) return takeFromFund(state, amount);
  if (!account.isolated) return takeCross(state, account, market, amount);
  const first = least(amount, released);
  let unpaid = amount - first + fromAvailable(account, first);
  unpaid = fromCollateral(account, market, unpaid);
  return realise(state, account, market, unpaid);
}

/** A fee, a funding payment, a liquidation fee. Gives the unpaid amount. */
export function takePayment(state: NaiveState, { account, market, amount }: Debit): bigint {
  if (account.id === fundId) return takeFromFund(state, amount);
  if (!account.isolated) return takeCross(state, account, market, amount);
  const unpaid = fromCollateral(account, market, fromAvailable(account, amount));
  return realise(state, account, market, unpaid);
}
