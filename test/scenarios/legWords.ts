// The words of a scenario for take-profits and stop-losses (ATT-1): the legs of an order or a
// trigger with the client id `x` are `x.profit` and `x.loss`, those of a position
// `protection.profit` and `protection.loss`. The grammar is in docs/rules/README.md.

import { applyCommand } from '../../src/engine/apply.ts';
import { clientOrderIdOf } from '../../src/engine/clientOrderId.ts';
import type {
  AttachedTerms,
  LegTerms,
  OrderReference,
  SetProtection,
} from '../../src/engine/command.ts';
import type { Market } from '../../src/engine/market.ts';
import type { LegNumbers, Trigger } from '../../src/engine/views/trigger.ts';
import { directValues } from '../../src/std/directMap.ts';
import type { OrderId, Ticks, Time } from '../../src/units/units.ts';
import { accountOf, marketOf, option, scaled, type World } from './world.ts';

/** Runs a step of an account about the legs of its position; false: the verb is another. */
export function actLegsFor(world: World, name: string, words: readonly string[]): boolean {
  const [verb, ...rest] = words;
  if (verb !== 'protect') return false;
  const market = marketOf(world, rest);
  const leg = (word: 'profit' | 'loss'): LegTerms | null | undefined => {
    const terms = legFrom(market, rest, word);
    return terms ?? (rest.includes(word) ? null : undefined);
  };
  const command: SetProtection = {
    kind: 'setProtection',
    account: accountOf(world, name).id,
    market: market.id,
    takeProfit: leg('profit'),
    stopLoss: leg('loss'),
  };
  world.last = applyCommand(world.exchange, command, 0 as Time);
  return true;
}

/** Takes the legs of an order or a trigger out of its words. */
export function attachedFrom(market: Market, words: string[]): AttachedTerms | undefined {
  const takeProfit = legFrom(market, words, 'profit');
  const stopLoss = legFrom(market, words, 'loss');
  return takeProfit === undefined && stopLoss === undefined ? undefined : { takeProfit, stopLoss };
}

function legFrom(market: Market, words: string[], word: string): LegTerms | undefined {
  const price = (text: string | undefined): Ticks =>
    (text === undefined ? 0 : scaled(text, market.tick.decimals, market.tick.step)) as Ticks;
  const ticks = price(option(words, `${word}At`));
  if (words[words.indexOf(word) + 1] === 'none') return undefined;
  const stop = option(words, word);
  return stop === undefined ? undefined : { stopTicks: price(stop), ticks };
}

const legName = /^(.+)\.(profit|loss)$/;

/**
 * The latest leg of that name, whether it lives or has ended; undefined when it is no leg's name.
 */
export function legOf(world: World, name: string, word: string): Readonly<Trigger> | undefined {
  const [, parent, which] = legName.exec(word) ?? [];
  if (parent === undefined) return undefined;
  const account = accountOf(world, name).id;
  const all = triggersSoFar(world).filter((trigger) => trigger.account === account);
  if (parent === 'protection') {
    return must(
      all.findLast(({ pair, type }) => {
        return pair?.kind === 'position' && isProfit(type) === (which === 'profit');
      }),
    );
  }
  const legs = must(legsOf(world, account, parent));
  const id: OrderId = which === 'profit' ? legs.takeProfit : legs.stopLoss;
  return must(all.findLast((trigger) => trigger.id === id));
}

const isProfit = (type: Trigger['type']): boolean => type.startsWith('TAKE_PROFIT');

function must<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new Error('there never was such a leg');
  return value;
}

/** Every trigger so far: an ended one as it ended, a live one as it is. */
function triggersSoFar({ exchange, events }: World): Readonly<Trigger>[] {
  const ended = events.flatMap((event) => (event.kind === 'triggerEnded' ? [event.trigger] : []));
  return [...ended, ...exchange.triggers.values()];
}

function legsOf(world: World, account: number, parent: string): LegNumbers | null | undefined {
  const { exchange, events } = world;
  const ended = events.flatMap((event) => (event.kind === 'orderEnded' ? [event.order] : []));
  const all = [...ended, ...directValues(exchange.orders), ...triggersSoFar(world)];
  return all.findLast((one) => one.account === account && clientOrderIdOf(one) === parent)?.legs;
}

/** A trigger by its word: a leg by its number, any other by its client's id. */
export function triggerReference(world: World, name: string, word: string): OrderReference {
  const leg = legOf(world, name, word);
  return leg === undefined ? { clientOrderId: word } : { id: leg.id, createdAt: leg.createdAt };
}

/** An order by its word: that of a leg by its number, any other by its client's id. */
export function orderReference(world: World, name: string, word: string): OrderReference {
  const leg = legOf(world, name, word);
  return leg === undefined
    ? { clientOrderId: word }
    : { id: leg.order, createdAt: leg.triggeredAt };
}

/** The name of a trigger in a scenario. */
export function nameOfTrigger(world: World, trigger: Readonly<Trigger>): string {
  const { pair, account, type } = trigger;
  if (!pair) return clientOrderIdOf(trigger);
  const which = isProfit(type) ? 'profit' : 'loss';
  if (pair.kind === 'position') return `protection.${which}`;
  const { exchange, events } = world;
  const placed = [
    ...events.flatMap((event) => (event.kind === 'orderEnded' ? [event.order] : [])),
    ...directValues(exchange.orders),
    ...triggersSoFar(world),
  ].findLast((one) => one.account === account && one.id === pair.id);
  return `${placed === undefined ? '?' : clientOrderIdOf(placed)}.${which}`;
}
