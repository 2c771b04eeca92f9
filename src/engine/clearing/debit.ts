// The one order in which an account pays losses and fees (BAL-4): available; collateral of that
// position; unrealised profit realised at the mark, largest first; open orders cancelled newest
// first; collateral of its other positions. An isolated position pays only with its own money. The
// fund pays the unpaid amount of a loss; the unpaid amount of a fee is waived.

import type { Money } from '../../units/units.ts';
import { type Account, balanceOf } from '../account.ts';
import { endOrder } from '../endOrder.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { insuranceAccount } from '../marginModes.ts';
import type { Order } from '../order.ts';
import type { Position } from '../position.ts';
import { touchFigures, touchPosition } from '../undo.ts';
import { rests } from './cover.ts';
import { drawFund } from './insurance.ts';
import { move, noteEntry, post, postFee, postFund } from './ledger.ts';
import { unrealizedOf } from './margin.ts';

/**
 * The purpose of a debit: a loss may take what its close released, a charge may take all of
 * available.
 */
export type Debit = {
  readonly kind: 'loss' | 'charge';
  readonly amount: Money;
  /** For a loss: the collateral that the close released. */
  readonly released: Money;
};

export const charge = (amount: Money): Debit => ({ kind: 'charge', amount, released: 0 as Money });

/** Takes up to the debit's amount ≥ 0 in the order of BAL-4; gives the amount taken. */
export function take(
  exchange: Exchange,
  account: Account,
  position: Position,
  debit: Debit,
): Money {
  if (account.marginMode === 'isolated') return takeIsolated(exchange, account, position, debit);
  const { amount } = debit;
  let unpaid = amount - takeAvailable(exchange, account, amount);
  // Nearly always so.
  if (unpaid === 0) return amount;
  if (unpaid > 0) {
    takeCollateral(exchange, account, position, unpaid as Money);
    unpaid -= takeAvailable(exchange, account, unpaid as Money);
  }
  if (unpaid > 0) {
    realizeProfits(exchange, account, account.positions, unpaid as Money);
    unpaid -= takeAvailable(exchange, account, unpaid as Money);
  }
  while (unpaid > 0) {
    const newest = newestOrder(exchange, account);
    if (newest === undefined) break;
    endOrder(exchange, newest, { status: 'CANCELED', reason: 'MARGIN' });
    unpaid -= takeAvailable(exchange, account, unpaid as Money);
  }
  for (const other of account.positions) {
    if (unpaid === 0) break;
    if (other === undefined) continue;
    takeCollateral(exchange, account, other, unpaid as Money);
    unpaid -= takeAvailable(exchange, account, unpaid as Money);
  }
  return (amount - unpaid) as Money;
}

/** An isolated position pays with its own money; a charge is paid from available first. */
function takeIsolated(
  exchange: Exchange,
  account: Account,
  position: Position,
  { kind, amount, released }: Debit,
): Money {
  const free = kind === 'charge' ? amount : Math.min(amount, released);
  let unpaid = amount - takeAvailable(exchange, account, free as Money);
  if (unpaid > 0) {
    const freed = takeCollateral(exchange, account, position, unpaid as Money);
    unpaid -= takeAvailable(exchange, account, freed);
  }
  if (unpaid > 0) {
    const realized = realizeProfits(exchange, account, [position], unpaid as Money);
    unpaid -= takeAvailable(exchange, account, realized);
  }
  return (amount - unpaid) as Money;
}

function takeAvailable(exchange: Exchange, account: Account, amount: Money): Money {
  const taken = Math.min(account.available, amount) as Money;
  if (taken > 0) post(exchange, account, 'available', -taken as Money);
  return taken;
}

/** Collateral → available, up to `amount`; gives the amount moved. */
function takeCollateral(
  exchange: Exchange,
  account: Account,
  position: Position,
  amount: Money,
): Money {
  const taken = Math.min(position.collateral, amount) as Money;
  if (taken === 0) return taken;
  touchPosition(exchange.undo, position);
  position.collateral = (position.collateral - taken) as Money;
  move(exchange, account, { from: 'collateral', to: 'available', amount: taken });
  return taken;
}

/** Turns unrealised profit into available, largest first, as far as needed; gives the amount. */
export function realizeProfits(
  exchange: Exchange,
  account: Account,
  positions: readonly (Position | undefined)[],
  amount: Money,
): Money {
  const profits: { position: Position; profit: Money }[] = [];
  for (const position of positions) {
    if (position === undefined || position.lots === 0) continue;
    const profit = unrealizedOf(exchange.markets[position.market]!, position);
    if (profit > 0) profits.push({ position, profit });
  }
  profits.sort((a, b) => b.profit - a.profit || a.position.market - b.position.market);
  let unpaid: number = amount;
  for (const { position, profit } of profits) {
    if (unpaid === 0) break;
    const realized = Math.min(profit, unpaid) as Money;
    unpaid -= realized;
    addEntry(exchange, position, realized);
    post(exchange, account, 'available', realized);
    exchange.events.push({
      kind: 'profitRealized',
      id: drawNumber(exchange),
      account: account.id,
      market: position.market,
      amount: realized,
      balance: balanceOf(account),
    });
  }
  return (amount - unpaid) as Money;
}

/** Changes a position's signed entry notional and the market's sum of it. */
export function addEntry(exchange: Exchange, position: Position, delta: Money): void {
  const { figures } = exchange.markets[position.market]!;
  touchPosition(exchange.undo, position);
  touchFigures(exchange.undo, figures);
  position.entry = (position.entry + delta) as Money;
  figures.entry = (figures.entry + delta) as Money;
  noteEntry(exchange, delta);
}

/**
 * The account's newest live order by priority: the incoming one, else the newest of all its queues.
 */
function newestOrder(exchange: Exchange, account: Account): Order | undefined {
  const { taker } = exchange;
  if (taker !== null && taker.account === account.id && taker.open > 0) return taker;
  let newest: Order | undefined;
  for (const position of account.positions) {
    if (position === undefined) continue;
    for (const last of [position.newestBuy, position.newestSell]) {
      let order = last;
      while (order !== null && !rests(order)) order = order.older;
      if (order !== null && (newest === undefined || order.priority > newest.priority)) {
        newest = order;
      }
    }
  }
  return newest;
}

/**
 * Debits a realised loss. The fund pays the unpaid amount as far as it may; the rest goes to
 * `shortfall`.
 */
export function debitLoss(
  exchange: Exchange,
  account: Account,
  position: Position,
  loss: { readonly amount: Money; readonly released: Money },
): void {
  const taken = take(exchange, account, position, { kind: 'loss', ...loss });
  coverLoss(exchange, position, (loss.amount - taken) as Money);
}

/** Who bears an unpaid amount; the part that no account bears is booked to `shortfall`. */
export type Cover = { readonly unpaid: Money; readonly fund: Money; readonly shared: Money };

/**
 * Books and reports who bore the unpaid amount: the rows that balance the account's ledger (BAL-3).
 */
export function bookCover(
  exchange: Exchange,
  { account, market }: Position,
  { unpaid, fund, shared }: Cover,
): void {
  if (unpaid === 0) return;
  const shortfall = (unpaid - fund - shared) as Money;
  if (shortfall > 0) postFund(exchange, 'shortfall', shortfall);
  exchange.events.push({ kind: 'lossCovered', account, market, fund, shared, shortfall });
}

/** The fund bears the unpaid amount of a loss (LIQ-3), then `shortfall`. */
export function coverLoss(exchange: Exchange, position: Position, unpaid: Money): void {
  if (unpaid === 0) return;
  const ofFund = position.account === insuranceAccount;
  const fund = ofFund ? (0 as Money) : drawFund(exchange, unpaid);
  bookCover(exchange, position, { unpaid, fund, shared: 0 as Money });
}

/** Debits a fee into the fee revenue; the unpaid amount is waived. Gives what was collected. */
export function debitFee(
  exchange: Exchange,
  account: Account,
  position: Position,
  fee: Money,
): Money {
  if (fee === 0) return fee;
  const collected = take(exchange, account, position, charge(fee));
  if (collected > 0) postFee(exchange, position.market, collected);
  return collected;
}

/** Pays a rebate out of the fee that the same fill collected (BAL-4). Gives what was paid. */
export function payRebate(
  exchange: Exchange,
  account: Account,
  position: Position,
  rebate: { readonly due: Money; readonly collected: Money },
): Money {
  const paid = Math.min(rebate.due, rebate.collected) as Money;
  if (paid <= 0) return 0 as Money;
  postFee(exchange, position.market, -paid as Money);
  post(exchange, account, 'available', paid);
  return paid;
}
