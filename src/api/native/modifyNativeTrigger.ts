// PUT /api/v1/triggers/{id} (TRG-9): other prices or another quantity of a waiting trigger of
// either route. What is not sent stays.

import { type Static, Type } from 'typebox';
import type { ModifyTrigger } from '../../engine/command.ts';
import type { Outcome } from '../../engine/outcome.ts';
import type { Market } from '../../engine/views/market.ts';
import { findTrigger, type Trigger, takesPlace } from '../../engine/views/trigger.ts';
import { must } from '../../std/assert.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { readCallback } from '../fapi/triggerTerms.ts';
import { type Fields, isSent } from '../fields.ts';
import { gridFailures, isRefused, readLots, readTicks } from '../grid.ts';
import { type Answered, callerOf, defineCommand } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { decimalParameter, optional } from '../parameterSchema.ts';
import type { Refusal } from '../refusal.ts';
import { nativeOrderFailures, nativeOrderIdParameter, readNativeOrderId } from './nativeOrderId.ts';
import * as routes from './nativeRoutes.ts';
import { nativeTriggerAnswer, nativeTriggerSchema } from './nativeTrigger.ts';
import { refusalOfNativeTrigger } from './refusalOfNativeTrigger.ts';

const parameters = Type.Object({
  id: nativeOrderIdParameter(),
  trigger_price: optional(
    decimalParameter({ aliases: ['stop_price'], description: 'Of all but trailing stops.' }),
  ),
  price: optional(decimalParameter({ description: 'Of STOP and TAKE_PROFIT.' })),
  quantity: optional(
    decimalParameter({ description: 'Of all without close_position and parent.' }),
  ),
  callback_rate: optional(decimalParameter({ description: 'Of trailing stops, in percent.' })),
});

type Parameters = Static<typeof parameters>;

export const modifyNativeTrigger = defineCommand({
  ...routes.modifyNativeTrigger,
  name: 'modifyNativeTrigger',
  surface: 'native',
  weight: 1,
  countsAsOrder: true,
  summary: 'Changes prices or quantity of a waiting trigger; its priority is lost.',
  parameters,
  failures: [
    ...commandRejections.modifyTrigger,
    ...gridFailures,
    ...nativeOrderFailures,
    'parameterMissing',
    'parameterMalformed',
    'parameterNotAllowed',
  ],
  response: nativeTriggerSchema,
  requires: requiresAnyTerm,
  command: (context, read) => {
    const { deployment } = context;
    const reference = readNativeOrderId(read.id);
    if ('reason' in reference) return reference;
    const account = callerOf(context);
    const missing = () => refusalOfNativeTrigger(deployment, account, reference);
    const trigger = findTrigger(deployment.exchange, account, reference);
    // Market and type are those of the trigger: without one there is no command.
    if (trigger === undefined || !takesPlace(trigger)) return Promise.resolve(missing());
    const { id, createdAt, market, account: owner } = trigger;
    const terms = notAllowed(trigger, read) ?? termsOf(marketOf(deployment, trigger), read);
    if ('reason' in terms) return terms;
    // By its own id: the client's may belong to another trigger when the command is applied.
    const order = { id, createdAt };
    return {
      command: { kind: 'modifyTrigger', account: owner, market, order, ...terms },
      lane: 'order',
      answer: (outcome: Outcome): Answered => {
        if (outcome.kind !== 'rejected') {
          const changed = must(outcome.trigger, 'a changed trigger is in the outcome');
          return nativeTriggerAnswer(deployment, changed);
        }
        const { rejection } = outcome;
        return rejection.reason === 'orderNotFound' ? Promise.resolve(missing()) : rejection;
      },
    };
  },
});

function requiresAnyTerm(_read: unknown, fields: Fields): Refusal | undefined {
  const names = ['trigger_price', 'stop_price', 'price', 'quantity', 'callback_rate'];
  if (names.some((name) => isSent(fields, name))) return undefined;
  return { reason: 'parameterMissing', name: 'trigger_price' };
}

/** A term that the type does not have. */
function notAllowed(
  { type, closePosition, pair }: Trigger,
  { trigger_price, price, quantity, callback_rate }: Parameters,
): Refusal | undefined {
  const refuse = (name: string): Refusal => ({ reason: 'parameterNotAllowed', name });
  const trails = type === 'TRAILING_STOP_MARKET';
  const limited = type === 'STOP' || type === 'TAKE_PROFIT';
  if (trigger_price !== undefined && trails) return refuse('trigger_price');
  if (price !== undefined && !limited) return refuse('price');
  // The lots of a leg follow its pair (ATT-2).
  if (quantity !== undefined && (closePosition || pair)) return refuse('quantity');
  return callback_rate !== undefined && !trails ? refuse('callback_rate') : undefined;
}

type Terms = Pick<ModifyTrigger, 'lots' | 'ticks' | 'stopTicks' | 'callbackRate'>;

function termsOf(
  market: Market,
  { trigger_price, price, quantity, callback_rate }: Parameters,
): Terms | Refusal {
  const stopTicks = read(trigger_price, (text) => readTicks(text, market, 'trigger_price'));
  if (stopTicks !== undefined && isRefused(stopTicks)) return stopTicks;
  const ticks = read(price, (text) => readTicks(text, market));
  if (ticks !== undefined && isRefused(ticks)) return ticks;
  const lots = read(quantity, (text) => readLots(text, market));
  if (lots !== undefined && isRefused(lots)) return lots;
  const callbackRate = read(callback_rate, (text) => readCallback(text, 'callback_rate'));
  if (callbackRate !== undefined && isRefused(callbackRate)) return callbackRate;
  return { lots, ticks, stopTicks, callbackRate };
}

function read<T>(text: string | undefined, reading: (text: string) => T): T | undefined {
  return text === undefined ? undefined : reading(text);
}
