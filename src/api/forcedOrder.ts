// A position that the exchange closed, as an order. Takeovers and deleveragings have no order in
// the book, but they have a number, fills and a record (conventions, 10.3).

import type { ForceOrder } from '../market-data/forceOrders.ts';
import type { ShownOrder } from './historyPort.ts';

/**
 * The order that closed the position, or a record in its place when there was none (the fund,
 * deleveraging).
 */
export function forcedOrder(row: ForceOrder): ShownOrder {
  const whole = row.filled === row.lots;
  return {
    id: row.id,
    account: row.account,
    market: row.market,
    side: row.side,
    type: 'LIMIT',
    timeInForce: 'IOC',
    reduceOnly: true,
    selfTradeMode: 'NONE',
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    trigger: null,
    clientOrderId: row.autoCloseType === 'ADL' ? 'adl_autoclose' : `autoclose-${row.id}`,
    createdAt: row.time,
    updatedAt: row.time,
    ticks: row.ticks,
    lots: row.lots,
    filled: row.filled,
    filledNotional: row.notional,
    status: whole ? 'FILLED' : 'CANCELED',
    cancelReason: whole ? 'NONE' : 'LIQUIDATION',
  };
}
