// SYM-2: a market's delivery: orders end, every position realises at the mean of the last hour.

import { floorDiv, least, most, signOf, sizeOf } from './exact.ts';
import { endOrder, fundPays, intoShortfall, takePayment } from './naiveDebit.ts';
import { equityOf, fundId } from './naiveFigures.ts';
import { settleClose } from './naiveFill.ts';
import { settlementPrice } from './naiveSettlement.ts';
import { count, type NaiveMarket, type NaiveState } from './naiveState.ts';

export const deliveryIsDue = (state: NaiveState, { terms, status }: NaiveMarket): boolean =>
  status === 'CLOSE' && terms.deliveryTime > 0 && terms.deliveryTime <= state.time;

type Winner = { readonly id: number; readonly profit: bigint; readonly cap: bigint; taken: bigint };

/** Winners are paid, losers debited in account order, then the unpaid amount is shared. */
export function deliver(state: NaiveState, market: NaiveMarket): void {
  count(state, 'delivered');
  for (const order of [...state.orders]) {
    if (order.market === market.id) endOrder(state, order, 'DELISTING');
  }
  const price = settlementPrice(market);
  const gainOf = (id: number): bigint => {
    const { lots, entry } = state.accounts[id]!.positions[market.id]!;
    return price * lots * market.grain - entry;
  };
  const close = (id: number): { pnl: bigint; unpaid: bigint } => {
    const { lots } = state.accounts[id]!.positions[market.id]!;
    const side = -signOf(lots);
    const leg = { account: id, market: market.id, side, lots: sizeOf(lots), ticks: price };
    return settleClose(state, leg);
  };
  const holders = state.accounts.filter(({ positions }) => positions[market.id]!.lots !== 0n);
  const ids = holders.map(({ id }) => id);
  const profits = new Map<number, bigint>();
  for (const id of ids.filter((other) => gainOf(other) >= 0n)) profits.set(id, close(id).pnl);
  let deficit = 0n;
  for (const id of ids.filter((other) => !profits.has(other))) {
    const { unpaid } = close(id);
    deficit += id === fundId ? unpaid : fundPays(state, unpaid);
  }
  market.settled = true;
  if (deficit > 0n) share(state, market, profits, deficit);
}

function share(
  state: NaiveState,
  market: NaiveMarket,
  profits: ReadonlyMap<number, bigint>,
  deficit: bigint,
): void {
  count(state, 'deliveryShared');
  const winners: Winner[] = [];
  for (const [id, profit] of profits) {
    const account = state.accounts[id]!;
    const equity = account.isolated ? account.available : equityOf(state, account);
    if (profit > 0n) winners.push({ id, profit, cap: least(profit, most(0n, equity)), taken: 0n });
  }
  let total = 0n;
  for (const { profit } of winners) total += profit;
  let left = deficit;
  for (const winner of winners) {
    winner.taken = least(winner.cap, floorDiv(deficit * winner.profit, total));
    left -= winner.taken;
  }
  winners.sort((a, b) => (a.profit === b.profit ? a.id - b.id : a.profit > b.profit ? -1 : 1));
  for (const winner of winners) {
    const more = least(left, winner.cap - winner.taken);
    winner.taken += more;
    left -= more;
  }
  for (const { id, taken } of winners) {
    // The fund may have paid for the losers with its profit: then other profit pays its part
    // (BAL-4).
    const account = state.accounts[id]!;
    if (taken > 0n) left += takePayment(state, { account, market: market.id, amount: taken });
  }
  intoShortfall(state, left);
}
