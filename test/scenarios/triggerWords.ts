// The words of a scenario for triggers: placing, changing, cancelling and looking at them. The
// grammar is in docs/rules/README.md.

import { expect } from 'vitest';
import { applyCommand, testOrder } from '../../src/engine/apply.ts';
import { clientOrderIdOf } from '../../src/engine/clientOrderId.ts';
import type { Command, ModifyTrigger, PlaceTrigger } from '../../src/engine/command.ts';
import { openTriggersOf } from '../../src/engine/openTriggersOf.ts';
import type { SelfTradeMode, TimeInForce } from '../../src/engine/orderTypes.ts';
import { type TriggerType, triggerTypes } from '../../src/engine/triggerTypes.ts';
import { extremeOf, type Trigger } from '../../src/engine/views/trigger.ts';
import { formatTrimmed } from '../../src/units/decimal.ts';
import type { Lots, Rate, Ticks, Time } from '../../src/units/units.ts';
import { attachedFrom, legOf, nameOfTrigger, triggerReference } from './legWords.ts';
import {
  accountOf,
  flag,
  lotsText,
  marketOf,
  option,
  scaled,
  ticksText,
  type World,
} from './world.ts';

/** Runs a step of an account about triggers; false: the verb is none of these. */
export function actTriggersFor(world: World, name: string, words: readonly string[]): boolean {
  const [verb, ...rest] = words;
  const account = () => accountOf(world, name).id;
  switch (verb) {
    case 'trigger':
      if (rest[0] !== 'buy' && rest[0] !== 'sell') return false;
      apply(world, triggerPlacement(world, name, rest));
      return true;
    case 'test':
      world.last = testOrder(world.exchange, triggerPlacement(world, name, rest.slice(1))).outcome;
      return true;
    case 'cancelTrigger': {
      const order = triggerReference(world, name, rest[0]!);
      apply(world, { kind: 'cancelTrigger', account: account(), market: undefined, order });
      return true;
    }
    case 'cancelTriggers': {
      const every = flag(rest, 'every');
      const place = every
        ? { market: undefined, route: undefined }
        : ({ market: marketOf(world, rest).id, route: 'algo' } as const);
      apply(world, { kind: 'cancelAllTriggers', account: account(), ...place });
      return true;
    }
    case 'modifyTrigger':
      apply(world, triggerChange(world, name, rest));
      return true;
    default:
      return false;
  }
}

/** Checks a trigger, or the waiting ones; false: the verb is none of these. */
export function expectTriggersOf(
  world: World,
  name: string,
  words: readonly string[],
  where: string,
): boolean {
  const [verb, ...rest] = words;
  if (verb === 'trigger') expectTrigger(world, name, rest, where);
  else if (verb === 'triggers') expectWaiting(world, name, rest, where);
  else return false;
  return true;
}

function apply(world: World, command: Command): void {
  world.last = applyCommand(world.exchange, command, 0 as Time);
}

/** `buy|sell QUANTITY|close TYPE [stop PRICE] [@ PRICE] …` */
export function triggerPlacement(world: World, name: string, words: string[]): PlaceTrigger {
  const clientOrderId = option(words, 'id') ?? '';
  const idempotencyKey = option(words, 'key') ?? '';
  const idempotencyRequest = option(words, 'request') ?? '';
  const selfTradeMode = option(words, 'stp') as SelfTradeMode | undefined;
  const callback = option(words, 'callback') ?? '0';
  const goodTill = option(words, 'gtd');
  const closePosition = flag(words, 'close');
  const reduceOnly = flag(words, 'reduceOnly');
  const route = flag(words, 'algo') ? 'algo' : 'order';
  const tif = ['IOC', 'FOK', 'GTX'].find((word) => flag(words, word)) ?? 'GTC';
  const type = triggerTypes.find((word) => flag(words, word)) as TriggerType;
  const market = marketOf(world, words);
  const attached = attachedFrom(market, words);
  const price = (text: string | undefined): Ticks =>
    (text === undefined ? 0 : scaled(text, market.tick.decimals, market.tick.step)) as Ticks;
  const ticks = price(option(words, '@'));
  const stopTicks = price(option(words, 'stop'));
  const activationTicks = price(option(words, 'activation'));
  const [verb, quantity] = words;
  const lots = closePosition ? 0 : scaled(quantity!, market.lot.decimals, market.lot.step);
  const goodTillDate = goodTill === undefined ? 0 : world.exchange.time + Number(goodTill);
  return {
    kind: 'placeTrigger',
    account: accountOf(world, name).id,
    market: market.id,
    route,
    side: verb === 'buy' ? 1 : -1,
    type,
    timeInForce: tif as TimeInForce,
    lots: lots as Lots,
    ticks,
    stopTicks,
    // In percent, as on the wire.
    callbackRate: scaled(callback, 6) as Rate,
    activationTicks,
    goodTillDate: goodTillDate as Time,
    reduceOnly,
    closePosition,
    selfTradeMode,
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    clientOrderId,
    attached,
    idempotencyKey,
    idempotencyRequest,
  };
}

/** `ID [quantity Q] [stop PRICE] [@ PRICE] [callback PERCENT]` */
function triggerChange(world: World, name: string, words: string[]): ModifyTrigger {
  const market = marketOf(world, words);
  const term = (word: string, decimals: number, step = 1): number | undefined => {
    const text = option(words, word);
    return text === undefined ? undefined : scaled(text, decimals, step);
  };
  const { tick, lot } = market;
  return {
    kind: 'modifyTrigger',
    account: accountOf(world, name).id,
    market: market.id,
    lots: term('quantity', lot.decimals, lot.step) as Lots | undefined,
    ticks: term('@', tick.decimals, tick.step) as Ticks | undefined,
    stopTicks: term('stop', tick.decimals, tick.step) as Ticks | undefined,
    callbackRate: term('callback', 6) as Rate | undefined,
    order: triggerReference(world, name, words[0]!),
  };
}

/** The account's latest trigger of that client id, whether it lives or has ended. */
export function triggerOf(world: World, name: string, clientOrderId: string): Readonly<Trigger> {
  const leg = legOf(world, name, clientOrderId);
  if (leg !== undefined) return leg;
  const account = accountOf(world, name).id;
  const ended = world.events.flatMap((event) =>
    event.kind === 'triggerEnded' ? [event.trigger] : [],
  );
  const found = [...ended, ...world.exchange.triggers.values()].findLast(
    (trigger) => trigger.account === account && clientOrderIdOf(trigger) === clientOrderId,
  );
  if (found === undefined) throw new Error(`${name} never had a trigger ${clientOrderId}`);
  return found;
}

function expectTrigger(world: World, name: string, words: string[], where: string): void {
  const [clientOrderId, ...rest] = words;
  const trigger = triggerOf(world, name, clientOrderId!);
  const market = world.exchange.markets[trigger.market]!;
  const reported: Record<string, string> = {
    status: trigger.status,
    failure: trigger.failure === '' ? 'none' : trigger.failure,
    route: trigger.route,
    type: trigger.type,
    tif: trigger.timeInForce,
    quantity: lotsText(market, trigger.lots),
    price: ticksText(market, trigger.ticks),
    stop: ticksText(market, trigger.stopTicks),
    activation: ticksText(market, trigger.activationTicks),
    extreme: ticksText(market, extremeOf(trigger)),
    callback: formatTrimmed(trigger.callbackRate, 6),
    mark: ticksText(market, trigger.markAtCreation),
    // How long ago it fired, in milliseconds.
    fired: trigger.triggeredAt === 0 ? 'never' : String(world.exchange.time - trigger.triggeredAt),
    order: orderOf(trigger),
  };
  for (let i = 0; i < rest.length; i += 2) {
    const figure = rest[i]!;
    if (!(figure in reported)) throw new Error(`${where}: ${figure} is no figure of a trigger`);
    expect(`${figure} ${reported[figure]}`, where).toBe(`${figure} ${rest[i + 1]}`);
  }
}

function orderOf({ id, order }: Readonly<Trigger>): string {
  if (order === 0) return 'none';
  return order === id ? 'same' : 'other';
}

/** The client ids of those that wait, by number; without a symbol on all markets. */
function expectWaiting(world: World, name: string, words: string[], where: string): void {
  const named = words.some((word) => world.exchange.marketBySymbol.has(word));
  const market = named ? marketOf(world, words).id : undefined;
  const waiting = openTriggersOf(accountOf(world, name), market);
  const reported = waiting.map((trigger) => nameOfTrigger(world, trigger));
  expect(reported.join(' '), where).toBe(words.join(' '));
}
