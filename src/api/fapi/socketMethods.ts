// The methods of the WebSocket trading API (WS-6; conventions, 14.3). Each is the row of the same
// operation over HTTP. Methods about the session itself have no row.

import type { Operation } from '../operation.ts';
import { cancelAlgoOrder } from './cancelAlgoOrder.ts';
import { cancelOrder } from './cancelOrder.ts';
import { getAccountV2 } from './getAccountV2.ts';
import { getAccountV3 } from './getAccountV3.ts';
import { getBalanceV2 } from './getBalanceV2.ts';
import { getSocketBookTicker } from './getBookTicker.ts';
import { getOrder } from './getOrder.ts';
import { getOrderBook } from './getOrderBook.ts';
import { getTime } from './getTime.ts';
import { listenKeyRows } from './listenKeyRows.ts';
import { modifyOrder } from './modifyOrder.ts';
import { ping } from './ping.ts';
import { placeAlgoOrder } from './placeAlgoOrder.ts';
import { placeOrder } from './placeOrder.ts';
import { positionRiskRows } from './positionRiskRows.ts';
import { priceTickerRows } from './priceTickerRows.ts';

export const socketMethods: Readonly<Record<string, Operation>> = {
  'order.place': placeOrder,
  'order.modify': modifyOrder,
  'order.cancel': cancelOrder,
  'order.status': getOrder,
  'algoOrder.place': placeAlgoOrder,
  'algoOrder.cancel': cancelAlgoOrder,
  'account.position': positionRiskRows.getPositionRiskV2,
  'v2/account.position': positionRiskRows.getPositionRiskV3,
  'account.balance': getBalanceV2,
  'v2/account.balance': getBalanceV2,
  'account.status': getAccountV2,
  'v2/account.status': getAccountV3,
  depth: getOrderBook,
  'ticker.price': priceTickerRows.getPriceTickerV2,
  'ticker.book': getSocketBookTicker,
  'userDataStream.start': listenKeyRows.startListenKey,
  'userDataStream.ping': listenKeyRows.keepListenKey,
  'userDataStream.stop': listenKeyRows.closeListenKey,
  ping,
  time: getTime,
};

/**
 * The methods that open, show and end a session (conventions, 14.3), and the one that says what its
 * end cancels (COD-7).
 */
export const sessionMethods = [
  'session.logon',
  'session.status',
  'session.logout',
  'session.cancelOnDisconnect',
] as const;

export type SessionMethod = (typeof sessionMethods)[number];
