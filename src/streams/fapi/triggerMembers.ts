// The members of ORDER_TRADE_UPDATE about the trigger that placed the order (conventions, 12.4).

import type { Market } from '../../engine/views/market.ts';
import { presentStop, type Trigger } from '../../engine/views/trigger.ts';
import { formatSteps, formatTrimmed } from '../../units/decimal.ts';
import { rateDecimals } from '../../units/units.ts';

/** Of an order that no trigger placed. */
export const untriggeredMembers = { sp: '0', cp: false, gtd: 0 } as const;

export function triggerMembers(trigger: Readonly<Trigger>, market: Market): object {
  const { closePosition: cp, goodTillDate: gtd, activationTicks } = trigger;
  const members = { sp: stopText(trigger, market), cp, gtd };
  if (trigger.type !== 'TRAILING_STOP_MARKET') return members;
  return {
    ...members,
    AP: formatSteps(activationTicks, market.tick),
    cr: formatTrimmed(trigger.callbackRate, rateDecimals - 2),
  };
}

/** The mark that fires it; "0" for a trailing trigger that is not activated. */
export function stopText(trigger: Readonly<Trigger>, market: Market): string {
  const ticks = presentStop(trigger);
  return ticks === 0 ? '0' : formatSteps(ticks, market.tick);
}
