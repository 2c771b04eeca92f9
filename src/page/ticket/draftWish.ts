// The order that a draft asks for.

import { plainText } from '../state/grid.ts';
import type { Market } from '../state/market.ts';
import type { LegsWish, LegWish, Side, Wish } from '../state/orderWish.ts';
import type { Typed } from '../state/readTyped.ts';
import { type Draft, isTriggerDraft, triggerTypeOf } from './draft.ts';
import { type LegName, legTicks } from './legTicks.ts';
import { type DraftReading, percentGrid, stepsOfTyped } from './readDraft.ts';

/** A draft without problems as an order; undefined when a size is not known yet. */
export function draftWish(
  draft: Draft,
  reading: DraftReading,
  { market, side }: { readonly market: Market; readonly side: Side },
): Wish | undefined {
  const { parts, typed, lots, goodTill } = reading;
  if (lots === undefined && !parts.closesAll) return undefined;
  const { timeInForce, selfTrade } = draft;
  const own = parts.price && timeInForce !== 'GTD' ? timeInForce : undefined;
  const common = {
    market,
    side,
    ticks: parts.price ? stepsOfTyped(typed.price) : undefined,
    reduceOnly: draft.reduceOnly && !parts.closesAll,
    selfTrade: selfTrade === '' ? undefined : selfTrade,
    timeInForce: own !== undefined && parts.times.includes(own) ? own : undefined,
    ...(parts.legs ? legsOf(draft, reading, side) : {}),
  };
  if (isTriggerDraft(draft)) {
    return {
      ...common,
      type: triggerTypeOf(draft),
      lots: parts.closesAll ? undefined : lots,
      triggerTicks: parts.trigger ? stepsOfTyped(typed.trigger) : undefined,
      activationTicks: parts.trails ? stepsOfTyped(typed.activation) : undefined,
      callback: parts.trails ? percentText(typed.callback) : undefined,
      goodTill,
    };
  }
  if (lots === undefined) return undefined;
  const slippage = parts.slippage ? stepsOfTyped(typed.slippage) : undefined;
  return {
    ...common,
    type: draft.type === 'MARKET' ? 'MARKET' : 'LIMIT',
    lots,
    maxSlippage: slippage === undefined ? undefined : plainText(slippage, percentGrid.decimals + 2),
  };
}

function legsOf(draft: Draft, reading: DraftReading, side: Side): LegsWish {
  const legOf = (name: LegName): LegWish | undefined => {
    const triggerTicks = legTicks(name, side, draft, reading);
    if (triggerTicks === undefined) return undefined;
    const { parts, typed } = reading;
    return {
      triggerTicks,
      ticks: parts.legPrices ? stepsOfTyped(typed[`${name}Price`]) : undefined,
    };
  };
  return { takeProfit: legOf('takeProfit'), stopLoss: legOf('stopLoss') };
}

const percentText = (typed: Typed): string | undefined =>
  typed.kind === 'steps' ? plainText(typed.steps, percentGrid.decimals) : undefined;
