// How the legs of an order, of a trigger or of a position are placed (ATT-1). checkLegs.ts has
// their checks; followPairs.ts lets them wait, and ends them.

import type { Lots, OrderId, Rate, Ticks, Time } from '../../units/units.ts';
import { positionIn } from '../account.ts';
import type { AttachedTerms, LegTerms, PlaceTrigger } from '../command.ts';
import { drawNumber, type Exchange } from '../exchange.ts';
import { attachmentsOf } from '../listPair.ts';
import { listTrigger } from '../listTrigger.ts';
import type { SelfTradeMode, Side } from '../orderTypes.ts';
import { createPair, type Pair, type PairTerms } from '../pair.ts';
import { stirPair } from '../stirPair.ts';
import type { Trigger } from '../trigger.ts';
import type { TriggerType } from '../triggerTypes.ts';
import { workOf } from '../work.ts';
import { createTrigger } from './createTrigger.ts';

/**
 * Makes the pair of a parent, which is in no list yet: a tentative execution of the parent may
 * already open lots for it.
 */
export function draftPair(
  exchange: Exchange,
  terms: Omit<PairTerms, 'legs'>,
  attached: AttachedTerms,
): Pair {
  attachmentsOf(positionIn(exchange.accounts[terms.account]!, terms.market));
  return createPair({ ...terms, legs: drawLegs(exchange, attached) });
}

/** A number for each leg that is named, 0 for the other. */
export function drawLegs(
  exchange: Exchange,
  { takeProfit, stopLoss }: AttachedTerms,
): PairTerms['legs'] {
  const none = 0 as OrderId;
  return {
    takeProfit: takeProfit === undefined ? none : drawNumber(exchange),
    stopLoss: stopLoss === undefined ? none : drawNumber(exchange),
  };
}

/** What the legs have in common. */
export type LegOptions = {
  readonly selfTradeMode: SelfTradeMode;
  /** Of the legs of a parent PENDING, of those of a position NEW. */
  readonly status: 'PENDING' | 'NEW';
};

/** Places the legs under the numbers that their pair has for them. */
export function placeLegs(
  exchange: Exchange,
  pair: Pair,
  { takeProfit, stopLoss }: AttachedTerms,
  options: LegOptions,
): void {
  const { legs } = pair;
  if (takeProfit !== undefined) {
    const type = takeProfit.ticks > 0 ? 'TAKE_PROFIT' : 'TAKE_PROFIT_MARKET';
    placeLeg(exchange, pair, { ...takeProfit, ...options, id: legs.takeProfit, type });
  }
  if (stopLoss !== undefined) {
    const type = stopLoss.ticks > 0 ? 'STOP' : 'STOP_MARKET';
    placeLeg(exchange, pair, { ...stopLoss, ...options, id: legs.stopLoss, type });
  }
  stirPair(exchange, pair);
}

type Leg = LegTerms & LegOptions & { readonly id: OrderId; readonly type: TriggerType };

function placeLeg(exchange: Exchange, pair: Pair, leg: Leg): void {
  exchange.work += workOf.command;
  const market = exchange.markets[pair.market]!;
  const { id, status } = leg;
  const origin = { id, pair: pair.name, legs: null, status };
  const trigger: Trigger = createTrigger(exchange, market, legCommand(pair, leg), origin);
  listTrigger(exchange, trigger);
  exchange.events.push({ kind: 'triggerPlaced', trigger });
}

/** A leg as if its owner had placed it. */
function legCommand({ account, market, side, name }: Pair, leg: Leg): PlaceTrigger {
  const closePosition = name.kind === 'position';
  return {
    kind: 'placeTrigger',
    account,
    market,
    route: 'algo',
    side: -side as Side,
    type: leg.type,
    timeInForce: 'GTC',
    lots: 0 as Lots,
    ticks: leg.ticks,
    stopTicks: leg.stopTicks,
    callbackRate: 0 as Rate,
    activationTicks: 0 as Ticks,
    goodTillDate: 0 as Time,
    reduceOnly: !closePosition,
    closePosition,
    selfTradeMode: leg.selfTradeMode,
    workingType: 'MARK_PRICE',
    priceProtect: false,
    clientOrderId: '',
    idempotencyKey: '',
    idempotencyRequest: '',
  };
}
