// The first tables, with the indexes that the queries use. Every index adds cost to each written
// row, so there are few. A table whose rows never change is read by its key alone: an account's
// rows by time and number, a market's trades by number, with which times and aggregates grow.

import type { HistoryDatabase } from '../historyTables.ts';
import { createTable, type DatabaseKind, type TableForm } from './createTable.ts';

const forms: readonly TableForm[] = [
  { name: 'accounts', integers: 'id createdAt', texts: 'address', key: 'id', indexes: ['address'] },
  { name: 'markets', integers: 'id', texts: 'symbol tickSize lotSize status', key: 'id' },
  {
    name: 'orders',
    integers:
      'id account market side trigger createdAt markAtCreation ticks lots leverage updatedAt ' +
      'open filled filledNotional',
    booleans: 'reduceOnly priceProtect',
    texts: 'type timeInForce selfTradeMode workingType origin clientOrderId status cancelReason',
    key: 'id',
    indexes: ['account createdAt id'],
    named: 'account clientOrderId',
    rewritten: true,
  },
  {
    name: 'triggers',
    integers:
      'id account market side lots ticks goodTillDate createdAt markAtCreation callbackRate ' +
      'activationTicks stopTicks extreme triggeredAt order updatedAt',
    booleans: 'reduceOnly closePosition priceProtect',
    texts: 'route type timeInForce selfTradeMode workingType clientOrderId status failure',
    key: 'id',
    indexes: ['account createdAt id'],
    named: 'account clientOrderId',
    rewritten: true,
  },
  {
    name: 'fills',
    integers:
      'account market tradeId side order orderCreatedAt markAtCreation ticks lots notional pnl ' +
      'fee position event ledgerId balance time',
    booleans: 'maker',
    texts: 'kind orderType',
    key: 'account time ledgerId market tradeId maker',
  },
  {
    name: 'trades',
    integers: 'market tradeId ticks lots takerSide aggregateId time',
    booleans: 'liquidation',
    key: 'market tradeId',
  },
  {
    name: 'ledger',
    integers: 'id account market amount balance event time',
    texts: 'kind reference',
    key: 'account time id',
  },
  {
    name: 'amendments',
    integers: 'id account market order orderCreatedAt ticksBefore lotsBefore ticks lots time',
    texts: 'clientOrderId',
    key: 'order time id',
  },
  {
    name: 'fundingPayments',
    integers: 'id account market boundary rate lots amount time',
    key: 'account time id',
  },
  {
    name: 'fundingRates',
    integers: 'id market boundary rate mark',
    key: 'id',
    indexes: ['market boundary id', 'boundary id'],
  },
  {
    name: 'forceOrders',
    integers: 'id account market side ticks lots filled notional time',
    texts: 'autoCloseType',
    key: 'account time id',
  },
  {
    name: 'deleveragings',
    integers: 'id market time side ticks mark lots unrealized notional entry equity',
    texts: 'cause',
    key: 'id',
    indexes: ['market time id', 'time id'],
  },
  {
    name: 'withdrawals',
    integers: 'id account amount createdAt resolvedAt',
    texts: 'status',
    key: 'account createdAt id',
    rewritten: true,
  },
  {
    name: 'deposits',
    integers: 'id account amount time',
    texts: 'reference',
    key: 'account time id',
  },
  {
    name: 'candles',
    integers: 'market openTime open high low close count firstId lastId',
    texts: 'kind interval volume quoteVolume',
    key: 'market kind interval openTime',
  },
];

/** From nothing to the first version. */
export async function createFirstTables(
  database: HistoryDatabase,
  kind: DatabaseKind,
): Promise<void> {
  for (const form of forms) await createTable(database, kind, form);
}
