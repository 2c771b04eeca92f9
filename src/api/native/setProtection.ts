// POST /api/v1/positions/{symbol}/protection (ATT-9): the take-profit and the stop-loss of a
// position.

import { Type } from 'typebox';
import type { LegTerms } from '../../engine/command.ts';
import { orderById } from '../../engine/views/exchange.ts';
import type { Market } from '../../engine/views/market.ts';
import type { Trigger } from '../../engine/views/trigger.ts';
import { exactObject, symbolText } from '../answerSchema.ts';
import type { Deployment } from '../deployment.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { algoRecordText } from '../fapi/algoRecord.ts';
import type { Fields } from '../fields.ts';
import { gridFailures } from '../grid.ts';
import { callerOf, defineCommand } from '../operation.ts';
import { nullableRecordParameter, optional, symbolParameter } from '../parameterSchema.ts';
import { isRefusal } from '../readParameters.ts';
import type { Refusal } from '../refusal.ts';
import { legParameters, readLeg } from './legParameters.ts';
import { nativeText } from './nativeRecord.ts';
import * as routes from './nativeRoutes.ts';
import { nativeTriggerSchema } from './nativeTrigger.ts';

const description = 'Replaces the leg; null removes it, and without this name it stays.';
const legSchema = Type.Union([nativeTriggerSchema, Type.Null()]);

export const setProtection = defineCommand({
  ...routes.setProtection,
  name: 'setProtection',
  surface: 'native',
  weight: 1,
  countsAsOrder: true,
  summary: 'Sets, replaces or removes the take-profit and the stop-loss of a position.',
  parameters: Type.Object({
    symbol: symbolParameter(),
    take_profit: optional(nullableRecordParameter(legParameters, { description })),
    stop_loss: optional(nullableRecordParameter(legParameters, { description })),
  }),
  failures: [
    ...commandRejections.setProtection,
    ...gridFailures,
    'parameterMissing',
    'parameterMalformed',
  ],
  response: exactObject({ symbol: symbolText(), take_profit: legSchema, stop_loss: legSchema }),
  requires: requiresOneLeg,
  command: (context, { symbol: market, take_profit, stop_loss }) => {
    const { deployment } = context;
    const takeProfit = readOrNull(take_profit, market, 'take_profit');
    if (isRefused(takeProfit)) return takeProfit;
    const stopLoss = readOrNull(stop_loss, market, 'stop_loss');
    if (isRefused(stopLoss)) return stopLoss;
    const account = callerOf(context).id;
    // Removing passes when orders are refused, like a cancel.
    const adds = Boolean(takeProfit) || Boolean(stopLoss);
    return {
      command: { kind: 'setProtection', account, market: market.id, takeProfit, stopLoss },
      lane: adds ? 'order' : 'reserve',
      answer: (outcome) => {
        if (outcome.kind === 'rejected') return outcome.rejection;
        const { legs = [] } = outcome;
        const profit = legText(deployment, legs.find(isProfit));
        const loss = legText(
          deployment,
          legs.find((leg) => !isProfit(leg)),
        );
        const text = `{"symbol":"${market.symbol}","take_profit":${profit},"stop_loss":${loss}}`;
        return { status: 200, text };
      },
    };
  },
});

/** One leg at least is named, and be it by null. */
function requiresOneLeg(_read: unknown, fields: Fields): Refusal | undefined {
  if (fields.has('take_profit') || fields.has('stop_loss')) return undefined;
  return { reason: 'parameterMissing', name: 'take_profit' };
}

type Sent = Parameters<typeof readLeg>[0] | null | undefined;

const readOrNull = (
  leg: Sent,
  market: Market,
  name: string,
): LegTerms | Refusal | null | undefined => leg && readLeg(leg, market, name);

const isRefused = (leg: LegTerms | Refusal | null | undefined): leg is Refusal =>
  Boolean(leg) && isRefusal(leg as LegTerms | Refusal);

const isProfit = ({ type }: Trigger): boolean =>
  type === 'TAKE_PROFIT' || type === 'TAKE_PROFIT_MARKET';

/** With the order that it has placed, which is open. */
function legText(deployment: Deployment, leg: Trigger | undefined): string {
  if (leg === undefined) return 'null';
  const order = orderById(deployment.exchange, leg.order) ?? null;
  return algoRecordText(deployment, leg, order, nativeText);
}
