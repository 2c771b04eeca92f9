// The parameters of a trigger of the algo route (conventions, 9.2), what its type requires, and the
// command that they make. The native surface has the same under its own names.

import { type Static, Type } from 'typebox';
import type { PlaceTrigger } from '../../engine/command.ts';
import { selfTradeModes, type TimeInForce, workingTypes } from '../../engine/orderTypes.ts';
import { triggerTypes } from '../../engine/triggerTypes.ts';
import type { Account } from '../../engine/views/account.ts';
import { type Fields, isSent } from '../fields.ts';
import {
  choiceParameter,
  clientOrderIdParameter,
  decimalParameter,
  flagParameter,
  integerParameter,
  optional,
  symbolParameter,
} from '../parameterSchema.ts';
import type { Refusal } from '../refusal.ts';
import {
  conflictOfTrigger,
  requiresOfTrigger,
  triggerCommand,
  typeSynonyms,
} from './triggerTerms.ts';

/** Every time in force of the interface. GTD is for algo orders only (spec). */
export const algoTimesInForce = ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'] as const;

export const algoParameters = Type.Object({
  algoType: choiceParameter(['CONDITIONAL']),
  symbol: symbolParameter(),
  side: choiceParameter(['BUY', 'SELL']),
  type: choiceParameter(triggerTypes, { synonyms: typeSynonyms }),
  positionSide: optional(choiceParameter(['BOTH', 'LONG', 'SHORT'])),
  timeInForce: optional(choiceParameter(algoTimesInForce, { refuse: 'parameterMalformed' })),
  goodTillDate: optional(
    integerParameter({ min: 0, description: 'Of GTD: at least 600 s ahead, in whole seconds.' }),
  ),
  quantity: optional(decimalParameter()),
  price: optional(decimalParameter({ description: 'Of STOP and TAKE_PROFIT; else ignored.' })),
  triggerPrice: optional(
    decimalParameter({ aliases: ['stopPrice'], description: 'Of all but trailing stops.' }),
  ),
  callbackRate: optional(
    decimalParameter({ description: 'Of trailing stops, in percent: 0.1 to 10.' }),
  ),
  activatePrice: optional(
    decimalParameter({
      aliases: ['activationPrice'],
      description: 'Of trailing stops; the mark when absent.',
    }),
  ),
  reduceOnly: optional(flagParameter()),
  closePosition: optional(
    flagParameter({ description: 'STOP_MARKET and TAKE_PROFIT_MARKET only.' }),
  ),
  clientAlgoId: optional(clientOrderIdParameter({ aliases: ['newClientOrderId'] })),
  newOrderRespType: optional(choiceParameter(['ACK', 'RESULT'])),
  workingType: optional(choiceParameter(workingTypes)),
  priceProtect: optional(flagParameter()),
  priceMatch: optional(choiceParameter(['NONE'])),
  selfTradePreventionMode: optional(choiceParameter(selfTradeModes)),
});

export type AlgoParameters = Static<typeof algoParameters>;

/** Which parameters the type and the time in force require (-1102). */
export function requiresOfAlgo(
  { type, closePosition, timeInForce }: Partial<AlgoParameters>,
  fields: Fields,
): Refusal | undefined {
  if (timeInForce === 'GTD' && !isSent(fields, 'goodtilldate')) {
    return { reason: 'parameterMissing', name: 'goodTillDate' };
  }
  return type === undefined
    ? undefined
    : requiresOfTrigger({ type, closePosition }, fields, 'triggerPrice');
}

export type AlgoRequest = {
  readonly account: Account;
  readonly parameters: Omit<AlgoParameters, 'algoType'>;
  readonly idempotencyKey: string;
  readonly idempotencyRequest: string;
};

/** It checks decimals (-1100) first, then combinations (-1106). */
export function algoCommand(request: AlgoRequest): PlaceTrigger | Refusal {
  const { parameters, ...sent } = request;
  const { clientAlgoId, triggerPrice, timeInForce = 'GTC', goodTillDate, ...rest } = parameters;
  // GTD limits how long the trigger waits. Its order is GTC with the same date (TRG-5).
  const own: TimeInForce = timeInForce === 'GTD' ? 'GTC' : timeInForce;
  const date = timeInForce === 'GTD' ? wholeSeconds(goodTillDate ?? 0) : undefined;
  return triggerCommand({
    ...sent,
    route: 'algo',
    conflict: conflictOfTrigger(parameters),
    terms: {
      ...rest,
      timeInForce: own,
      triggerPrice: { name: 'triggerPrice', text: triggerPrice },
      callbackRate: parameters.callbackRate,
      activatePrice: parameters.activatePrice,
      goodTillDate: date,
      clientOrderId: clientAlgoId,
    },
  });
}

/**
 * A good-till-date counts in whole seconds; the fraction of a second is dropped (9.2). A date
 * before the first second stays a date: 0 would be none, and the trigger would wait for ever.
 */
function wholeSeconds(time: number): number {
  return Math.max(time - (time % 1000), 1);
}
