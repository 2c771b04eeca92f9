// What a search has found, over all climbs: by family the best scenario, made as short as it can
// be, and whether the rules held.

import { usdt } from '../../src/units/units.ts';
import { gainNames } from './attackLedger.ts';
import { type Climb, type Found, scoreOf, shortenPlan } from './climb.ts';
import type { FamilyName } from './families.ts';
import type { Played } from './playPlan.ts';

export type FamilyResult = {
  readonly family: FamilyName;
  readonly scenarios: number;
  readonly profitable: number;
  readonly best: Found;
  readonly tradingMax: number;
  readonly marginUseMax: number;
  readonly capShareMax: number;
  readonly faults: readonly string[];
};

export type AttackResult = {
  readonly seed: number;
  readonly scenarios: number;
  readonly seconds: number;
  readonly families: readonly FamilyResult[];
  readonly marginUse: Found;
  readonly capShare: Found;
  readonly ok: boolean;
};

/** Above the margin of the highest leverage; the rest is rounding. */
export const marginUseMax = 1.000_001;
/** MAR-11, and what the mark may move between the check of an order and its fill. */
export const capShareMax = 0.2525;

type Search = { readonly seed: number; readonly scenarios: number; readonly seconds: number };

export function mergeClimbs(climbs: readonly Climb[], search: Search): AttackResult {
  const names = [...new Set(climbs.map(({ family }) => family))];
  const families = names.map((family) =>
    mergeFamily(climbs.filter((each) => each.family === family)),
  );
  const marginUse = most(
    climbs.map((each) => each.marginUseMax),
    marginUseOf,
  );
  const capShare = most(
    climbs.map((each) => each.capShareMax),
    capShareOf,
  );
  const { seed, scenarios, seconds } = search;
  const paid = families.some(({ best }) => scoreOf(best.played) > 0);
  const held = marginUseOf(marginUse) > marginUseMax || capShareOf(capShare) > capShareMax;
  const failed = families.some(({ faults }) => faults.length > 0);
  const ok = !paid && !held && !failed;
  return { seed, scenarios, seconds, families, marginUse, capShare, ok };
}

const marginUseOf = ({ played }: Found): number => played.terms.marginUse;
const capShareOf = ({ played }: Found): number => played.terms.capShare;

function mergeFamily(climbs: readonly Climb[]): FamilyResult {
  const best = most(
    climbs.map((each) => each.best),
    ({ played }) => scoreOf(played),
  );
  const score = scoreOf(best.played);
  const keeps = (played: Played): boolean => scoreOf(played) >= 0.9 * score;
  const sum = (of: (each: Climb) => number): number =>
    climbs.reduce((total, each) => total + of(each), 0);
  const max = (of: (each: Climb) => number): number => Math.max(...climbs.map(of));
  return {
    family: climbs[0]!.family,
    scenarios: sum(({ scenarios }) => scenarios),
    profitable: sum(({ profitable }) => profitable),
    best: score > 0 ? shortenPlan(best.plan, keeps) : best,
    tradingMax: max((each) => each.tradingMax),
    marginUseMax: max((each) => marginUseOf(each.marginUseMax)),
    capShareMax: max((each) => capShareOf(each.capShareMax)),
    faults: climbs.flatMap(({ faults }) => faults),
  };
}

/** The first with the highest figure. */
function most(found: readonly Found[], figure: (found: Found) => number): Found {
  return found.reduce((best, each) => (figure(each) > figure(best) ? each : best));
}

const money = (amount: number): number => amount / usdt;

/** The search as one line of JSON; money in USDT. */
export function resultLine(result: AttackResult): string {
  const { seed, scenarios, seconds, families, marginUse, capShare, ok } = result;
  return JSON.stringify({
    sim: 'attack',
    seed,
    scenarios,
    seconds: Number(seconds.toFixed(1)),
    per_second: Math.round(scenarios / seconds),
    families: Object.fromEntries(families.map((each) => [each.family, familyRow(each)])),
    margin_use_max: Number(marginUseOf(marginUse).toFixed(4)),
    cap_share_max: Number(capShareOf(capShare).toFixed(4)),
    ok,
  });
}

function familyRow({ best, scenarios, profitable, tradingMax, faults }: FamilyResult): object {
  const { gains, outOfRules, bound, unpaid, total } = best.played;
  return {
    scenarios,
    profitable,
    profit: money(scoreOf(best.played)),
    out_of_rules: money(outOfRules),
    admitted: money(bound),
    total: money(total),
    paid: Object.fromEntries(gainNames.map((name) => [name, money(gains[name])])),
    unpaid: money(unpaid),
    trading_max: money(tradingMax),
    faults: faults.length,
  };
}
