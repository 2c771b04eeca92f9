// The part of the command stream (commandStream.ts) that has to do with triggers, margin modes,
// withdrawals, the fund and fees.

import type {
  CancelTrigger,
  Command,
  ModifyTrigger,
  OrderReference,
  PlaceTrigger,
} from '../../src/engine/command.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { type Side, selfTradeModes, timesInForce } from '../../src/engine/orderTypes.ts';
import type { Position } from '../../src/engine/position.ts';
import type { Trigger } from '../../src/engine/trigger.ts';
import { triggerTypes } from '../../src/engine/triggerTypes.ts';
import type { Prng } from '../../src/std/prng.ts';
import type {
  AccountId,
  Lots,
  MarketId,
  Money,
  OrderId,
  Rate,
  Ticks,
  Time,
} from '../../src/units/units.ts';
import { drawProtection, withLegs } from './legStream.ts';

/** Where a command is drawn for: the market's usual price and quantity. */
export type Target = {
  readonly account: AccountId;
  readonly market: MarketId;
  readonly mid: number;
  readonly usual: number;
};

/**
 * A trigger of any type a few percent around the usual price, so that moves of the mark fire it.
 */
export function drawTrigger(prng: Prng, exchange: Exchange, target: Target): PlaceTrigger {
  const { account, market, mid, usual } = target;
  const held = exchange.accounts[account]?.positions[market]?.lots ?? 0;
  const closes = held !== 0 && prng.below(2) === 0;
  const side: Side = closes ? (held > 0 ? -1 : 1) : prng.below(2) === 0 ? 1 : -1;
  const type = triggerTypes[prng.below(triggerTypes.length)]!;
  const isLimit = type === 'STOP' || type === 'TAKE_PROFIT';
  const isTrailing = type === 'TRAILING_STOP_MARKET';
  const closePosition = closes && !isLimit && !isTrailing && prng.below(2) === 0;
  const stop = mid + Math.floor((prng.unit() - 0.5) * 0.06 * mid);
  const idempotent = prng.below(10) === 0;
  const dated = prng.below(4) === 0;
  const command: PlaceTrigger = {
    kind: 'placeTrigger',
    account,
    market,
    route: prng.below(2) === 0 ? 'order' : 'algo',
    side,
    type,
    timeInForce: isLimit ? (timesInForce[prng.below(8)] ?? 'GTC') : 'GTC',
    lots: (closePosition ? 0 : prng.below(usual)) as Lots,
    ticks: (isLimit ? stop + side * prng.below(Math.ceil(mid / 50)) : 0) as Ticks,
    stopTicks: (isTrailing ? 0 : stop) as Ticks,
    callbackRate: (isTrailing ? prng.below(20) * 100_000 : 0) as Rate,
    activationTicks: (isTrailing && prng.below(2) === 0 ? stop : 0) as Ticks,
    goodTillDate: (dated ? exchange.time + 590_000 + prng.below(100_000) : 0) as Time,
    reduceOnly: closes && !closePosition && prng.below(2) === 0,
    closePosition,
    selfTradeMode: selfTradeModes[prng.below(selfTradeModes.length + 3)],
    workingType: 'MARK_PRICE',
    priceProtect: prng.below(9) === 0,
    clientOrderId: prng.below(3) === 0 ? `mine-${prng.below(60)}` : '',
    idempotencyKey: idempotent ? `key-${prng.below(60)}` : '',
    idempotencyRequest: idempotent ? `request-${prng.below(2)}` : '',
  };
  return withLegs(prng, command, { mid, share: 4 });
}

/** A trigger of the state, undefined when there is none. */
function pickTrigger(prng: Prng, exchange: Exchange): Trigger | undefined {
  let skip = prng.below(Math.max(exchange.triggers.size, 1));
  for (const trigger of exchange.triggers.values()) {
    if (skip === 0) return trigger;
    skip -= 1;
  }
  return undefined;
}

/** Of a known trigger, by either id; sometimes of one that never was. */
export function drawTriggerEnd(prng: Prng, exchange: Exchange, target: Target): CancelTrigger {
  const trigger = pickTrigger(prng, exchange);
  if (trigger === undefined || prng.below(12) === 0) {
    const order = { id: (1 + prng.below(5000)) as OrderId, createdAt: exchange.time };
    return { kind: 'cancelTrigger', account: target.account, market: target.market, order };
  }
  const order = drawReference(prng, trigger);
  const market = prng.below(3) === 0 ? undefined : trigger.market;
  return { kind: 'cancelTrigger', account: trigger.account, market, order };
}

function drawReference(prng: Prng, { id, createdAt, clientOrderId }: Trigger): OrderReference {
  const named = clientOrderId !== '' && prng.below(2) === 0;
  return named ? { clientOrderId } : { id, createdAt };
}

/** New terms of a known trigger, or the end of one. */
export function drawTriggerChangeOrEnd(
  prng: Prng,
  exchange: Exchange,
  target: Target,
): CancelTrigger | ModifyTrigger {
  const trigger = prng.below(2) === 0 ? pickTrigger(prng, exchange) : undefined;
  if (trigger === undefined) return drawTriggerEnd(prng, exchange, target);
  const mid = exchange.markets[trigger.market]!.prices.mark;
  return drawTriggerChange(prng, trigger, {
    mid,
    usual: target.usual,
    order: drawReference(prng, trigger),
  });
}

/** Each term that the trigger has, or not. */
function drawTriggerChange(
  prng: Prng,
  { account, market, type, side, closePosition, pair }: Trigger,
  { mid, usual, order }: Pick<Target, 'mid' | 'usual'> & { readonly order: OrderReference },
): ModifyTrigger {
  const isLimit = type === 'STOP' || type === 'TAKE_PROFIT';
  const isTrailing = type === 'TRAILING_STOP_MARKET';
  const stop = Math.max(1, mid + Math.floor((prng.unit() - 0.5) * 0.06 * mid));
  const drawn = (has: boolean): boolean => has && prng.below(2) === 0;
  const price = Math.max(1, stop + side * prng.below(Math.ceil(mid / 50)));
  return {
    kind: 'modifyTrigger',
    account,
    market,
    order,
    lots: drawn(!closePosition && pair === null) ? (prng.below(usual) as Lots) : undefined,
    ticks: drawn(isLimit) ? (price as Ticks) : undefined,
    stopTicks: drawn(!isTrailing) ? (stop as Ticks) : undefined,
    callbackRate: drawn(isTrailing) ? ((prng.below(20) * 100_000) as Rate) : undefined,
  };
}

/** The open positions that can be given collateral of their own. */
function isolatedPositions({ accounts }: Exchange): Position[] {
  return accounts
    .filter((each) => each?.marginMode === 'isolated')
    .flatMap((each) => each!.positions)
    .filter((each): each is Position => each !== undefined && each.lots !== 0);
}

/** Everything else that this file is about, but triggers. */
export function drawRiskCommand(prng: Prng, exchange: Exchange, target: Target): Command {
  const { account, market } = target;
  switch (prng.below(11)) {
    case 0: {
      const amount = (prng.below(3_000_000_000) - 1_000_000) as Money;
      return { kind: 'creditInsurance', amount, reference: `insurance ${prng.below(100)}` };
    }
    case 1:
      return { kind: 'settleFunding', market };
    case 2: {
      const mode = (['cross', 'isolated', 'unified'] as const)[prng.below(3)]!;
      return { kind: 'setMarginMode', account, mode };
    }
    case 3: {
      const delta = (prng.below(40_000_000) - 20_000_000) as Money;
      const isolated = isolatedPositions(exchange);
      const place = isolated[prng.below(isolated.length + 1)] ?? { account, market };
      const { account: owner, market: where } = place;
      return { kind: 'transferCollateral', account: owner, market: where, delta };
    }
    case 4: {
      const amount = (prng.below(50_000_000) - 1_000_000) as Money;
      const idempotent = prng.below(3) === 0;
      return {
        kind: 'requestWithdrawal',
        account,
        amount,
        idempotencyKey: idempotent ? `key-${prng.below(60)}` : '',
        idempotencyRequest: idempotent ? `request-${prng.below(2)}` : '',
      };
    }
    case 5: {
      const pending = [...exchange.withdrawals.keys()];
      const id = pending[prng.below(pending.length + 1)] ?? (7 as OrderId);
      const action = prng.below(2) === 0 ? 'complete' : 'release';
      return { kind: 'resolveWithdrawal', id, action };
    }
    case 6:
      return {
        kind: 'cancelAllTriggers',
        account,
        market: prng.below(4) === 0 ? undefined : market,
        route: (['algo', 'order', undefined] as const)[prng.below(3)],
      };
    case 7:
      return drawReferral(prng, account);
    case 8:
    case 9:
      return drawProtection(prng, exchange, target);
    default:
      return drawFeeTiers(prng);
  }
}

/** Claims mostly; codes and bindings of accounts that have them already, or that are new. */
function drawReferral(prng: Prng, account: AccountId): Command {
  const code = prng.below(9) === 0 ? 'small' : `CODE${prng.below(14)}`;
  switch (prng.below(6)) {
    case 0:
      return { kind: 'setReferralCode', account, code };
    case 1:
      return { kind: 'bindReferral', account, code };
    case 2: {
      const discount = prng.below(52_000_000) as Rate;
      const share = prng.below(52_000_000) as Rate;
      return { kind: 'setReferralTerms', terms: { enabled: prng.below(5) > 0, discount, share } };
    }
    default:
      return { kind: 'claimReferral', account };
  }
}

/** Up to four steps; some tables do not rise and are rejected. */
function drawFeeTiers(prng: Prng): Command {
  let minVolume = 0;
  const tiers = [{ minVolume: 0 as Money, makerDiscount: 0 as Rate, takerDiscount: 0 as Rate }];
  for (let step = prng.below(4); step > 0; step -= 1) {
    minVolume += prng.below(40) === 0 ? 0 : 1 + prng.below(20_000_000_000);
    const discount = (tiers.at(-1)!.makerDiscount + prng.below(5_000_000)) as Rate;
    const terms = { makerDiscount: discount, takerDiscount: discount };
    tiers.push({ minVolume: minVolume as Money, ...terms });
  }
  return { kind: 'setFeeTiers', tiers };
}
