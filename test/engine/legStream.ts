// The part of the command stream (commandStream.ts) that has to do with take-profits and
// stop-losses.

import type {
  AttachedTerms,
  LegTerms,
  PlaceOrder,
  PlaceTrigger,
  SetProtection,
} from '../../src/engine/command.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import type { Prng } from '../../src/std/prng.ts';
import type { AccountId, MarketId, Ticks } from '../../src/units/units.ts';

/** A price near which legs are drawn. */
type Around = { readonly side: 1 | -1; readonly ticks: number };

/** Seldom on the wrong side of the price; every third leg has a limit price. */
function drawLeg(prng: Prng, { side, ticks }: Around): LegTerms {
  const away =
    prng.below(Math.ceil(ticks / 40)) - (prng.below(12) === 0 ? Math.ceil(ticks / 80) : 0);
  const stopTicks = Math.max(ticks + side * (1 + away), 1);
  const limit = stopTicks + prng.below(Math.ceil(ticks / 50)) - Math.floor(ticks / 100);
  return {
    stopTicks: stopTicks as Ticks,
    ticks: (prng.below(3) === 0 ? Math.max(limit, 1) : 0) as Ticks,
  };
}

/** A take-profit, a stop-loss, or both. */
function drawLegs(prng: Prng, { side, ticks }: Around): AttachedTerms {
  const which = prng.below(4);
  const loss = { side: -side as 1 | -1, ticks };
  return {
    takeProfit: which === 0 ? undefined : drawLeg(prng, { side, ticks }),
    stopLoss: which === 1 ? undefined : drawLeg(prng, loss),
  };
}

/** The command, with legs if it opens; `share` of so many have some. */
export function withLegs<C extends PlaceOrder | PlaceTrigger>(
  prng: Prng,
  command: C,
  { mid, share }: { readonly mid: number; readonly share: number },
): C {
  const reduces = command.reduceOnly || (command.kind === 'placeTrigger' && command.closePosition);
  if (prng.below(share) > 0 || reduces) return command;
  const stop = command.kind === 'placeTrigger' ? command.stopTicks : 0;
  const ticks = stop || command.ticks || mid;
  return { ...command, attached: drawLegs(prng, { side: command.side, ticks }) };
}

/** Of any account and market; legs are set, replaced, kept and removed. */
export function drawProtection(
  prng: Prng,
  exchange: Exchange,
  target: { readonly account: AccountId; readonly market: MarketId; readonly mid: number },
): SetProtection {
  const { account, market, mid } = target;
  const held = exchange.accounts[account]?.positions[market]?.lots ?? 0;
  const side = held < 0 ? -1 : 1;
  const drawn = drawLegs(prng, { side, ticks: exchange.markets[market]?.prices.mark ?? mid });
  const orNull = (leg: LegTerms | undefined) =>
    leg === undefined && prng.below(3) === 0 ? null : leg;
  return {
    kind: 'setProtection',
    account,
    market,
    takeProfit: orNull(drawn.takeProfit),
    stopLoss: orNull(drawn.stopLoss),
  };
}
