// GET /fapi/v1/userTrades (conventions, 10.2; ORD-12): the account's fills on a symbol, with the
// fills of liquidations, takeovers and deleveragings.

import { type Static, Type } from 'typebox';
import { buy } from '../../engine/orderTypes.ts';
import type { Market } from '../../engine/views/market.ts';
import type { FillRow } from '../../history/rows.ts';
import { formatUuid } from '../../units/uuid.ts';
import {
  assetText,
  countNumber,
  decimalText,
  exactObject,
  idText,
  symbolText,
  timeNumber,
} from '../answerSchema.ts';
import type { Context } from '../deployment.ts';
import { enumerations } from '../enumerations.ts';
import { type Fields, isSent } from '../fields.ts';
import { findAnyOrder } from '../findAnyOrder.ts';
import { moneyText, priceText, quantityText } from '../grid.ts';
import { type HistoryPort, hasFailed } from '../historyPort.ts';
import { answerJson, callerOf, defineProcedure } from '../operation.ts';
import { optional, orderIdParameter, symbolParameter } from '../parameterSchema.ts';
import type { Refusal } from '../refusal.ts';
import { collateralAsset } from './collateralAsset.ts';
import { fromIdParameter } from './tradeRows.ts';
import { limitParameter, timeParameters, windowOf } from './windowOf.ts';

const bounds = { normal: 500, most: 1000 };

export const userTradeSchema = exactObject({
  id: countNumber(),
  orderId: idText(),
  symbol: symbolText(),
  side: enumerations.side,
  positionSide: Type.Literal('BOTH'),
  price: decimalText(),
  qty: decimalText(),
  quoteQty: decimalText(),
  realizedPnl: decimalText('Before the fee.'),
  commission: decimalText('Negative for a rebate.'),
  commissionAsset: assetText(),
  marginAsset: assetText(),
  buyer: Type.Boolean(),
  maker: Type.Boolean(),
  time: timeNumber(),
});

export const getUserTrades = defineProcedure({
  name: 'getUserTrades',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/userTrades',
  auth: 'key',
  weight: 5,
  summary: "The account's fills on a symbol, ascending; the latest unless asked.",
  parameters: Type.Object({
    symbol: symbolParameter(),
    orderId: optional(orderIdParameter({ description: 'Fills of this order.' })),
    fromId: fromIdParameter,
    ...timeParameters,
    limit: limitParameter(bounds.normal, bounds.most),
  }),
  failures: ['parameterNotAllowed', 'orderUnknown', 'databaseFailed'],
  response: Type.Array(userTradeSchema),
  procedure: async (context, { orderId: order, fromId, ...sent }) => {
    const refusal = conflictOfFromId(context.fields);
    if (refusal !== undefined) return refusal;
    const rows = await fillsOf(context, { ...windowOf(sent, bounds), order, fromId }, sent.symbol);
    if ('reason' in rows) return rows;
    return answerJson(rows.map((row) => userTrade(row, sent.symbol)));
  },
});

type FillsAsked = Omit<Parameters<HistoryPort['fills']>[0], 'account'>;

/** The caller's fills. When the order belongs to another account: orderUnknown. */
export async function fillsOf(
  context: Context,
  asked: FillsAsked,
  market: Market,
): Promise<readonly FillRow[] | Refusal> {
  const { deployment } = context;
  const account = callerOf(context);
  const rows = await deployment.history.fills({ ...asked, account: account.id });
  if (hasFailed(rows) || rows.length > 0 || asked.order === undefined) return rows;
  const known = await findAnyOrder(deployment, { account, reference: asked.order, market });
  if (known === undefined) return { reason: 'orderUnknown' };
  return hasFailed(known) ? known : rows;
}

/** A number and a time cannot both give the first row: -1106 (conventions, 10.2). */
function conflictOfFromId(fields: Fields): Refusal | undefined {
  const timed = isSent(fields, 'starttime') || isSent(fields, 'endtime');
  return timed && isSent(fields, 'fromid')
    ? { reason: 'parameterNotAllowed', name: 'fromId' }
    : undefined;
}

export function userTrade(row: FillRow, market: Market): Static<typeof userTradeSchema> {
  const bought = row.side === buy;
  return {
    id: row.tradeId,
    orderId: formatUuid(row.orderCreatedAt, row.order),
    symbol: market.symbol,
    side: bought ? 'BUY' : 'SELL',
    positionSide: 'BOTH',
    price: priceText(row.ticks, market),
    qty: quantityText(row.lots, market),
    quoteQty: moneyText(row.notional),
    realizedPnl: moneyText(row.pnl),
    commission: moneyText(row.fee),
    commissionAsset: collateralAsset,
    marginAsset: collateralAsset,
    buyer: bought,
    maker: row.maker,
    time: row.time,
  };
}
