// Hill climbing over plans. One climb is a function of its seed: some plans are drawn, the others
// are changes of the best so far, and the best of all is made as short as it can be.

import { createPrng, seedOf } from '../../src/std/prng.ts';
import { changePlan } from './changePlan.ts';
import { drawPlan, type FamilyName, gapsOfFamily } from './families.ts';
import type { Gaps } from './gaps.ts';
import type { Plan } from './plan.ts';
import { type Played, playPlan } from './playPlan.ts';

export type ClimbOptions = {
  readonly family: FamilyName;
  readonly seed: number;
  /** How many scenarios it may play. */
  readonly scenarios: number;
  readonly gaps: Gaps;
  readonly bracketed: boolean;
};

export type Found = { readonly plan: Plan; readonly played: Played };

export type Climb = {
  readonly family: FamilyName;
  readonly seed: number;
  readonly scenarios: number;
  /** Scenarios whose profit out of the rules is above what the rule book admits. */
  readonly profitable: number;
  readonly best: Found;
  /** The most that the attackers gained in all, and by trading. */
  readonly tradingMax: number;
  readonly marginUseMax: Found;
  readonly capShareMax: Found;
  /** Assertions that stopped the engine or the accounting, with their scenarios. */
  readonly faults: readonly string[];
};

const eliteMax = 6;
const faultsMax = 3;
/** Of the scenarios this part is drawn anew. */
const drawnPart = 0.4;

/** What the attackers want: profit out of the rules, beyond what the rule book admits. */
export const scoreOf = ({ outOfRules, bound }: Played): number => outOfRules - bound;

export function climb({ family, seed, scenarios, gaps, bracketed }: ClimbOptions): Climb {
  const prng = createPrng(seedOf(seed, family));
  const chance = { prng, gaps: gapsOfFamily(family, gaps), bracketed };
  const elite: Found[] = [];
  let best: Found | undefined;
  let marginUseMax: Found | undefined;
  let capShareMax: Found | undefined;
  const faults: string[] = [];
  let profitable = 0;
  let tradingMax = 0;
  for (let at = 0; at < scenarios; at += 1) {
    const isDrawn = elite.length === 0 || prng.unit() < drawnPart;
    const plan = isDrawn
      ? drawPlan(family, chance)
      : changePlan(elite[prng.below(elite.length)]!.plan, chance);
    const played = tryPlan(plan, faults);
    if (played === undefined) continue;
    const found = { plan, played };
    if (scoreOf(played) > 0) profitable += 1;
    if (best === undefined || scoreOf(played) > scoreOf(best.played)) best = found;
    tradingMax = Math.max(tradingMax, played.total - played.outOfRules);
    const { marginUse, capShare } = played.terms;
    if (marginUse > (marginUseMax?.played.terms.marginUse ?? -1)) marginUseMax = found;
    if (capShare > (capShareMax?.played.terms.capShare ?? -1)) capShareMax = found;
    keepBest(elite, found);
  }
  if (best === undefined) throw new Error(faults[0]);
  return {
    family,
    seed,
    scenarios,
    profitable,
    best,
    tradingMax,
    marginUseMax: marginUseMax!,
    capShareMax: capShareMax!,
    faults,
  };
}

function tryPlan(plan: Plan, faults: string[]): Played | undefined {
  try {
    return playPlan(plan);
  } catch (error) {
    if (faults.length < faultsMax) faults.push((error as Error).message);
    return undefined;
  }
}

/**
 * What the climb follows: the score, and below 0 what the rules paid before all costs, so that a
 * plan that comes near is better than one that does nothing.
 */
function promiseOf(played: Played): number {
  const score = scoreOf(played);
  if (score > 0) return score;
  const { fund, deleveraged, shared, shortfall, funding } = played.gains;
  const parts = [fund, deleveraged, shared, shortfall, funding, played.unpaid];
  const paid = parts.reduce((sum, part) => sum + Math.max(0, part), 0);
  return -1 / (1 + paid);
}

/** The best first, the older of equals. */
function keepBest(elite: Found[], found: Found): void {
  const at = elite.findIndex(({ played }) => promiseOf(found.played) > promiseOf(played));
  if (at < 0 && elite.length >= eliteMax) return;
  elite.splice(at < 0 ? elite.length : at, 0, found);
  elite.length = Math.min(elite.length, eliteMax);
}

/** Drops the moves and accounts that the profit does not need: at least nine tenths of it stay. */
export function shortenPlan(plan: Plan, keeps: (played: Played) => boolean): Found {
  let kept: Found = { plan, played: playPlan(plan) };
  const attempt = (changed: Plan): boolean => {
    const played = playPlan(changed);
    if (!keeps(played)) return false;
    kept = { plan: changed, played };
    return true;
  };
  for (let shorter = true; shorter; ) {
    shorter = false;
    for (let at = kept.plan.moves.length - 1; at >= 0; at -= 1) {
      const { scenery, moves } = kept.plan;
      if (attempt({ scenery, moves: moves.toSpliced(at, 1) })) shorter = true;
    }
    for (let at = kept.plan.scenery.honest.length - 1; at >= 0; at -= 1) {
      const { scenery, moves } = kept.plan;
      const honest = scenery.honest.toSpliced(at, 1);
      if (attempt({ scenery: { ...scenery, honest }, moves })) shorter = true;
    }
    const { scenery, moves } = kept.plan;
    if (scenery.depth > 0 && attempt({ scenery: { ...scenery, depth: 0 }, moves })) shorter = true;
  }
  return kept;
}
