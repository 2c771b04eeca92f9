// POST /api/v1/orders (NAT-1): LIMIT and MARKET, with the slippage bound that FAPI does not have
// (ORD-3).

import { type Static, Type } from 'typebox';
import type { PlaceOrder } from '../../engine/command.ts';
import { buy, orderTypes, sell, timesInForce } from '../../engine/orderTypes.ts';
import type { Outcome } from '../../engine/outcome.ts';
import { parseScaled } from '../../units/decimal.ts';
import { noMoney, type Rate, rateDecimals, rateOne, type Ticks } from '../../units/units.ts';
import type { Context } from '../deployment.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { type Fields, isSent } from '../fields.ts';
import { gridFailures, isRefused, readLots, readTicks } from '../grid.ts';
import { type Answered, callerOf, defineCommand } from '../operation.ts';
import { answerAccepted } from '../orderAnswer.ts';
import {
  choiceParameter,
  clientOrderIdParameter,
  decimalParameter,
  flagParameter,
  optional,
  symbolParameter,
} from '../parameterSchema.ts';
import type { Refusal } from '../refusal.ts';
import { nativeOrderAnswer, nativeOrderSchema } from './nativeOrder.ts';
import * as routes from './nativeRoutes.ts';

const parameters = Type.Object({
  symbol: symbolParameter(),
  side: choiceParameter(['BUY', 'SELL']),
  type: choiceParameter(orderTypes),
  quantity: decimalParameter({ description: 'In base units; floored to the lot.' }),
  price: optional(decimalParameter({ description: 'Of LIMIT; ignored on MARKET.' })),
  time_in_force: optional(choiceParameter(timesInForce)),
  reduce_only: optional(flagParameter()),
  client_order_id: optional(clientOrderIdParameter()),
  max_slippage: optional(
    decimalParameter({ description: 'Of MARKET: |average price − mark| / mark at most, 0 to 1.' }),
  ),
});

type Parameters = Static<typeof parameters>;

export const placeNativeOrder = defineCommand({
  ...routes.placeNativeOrder,
  name: 'placeNativeOrder',
  surface: 'native',
  weight: 1,
  countsAsOrder: true,
  idempotent: true,
  summary: 'Places an order; the answer states what became of it at once.',
  parameters,
  failures: [
    ...commandRejections.placeOrder,
    ...gridFailures,
    'parameterNotAllowed',
    'priceMissing',
    'orderEnded',
    'databaseFailed',
  ],
  response: nativeOrderSchema,
  requires: requiresOfType,
  command: (context, read) => {
    const command = commandOf(context, read);
    if ('reason' in command) return command;
    return { command, lane: 'order', answer: (outcome) => placed(context, outcome) };
  },
});

function requiresOfType(
  { type, time_in_force: timeInForce }: Partial<Parameters>,
  fields: Fields,
): Refusal | undefined {
  if (type === 'LIMIT') {
    if (!isSent(fields, 'price')) return { reason: 'priceMissing' };
    if (isSent(fields, 'max_slippage')) return notAllowed('max_slippage');
    return undefined;
  }
  return timeInForce === 'GTX' ? notAllowed('time_in_force') : undefined;
}

const notAllowed = (name: string): Refusal => ({ reason: 'parameterNotAllowed', name });

function commandOf(context: Context, read: Parameters): PlaceOrder | Refusal {
  const { symbol: market, type, quantity, price, max_slippage } = read;
  const limited = type === 'LIMIT';
  const ticks = limited && price !== undefined ? readTicks(price, market) : (0 as Ticks);
  if (isRefused(ticks)) return ticks;
  const lots = readLots(quantity, market);
  if (isRefused(lots)) return lots;
  const maxSlippage = max_slippage === undefined ? undefined : readSlippage(max_slippage);
  if (typeof maxSlippage === 'object') return maxSlippage;
  const { idempotencyKey, idempotencyRequest } = context;
  return {
    kind: 'placeOrder',
    account: callerOf(context).id,
    market: market.id,
    side: read.side === 'BUY' ? buy : sell,
    type,
    timeInForce: limited ? (read.time_in_force ?? 'GTC') : 'GTC',
    lots,
    quote: noMoney,
    ticks,
    reduceOnly: read.reduce_only ?? false,
    selfTradeMode: undefined,
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    clientOrderId: read.client_order_id ?? '',
    maxSlippage,
    idempotencyKey,
    idempotencyRequest,
  };
}

/** A fraction in 0…1, floored to 1e-8, so that it is never looser than the client asked for. */
function readSlippage(text: string): Rate | Refusal {
  const name = 'max_slippage';
  const scaled = parseScaled(text, rateDecimals);
  if (scaled.kind === 'malformed') return { reason: 'parameterIllegal', name };
  const bounded = scaled.kind !== 'outOfRange' && scaled.value <= rateOne;
  if (!bounded || text.startsWith('-')) return { reason: 'quantityInvalid', name };
  return scaled.value as Rate;
}

function placed(context: Context, outcome: Outcome): Answered {
  if (outcome.kind === 'rejected') return outcome.rejection;
  const { deployment } = context;
  return answerAccepted(deployment, callerOf(context), outcome, (order) =>
    nativeOrderAnswer(deployment, order),
  );
}
