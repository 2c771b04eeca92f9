// What triggers of both routes share (conventions, 7.2 and 9.2): the parameters that each type
// requires, the combinations that are forbidden, and the command that the terms make.

import type { PlaceTrigger } from '../../engine/command.ts';
import {
  buy,
  type SelfTradeMode,
  sell,
  type TimeInForce,
  type WorkingType,
} from '../../engine/orderTypes.ts';
import type { TriggerRoute, TriggerType } from '../../engine/triggerTypes.ts';
import type { Account } from '../../engine/views/account.ts';
import type { Market } from '../../engine/views/market.ts';
import { parseScaled } from '../../units/decimal.ts';
import { noLots, type Rate, rateDecimals, type Ticks, type Time } from '../../units/units.ts';
import { type Fields, isSent } from '../fields.ts';
import { isRefused, readLots, readTicks } from '../grid.ts';
import type { Refusal } from '../refusal.ts';

/** The triggers that the order route accepts too. */
export const orderRouteTriggers = [
  'STOP',
  'STOP_MARKET',
  'TAKE_PROFIT',
  'TAKE_PROFIT_MARKET',
] as const satisfies readonly TriggerType[];

/** Synonyms of types (spec). */
export const typeSynonyms = { STOP_LIMIT: 'STOP', TAKE_PROFIT_LIMIT: 'TAKE_PROFIT' } as const;

type Typed = { readonly type: TriggerType; readonly closePosition?: boolean | undefined };

const limited = (type: TriggerType): boolean => type === 'STOP' || type === 'TAKE_PROFIT';
const closes = (type: TriggerType): boolean =>
  type === 'STOP_MARKET' || type === 'TAKE_PROFIT_MARKET';

/**
 * Which parameters the type requires (-1102). `priceName`: the name of the stop price on this
 * route.
 */
export function requiresOfTrigger(
  { type, closePosition }: Typed,
  fields: Fields,
  priceName: 'stopPrice' | 'triggerPrice',
): Refusal | undefined {
  // A closePosition that the type does not allow is refused later, with -1106.
  if (!isSent(fields, 'quantity') && closePosition !== true) {
    return { reason: 'parameterMissing', name: 'quantity' };
  }
  if (limited(type) && !isSent(fields, 'price')) return { reason: 'priceMissing' };
  if (type === 'TRAILING_STOP_MARKET') {
    const sent = isSent(fields, 'callbackrate');
    return sent ? undefined : { reason: 'parameterMissing', name: 'callbackRate' };
  }
  if (isSent(fields, 'stopprice') || isSent(fields, 'triggerprice')) return undefined;
  return { reason: 'parameterMissing', name: priceName };
}

/** TRG-3: closePosition closes the whole position, of any size (-1106). */
export function conflictOfTrigger(sent: {
  readonly type: string;
  readonly quantity?: string | undefined;
  readonly reduceOnly?: boolean | undefined;
  readonly closePosition?: boolean | undefined;
}): Refusal | undefined {
  if (sent.closePosition !== true) return undefined;
  const refuse = (name: string): Refusal => ({ reason: 'parameterNotAllowed', name });
  if (!closes(sent.type as TriggerType)) return refuse('closePosition');
  if (sent.quantity !== undefined) return refuse('quantity');
  return sent.reduceOnly === true ? refuse('reduceOnly') : undefined;
}

type Sent = {
  readonly side: 'BUY' | 'SELL';
  readonly reduceOnly?: boolean | undefined;
  readonly workingType?: WorkingType | undefined;
  readonly priceProtect?: boolean | undefined;
  readonly selfTradePreventionMode?: SelfTradeMode | undefined;
};

/** The terms that orders and triggers of every type share. */
export function sentTerms(
  sent: Sent,
): Pick<PlaceTrigger, 'side' | 'reduceOnly' | 'selfTradeMode' | 'workingType' | 'priceProtect'> {
  return {
    side: sent.side === 'BUY' ? buy : sell,
    reduceOnly: sent.reduceOnly ?? false,
    selfTradeMode: sent.selfTradePreventionMode,
    workingType: sent.workingType ?? 'CONTRACT_PRICE',
    priceProtect: sent.priceProtect ?? false,
  };
}

/** A trigger's terms as they were sent; decimals are not read yet. */
export type TriggerTerms = Sent & {
  readonly symbol: Market;
  readonly type: TriggerType;
  /** Of the trigger's order; it counts only for the LIMIT types. */
  readonly timeInForce: TimeInForce;
  readonly quantity?: string | undefined;
  readonly price?: string | undefined;
  /** The name of the stop price on this route, for a refusal. */
  readonly triggerPrice: { readonly name: string; readonly text: string | undefined };
  readonly callbackRate: string | undefined;
  readonly activatePrice: string | undefined;
  readonly goodTillDate: number | undefined;
  readonly closePosition?: boolean | undefined;
  readonly clientOrderId: string | undefined;
};

export type TriggerRequest = {
  readonly account: Pick<Account, 'id'>;
  readonly route: TriggerRoute;
  readonly terms: TriggerTerms;
  /** The forbidden combination. It is refused (-1106) after the decimals have been read. */
  readonly conflict: Refusal | undefined;
  readonly idempotencyKey: string;
  readonly idempotencyRequest: string;
};

/**
 * The command of a trigger. Parameters that its type does not use are ignored (conventions, 7.2,
 * 9.2).
 */
export function triggerCommand(request: TriggerRequest): PlaceTrigger | Refusal {
  const { account, route, terms, conflict, idempotencyKey, idempotencyRequest } = request;
  const { symbol: market, type, quantity, price, triggerPrice } = terms;
  const trailing = type === 'TRAILING_STOP_MARKET';
  const ticks = readWhen(limited(type), price, market, 'price');
  if (isRefused(ticks)) return ticks;
  const stopTicks = readWhen(!trailing, triggerPrice.text, market, triggerPrice.name);
  if (isRefused(stopTicks)) return stopTicks;
  const activationTicks = readWhen(trailing, terms.activatePrice, market, 'activatePrice');
  if (isRefused(activationTicks)) return activationTicks;
  const callbackRate = trailing ? readCallback(terms.callbackRate ?? '') : (0 as Rate);
  if (isRefused(callbackRate)) return callbackRate;
  const lots = quantity === undefined ? noLots : readLots(quantity, market);
  if (isRefused(lots)) return lots;
  if (conflict !== undefined) return conflict;
  return {
    kind: 'placeTrigger',
    account: account.id,
    market: market.id,
    route,
    type,
    timeInForce: limited(type) ? terms.timeInForce : 'GTC',
    lots,
    ticks,
    stopTicks,
    callbackRate,
    activationTicks,
    goodTillDate: (terms.goodTillDate ?? 0) as Time,
    closePosition: terms.closePosition ?? false,
    ...sentTerms(terms),
    clientOrderId: terms.clientOrderId ?? '',
    idempotencyKey,
    idempotencyRequest,
  };
}

/** A price that the type uses; 0 when the type does not use it, or when none was sent. */
function readWhen(
  used: boolean,
  text: string | undefined,
  market: Market,
  name: string,
): Ticks | Refusal {
  return used && text !== undefined ? readTicks(text, market, name) : (0 as Ticks);
}

/**
 * Percent as a rate. The engine knows its bounds (-1102). A rate finer than 1e-8 is malformed. It
 * is not rounded, because a rounded rate would fire the trigger at another price than the client
 * asked for.
 */
export function readCallback(text: string, name = 'callbackRate'): Rate | Refusal {
  const scaled = parseScaled(text, rateDecimals - 2);
  if (scaled.kind === 'exact') return scaled.value as Rate;
  return { reason: scaled.kind === 'inexact' ? 'parameterMalformed' : 'parameterIllegal', name };
}
