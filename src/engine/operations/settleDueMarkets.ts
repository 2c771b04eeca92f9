// A delivery (SYM-2): a market that the operator has closed with a date ends. Its orders are
// cancelled, every position realises at the mean index of its last hour, and what losers lack comes
// from the fund, then from the winners, then from `shortfall`.

import type { AccountId, Lots, Money, Ticks } from '../../units/units.ts';
import { balanceOf } from '../account.ts';
import { closeAt } from '../clearing/closeAt.ts';
import { holdersOf } from '../clearing/danger.ts';
import { drawFund } from '../clearing/insurance.ts';
import { bookShortfall, shareDeficit } from '../clearing/shareDeficit.ts';
import { flushEnded } from '../endOrder.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import type { Market } from '../market.ts';
import type { Position } from '../position.ts';
import { settlementTicks } from '../views/settlementTicks.ts';
import { cancelQueues } from './cancelAllOrders.ts';
import { expireTriggersOf } from './cancelTrigger.ts';

/** Nobody is bankrupt here: every winner shares. */
const nobody = -1 as AccountId;

/** Settles those of these markets whose delivery is due. */
export function settleDueMarkets(exchange: Exchange, markets: readonly Market[]): void {
  for (const market of markets) if (market.dues.delivery) settleMarket(exchange, market);
}

function settleMarket(exchange: Exchange, market: Market): void {
  const ticks = settlementTicks(market);
  cancelOrders(exchange, market);
  expireTriggersOf(exchange, market);
  market.dues.delivery = false;
  market.dues.settledAt = exchange.time;
  const holders = [...holdersOf(market)];
  const profits = new Map<AccountId, number>();
  let lacking = 0;
  // Winners first, so that what the losers lack can be shared out of what was realised.
  for (const position of holders) {
    if (gainAt(market, position, ticks) > 0) {
      const { pnl } = realize(exchange, market, position, ticks);
      profits.set(position.account, pnl);
    }
  }
  for (const position of holders) {
    if (position.lots !== 0) lacking += realize(exchange, market, position, ticks).lacking;
  }
  shareLack(exchange, market, { profits, lacking: lacking as Money, position: holders[0] });
  // A loser may have paid with orders of other markets (BAL-4).
  flushEnded(exchange);
  exchange.events.push({ kind: 'marketSettled', market: market.id, ticks });
}

function cancelOrders(exchange: Exchange, market: Market): void {
  const owners = new Set<AccountId>();
  for (const order of exchange.orders.values()) {
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
): { readonly pnl: number; readonly lacking: number } {
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

type Lack = {
  readonly profits: Map<AccountId, number>;
  readonly lacking: Money;
  readonly position: Position | undefined;
};

/** What the losers lack: the fund, then the winners pro rata to profit, then `shortfall`. */
function shareLack(exchange: Exchange, market: Market, lack: Lack): void {
  if (lack.lacking === 0 || lack.position === undefined) return;
  const drawn = drawFund(exchange, lack.lacking);
  const left = (lack.lacking - drawn) as Money;
  if (drawn > 0) {
    const { account } = lack.position;
    const shortfall = 0 as Money;
    exchange.events.push({
      kind: 'lossCovered',
      account,
      market: market.id,
      fund: drawn,
      shortfall,
    });
  }
  if (left === 0) return;
  const deficit = { amount: left, bankrupt: nobody };
  const short = shareDeficit(exchange, market, lack.profits, deficit);
  bookShortfall(exchange, lack.position, short);
}
