// A delivery (SYM-2): a market that the operator has closed with a date ends. Its orders are
// cancelled, and every position realises at the mean of the index over its last hour (SYM-2c). The
// fund pays the unpaid amount of losers, then the winners, then `shortfall`.

import { directValues } from '../../std/directMap.ts';
import type { AccountId, Lots, Money, Ticks } from '../../units/units.ts';
import { balanceOf } from '../account.ts';
import { type CloseResult, closeAt } from '../clearing/closeAt.ts';
import { bookCover } from '../clearing/debit.ts';
import { drawFund } from '../clearing/insurance.ts';
import { holdersOf } from '../clearing/liquidationIndex.ts';
import { shareDeficit } from '../clearing/shareDeficit.ts';
import { flushEnded } from '../endOrder.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { expiryWorkMax } from '../limits.ts';
import { insuranceAccount } from '../marginModes.ts';
import type { Market } from '../market.ts';
import type { Position } from '../position.ts';
import { settlementTicks } from '../settlementTicks.ts';
import { partsOf } from '../work.ts';
import { cancelQueues } from './cancelAllOrders.ts';
import { expireSettled } from './expireSettled.ts';
import { settleBeforeDelivery } from './settleFunding.ts';

/** There is no bankrupt account here: every winner shares. */
const nobody = -1 as AccountId;

/** Settles those of these markets whose delivery is due. */
export function settleDueMarkets(exchange: Exchange, markets: readonly Market[]): void {
  for (const market of markets) if (market.dues.delivery) settleMarket(exchange, market);
  expireSettled(exchange, exchange.work + partsOf(expiryWorkMax));
}

function settleMarket(exchange: Exchange, market: Market): void {
  const ticks = settlementTicks(market);
  settleBeforeDelivery(exchange, market);
  cancelOrders(exchange, market);
  market.dues.delivery = false;
  market.dues.settledAt = exchange.time;
  exchange.expiring.push({ market: market.id, account: insuranceAccount });
  const holders = [...holdersOf(market)];
  const profits = new Map<AccountId, number>();
  const losers: Loser[] = [];
  // Winners first, so that the losers' unpaid amount can be taken from what was realised.
  for (const position of holders) {
    if (gainAt(market, position, ticks) > 0) {
      const { pnl } = realize(exchange, market, position, ticks);
      profits.set(position.account, pnl);
    }
  }
  for (const position of holders) {
    if (position.lots === 0) continue;
    const { unpaid } = realize(exchange, market, position, ticks);
    if (unpaid > 0) losers.push({ position, unpaid });
  }
  shareUnpaid(exchange, market, losers, profits);
  // A loser may have paid with orders of other markets (BAL-4).
  flushEnded(exchange);
  exchange.events.push({ kind: 'marketSettled', market: market.id, ticks });
}

function cancelOrders(exchange: Exchange, market: Market): void {
  const owners = new Set<AccountId>();
  for (const order of directValues(exchange.orders)) {
    if (order.market === market.id) owners.add(order.account);
  }
  for (const owner of [...owners].sort((a, b) => a - b)) {
    cancelQueues(exchange, exchange.accounts[owner]!.positions[market.id]!, 'DELISTING');
  }
}

const gainAt = (market: Market, position: Position, ticks: Ticks): number =>
  position.lots * ticks * market.grain - position.entry;

function realize(
  exchange: Exchange,
  market: Market,
  position: Position,
  ticks: Ticks,
): CloseResult {
  const { lots } = position;
  const closed = closeAt(exchange, position, Math.abs(lots) as Lots, ticks);
  const account = exchange.accounts[position.account]!;
  exchange.events.push({
    kind: 'positionSettled',
    id: drawNumber(exchange),
    account: account.id,
    market: market.id,
    lots,
    pnl: closed.pnl,
    balance: balanceOf(account),
  });
  return closed;
}

type Loser = { readonly position: Position; readonly unpaid: Money };

/**
 * The unpaid amount of the losers: the fund, then the winners pro rata to profit, then `shortfall`.
 * Each payer is reported for the first losers, one after the other, as far as its amount goes.
 */
function shareUnpaid(
  exchange: Exchange,
  market: Market,
  losers: readonly Loser[],
  profits: Map<AccountId, number>,
): void {
  const total = losers.reduce((sum, { unpaid }) => sum + unpaid, 0);
  if (total === 0) return;
  let fundLeft: number = drawFund(exchange, total as Money);
  const deficit = { amount: (total - fundLeft) as Money, bankrupt: nobody };
  const short = deficit.amount > 0 ? shareDeficit(exchange, market, profits, deficit) : 0;
  let sharedLeft = deficit.amount - short;
  for (const { position, unpaid } of losers) {
    const fund = Math.min(unpaid, fundLeft) as Money;
    const shared = Math.min(unpaid - fund, sharedLeft) as Money;
    fundLeft -= fund;
    sharedLeft -= shared;
    bookCover(exchange, position, { unpaid, fund, shared });
  }
}
