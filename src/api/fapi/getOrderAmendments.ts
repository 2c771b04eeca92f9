// GET /fapi/v1/orderAmendment (conventions, 15): how the owner modified an order (ORD-5), newest
// first.

import { type Static, Type } from 'typebox';
import { clientOrderIdOf } from '../../engine/clientOrderId.ts';
import type { Market } from '../../engine/views/market.ts';
import type { CountedAmendment } from '../../history/rows.ts';
import { formatUuid } from '../../units/uuid.ts';
import {
  clientIdText,
  countNumber,
  decimalText,
  exactObject,
  idText,
  symbolText,
  timeNumber,
} from '../answerSchema.ts';
import { findAnyOrder } from '../findAnyOrder.ts';
import { priceText, quantityText } from '../grid.ts';
import { hasFailed } from '../historyPort.ts';
import { answerJson, callerOf, defineProcedure } from '../operation.ts';
import { symbolParameter } from '../parameterSchema.ts';
import { orderChoiceParameters, referenceOf, requiresOrderChoice } from './orderChoice.ts';
import { limitParameter, timeParameters, windowOf } from './windowOf.ts';

const bounds = { normal: 50, most: 100 };
const change = exactObject({ before: decimalText(), after: decimalText() });

const amendmentSchema = exactObject({
  amendmentId: countNumber(),
  symbol: symbolText(),
  pair: symbolText(),
  orderId: idText(),
  clientOrderId: clientIdText(),
  time: timeNumber(),
  amendment: exactObject({
    price: change,
    origQty: change,
    count: countNumber(
      'The number of the amendment of this order, from 1; 10000 and later: 10000.',
    ),
  }),
});

export const getOrderAmendments = defineProcedure({
  name: 'getOrderAmendments',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/orderAmendment',
  auth: 'key',
  weight: 1,
  summary: 'The modifications of an order, newest first; by default the latest ones.',
  parameters: Type.Object({
    symbol: symbolParameter(),
    ...orderChoiceParameters,
    ...timeParameters,
    limit: limitParameter(bounds.normal, bounds.most),
  }),
  failures: ['parameterMissing', 'orderUnknown', 'databaseFailed'],
  response: Type.Array(amendmentSchema),
  requires: requiresOrderChoice,
  procedure: async (context, sent) => {
    const { deployment } = context;
    const { symbol: market } = sent;
    const query = { account: callerOf(context), reference: referenceOf(sent), market };
    const order = await findAnyOrder(deployment, query);
    if (order === undefined) return { reason: 'orderUnknown' };
    if (hasFailed(order)) return order;
    const { startTime, endTime, limit } = windowOf(sent, bounds);
    const asked = { startTime, endTime, limit, order: order.id };
    const rows = await deployment.history.amendments(asked);
    return hasFailed(rows) ? rows : answerJson(rows.map((row) => amendmentRecord(row, market)));
  },
});

function amendmentRecord(row: CountedAmendment, market: Market): Static<typeof amendmentSchema> {
  const { order, clientOrderId } = row;
  return {
    amendmentId: row.id,
    symbol: market.symbol,
    pair: market.symbol,
    orderId: formatUuid(row.orderCreatedAt, order),
    clientOrderId: clientOrderIdOf({ id: order, clientOrderId }),
    time: row.time,
    amendment: {
      price: { before: priceText(row.ticksBefore, market), after: priceText(row.ticks, market) },
      origQty: {
        before: quantityText(row.lotsBefore, market),
        after: quantityText(row.lots, market),
      },
      count: row.count,
    },
  };
}
