// The operator replaces the table of fee tiers (MAR-6). It applies at once: every account's tier is
// the tier in the new table for its volume up to the last 00:00 UTC.

import { type Rate, rateOne } from '../../units/units.ts';
import { brokenRebate, regradeVolumes } from '../clearing/fees.ts';
import type { SetFeeTiers } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import type { FeeTier } from '../feeTier.ts';
import { feeTiersMax } from '../limits.ts';
import { type Outcome, rejected } from '../outcome.ts';

export function setFeeTiers(exchange: Exchange, command: SetFeeTiers): Outcome {
  const { tiers } = command;
  const { referralTerms } = exchange;
  const fees = { feeTiers: tiers, referralTerms };
  const detail = brokenRule(tiers) ?? brokenRebate(exchange, fees);
  if (detail !== undefined) return rejected({ reason: 'feeTiersInvalid', detail });
  // From here setFeeTiers must succeed.
  exchange.committed = true;
  exchange.feeTiers = tiers;
  regradeVolumes(exchange);
  exchange.events.push({ kind: 'feeTiersSet', tiers });
  return { kind: 'accepted' };
}

/** The rule that the table itself breaks, or undefined. */
function brokenRule(tiers: readonly FeeTier[]): string | undefined {
  if (tiers.length < 1 || tiers.length > feeTiersMax) return `1…${feeTiersMax} tiers`;
  const first = tiers[0]!;
  if (first.minVolume !== 0 || first.makerDiscount !== 0 || first.takerDiscount !== 0) {
    return 'the first tier begins at 0 and has no discount';
  }
  for (const [index, tier] of tiers.entries()) {
    const before = tiers[index - 1];
    if (!Number.isSafeInteger(tier.minVolume)) return 'volumes are amounts';
    if (before !== undefined && tier.minVolume <= before.minVolume) return 'volumes ascend';
    if (!isDiscount(tier.makerDiscount) || !isDiscount(tier.takerDiscount)) {
      return 'discounts are rates from 0 to 1';
    }
    if (before === undefined) continue;
    const falls =
      tier.makerDiscount < before.makerDiscount || tier.takerDiscount < before.takerDiscount;
    if (falls) return 'discounts never fall from one tier to the next';
  }
  return undefined;
}

const isDiscount = (rate: Rate): boolean =>
  Number.isSafeInteger(rate) && rate >= 0 && rate <= rateOne;
