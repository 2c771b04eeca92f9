// Take-profits and stop-losses in native requests (ATT-1, ATT-9): the parameters of one leg, and
// how they become the terms of a command.

import { type Static, Type } from 'typebox';
import type { AttachedTerms, LegTerms } from '../../engine/command.ts';
import type { Market } from '../../engine/views/market.ts';
import type { Ticks } from '../../units/units.ts';
import { isRefused, readTicks } from '../grid.ts';
import { decimalParameter, optional, recordParameter } from '../parameterSchema.ts';
import { isRefusal } from '../readParameters.ts';
import type { Refusal } from '../refusal.ts';

export const legParameters = Type.Object({
  trigger_price: decimalParameter({ description: 'The mark at which the leg fires.' }),
  price: optional(
    decimalParameter({
      description: 'Of a LIMIT; without it the leg is a MARKET.',
      refuses: 'blank',
    }),
  ),
});

/** The legs of an order or a trigger that opens. */
export const attachedParameters = {
  take_profit: optional(
    recordParameter(legParameters, { description: 'Closes what the order opens, at a profit.' }),
  ),
  stop_loss: optional(
    recordParameter(legParameters, { description: 'Closes what the order opens, at a loss.' }),
  ),
};

type Leg = Static<typeof legParameters>;

/** What was sent of both legs. */
export type SentLegs = {
  readonly take_profit?: Leg | undefined;
  readonly stop_loss?: Leg | undefined;
};

/** undefined without a leg. */
export function readAttached(
  { take_profit, stop_loss }: SentLegs,
  market: Market,
): AttachedTerms | Refusal | undefined {
  const takeProfit = take_profit && readLeg(take_profit, market, 'take_profit');
  if (takeProfit !== undefined && isRefusal(takeProfit)) return takeProfit;
  const stopLoss = stop_loss && readLeg(stop_loss, market, 'stop_loss');
  if (stopLoss !== undefined && isRefusal(stopLoss)) return stopLoss;
  return takeProfit === undefined && stopLoss === undefined ? undefined : { takeProfit, stopLoss };
}

export function readLeg(leg: Leg, market: Market, name: string): LegTerms | Refusal {
  const stopTicks = readTicks(leg.trigger_price, market, `${name}.trigger_price`);
  if (isRefused(stopTicks)) return stopTicks;
  const { price } = leg;
  const ticks = price === undefined ? (0 as Ticks) : readTicks(price, market, `${name}.price`);
  return isRefused(ticks) ? ticks : { stopTicks, ticks };
}

/** What only reduces opens nothing that legs could protect (ATT-1). */
export function refuseLegs({ take_profit, stop_loss }: SentLegs): Refusal | undefined {
  if (take_profit !== undefined) return { reason: 'parameterNotAllowed', name: 'take_profit' };
  return stop_loss && { reason: 'parameterNotAllowed', name: 'stop_loss' };
}
