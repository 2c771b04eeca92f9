// The one order in which an account pays losses and fees (BAL-4): available; collateral of that
// position; unrealised profit realised at the mark, largest first; open orders cancelled newest
// first; collateral of its other positions. What then lacks falls on the fund, or is waived.

import type { Money } from '../../units/units.ts';
import { type Account, balanceOf } from '../account.ts';
import { endOrder } from '../endOrder.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import type { Order } from '../order.ts';
import type { Position } from '../position.ts';
import { touchFigures, touchPosition } from '../undo.ts';
import { rests } from './cover.ts';
import { move, noteEntry, post, postFund } from './ledger.ts';
import { unrealizedOf } from './margin.ts';

/** Takes up to `amount` ≥ 0 from the account and gives what was really taken. */
function take(exchange: Exchange, account: Account, position: Position, amount: Money): Money {
  let lacking = amount - takeAvailable(exchange, account, amount);
  if (lacking > 0) {
    takeCollateral(exchange, account, position, lacking as Money);
    lacking -= takeAvailable(exchange, account, lacking as Money);
  }
  if (lacking > 0) {
    realizeProfits(exchange, account, lacking as Money);
    lacking -= takeAvailable(exchange, account, lacking as Money);
  }
  while (lacking > 0) {
    const newest = newestOrder(exchange, account);
    if (newest === undefined) break;
    endOrder(exchange, newest, { status: 'CANCELED', reason: 'MARGIN' });
    lacking -= takeAvailable(exchange, account, lacking as Money);
  }
  for (const other of account.positions) {
    if (lacking === 0) break;
    if (other === undefined) continue;
    takeCollateral(exchange, account, other, lacking as Money);
    lacking -= takeAvailable(exchange, account, lacking as Money);
  }
  return (amount - lacking) as Money;
}

function takeAvailable(exchange: Exchange, account: Account, amount: Money): Money {
  const taken = Math.min(account.available, amount) as Money;
  if (taken > 0) post(exchange, account, 'available', -taken as Money);
  return taken;
}

function takeCollateral(exchange: Exchange, account: Account, position: Position, amount: Money) {
  const taken = Math.min(position.collateral, amount) as Money;
  if (taken === 0) return;
  touchPosition(exchange.undo, position);
  position.collateral = (position.collateral - taken) as Money;
  move(exchange, account, { from: 'collateral', to: 'available', amount: taken });
}

/** Turns unrealised profit into balance, largest first, as far as needed. */
function realizeProfits(exchange: Exchange, account: Account, amount: Money): void {
  const profits: { position: Position; profit: Money }[] = [];
  for (const position of account.positions) {
    if (position === undefined || position.lots === 0) continue;
    const profit = unrealizedOf(exchange.markets[position.market]!, position);
    if (profit > 0) profits.push({ position, profit });
  }
  profits.sort((a, b) => b.profit - a.profit || a.position.market - b.position.market);
  let lacking: number = amount;
  for (const { position, profit } of profits) {
    if (lacking === 0) return;
    const realized = Math.min(profit, lacking) as Money;
    lacking -= realized;
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
}

/** Changes a position's signed entry notional and the market's sum of them. */
export function addEntry(exchange: Exchange, position: Position, delta: Money): void {
  const { figures } = exchange.markets[position.market]!;
  touchPosition(exchange.undo, position);
  touchFigures(exchange.undo, figures);
  position.entry = (position.entry + delta) as Money;
  figures.entry = (figures.entry + delta) as Money;
  noteEntry(exchange, delta);
}

/** The account's newest live order by priority: the incoming one, else of all its queues. */
function newestOrder(exchange: Exchange, account: Account): Order | undefined {
  const { taker } = exchange;
  if (taker !== null && taker.account === account.id && taker.open > 0) return taker;
  let newest: Order | undefined;
  for (const position of account.positions) {
    if (position === undefined) continue;
    for (const queue of [position.buys, position.sells]) {
      let order = queue.newest;
      while (order !== null && !rests(order)) order = order.older;
      if (order !== null && (newest === undefined || order.priority > newest.priority)) {
        newest = order;
      }
    }
  }
  return newest;
}

/** Debits a realised loss; what lacks falls on the insurance fund, then on `shortfall` (LIQ-4). */
export function debitLoss(
  exchange: Exchange,
  account: Account,
  position: Position,
  loss: Money,
): void {
  const lacking = loss - take(exchange, account, position, loss);
  if (lacking === 0) return;
  const fund = Math.min(exchange.funds.insurance, lacking) as Money;
  const shortfall = (lacking - fund) as Money;
  if (fund > 0) postFund(exchange, 'insurance', -fund as Money);
  if (shortfall > 0) postFund(exchange, 'shortfall', shortfall);
  const { market } = position;
  exchange.events.push({ kind: 'lossCovered', account: account.id, market, fund, shortfall });
}

/** Debits a fee into the fee revenue; what lacks is waived. Gives what was collected. */
export function debitFee(
  exchange: Exchange,
  account: Account,
  position: Position,
  fee: Money,
): Money {
  if (fee === 0) return fee;
  const collected = take(exchange, account, position, fee);
  if (collected > 0) postFund(exchange, 'feeRevenue', collected);
  return collected;
}

/** Pays a rebate out of the fee that the same fill collected (BAL-4). Gives what was paid. */
export function payRebate(
  exchange: Exchange,
  account: Account,
  rebate: { readonly due: Money; readonly collected: Money },
): Money {
  const paid = Math.min(rebate.due, rebate.collected) as Money;
  if (paid <= 0) return 0 as Money;
  postFund(exchange, 'feeRevenue', -paid as Money);
  post(exchange, account, 'available', paid);
  return paid;
}
