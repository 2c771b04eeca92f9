// The report of a search for a person: what each family gained, who paid it, and its scenario.

import { usdt } from '../../src/units/units.ts';
import type { Gains } from './attackLedger.ts';
import { type AttackResult, capShareMax, type FamilyResult, marginUseMax } from './attackResult.ts';
import { type Found, scoreOf } from './climb.ts';
import type { Judgement } from './judge.ts';
import { attackerNames } from './plan.ts';

/** Who paid, in the words of the report; those of the rules first. */
const payers: Readonly<Record<keyof Gains, string>> = {
  fund: 'the insurance fund',
  deleveraged: 'deleveraged accounts against the mark',
  shared: 'shared profit of others',
  shortfall: 'shortfall',
  funding: 'funding beyond the time of holding',
  unwinding: 'the fund as it unwinds',
  fees: 'fees',
  referral: 'fee revenue, by referral',
  trading: 'trades with others',
  moves: 'moves of the mark',
  delivery: 'the settlement price',
  carry: 'funding of the time of holding',
};

const text = (amount: number): string => (amount / usdt).toFixed(2);

export function* describeResult(result: AttackResult): Generator<string> {
  for (const family of result.families) yield* describeFamily(family);
  yield* describeBreach('highest use of margin after an opening', result.marginUse, {
    figure: 'marginUse',
    most: marginUseMax,
  });
  yield* describeBreach('largest part of a cap in one account', result.capShare, {
    figure: 'capShare',
    most: capShareMax,
  });
  const rate = Math.round(result.scenarios / result.seconds);
  yield `${result.scenarios} scenarios in ${result.seconds.toFixed(1)} s, ${rate} a second`;
}

function* describeFamily(family: FamilyResult): Generator<string> {
  const { best, scenarios, profitable } = family;
  const score = scoreOf(best.played);
  yield `${family.family}: ${text(score)} USDT out of the rules; ${profitable} of ${scenarios} pay`;
  yield* describeReplay(best.played);
  if (score > 0) yield* scenarioText(best).split('\n');
  for (const fault of family.faults) yield `FAULT ${fault}`;
}

export function* describeReplay(judgement: Judgement): Generator<string> {
  const { gains, outOfRules, bound, unpaid, total } = judgement;
  yield `  gained ${text(total)}, out of the rules ${text(outOfRules)}, admitted ${text(bound)}`;
  for (const [name, payer] of Object.entries(payers)) {
    const amount = gains[name as keyof Gains];
    if (amount !== 0) yield `  ${text(amount).padStart(16)} ${payer}`;
  }
  if (unpaid !== 0) yield `  ${text(unpaid).padStart(16)} owed at the end, without equity`;
}

/** With its scenario where it is more than an account may have. */
function* describeBreach(
  what: string,
  found: Found,
  { figure, most }: { readonly figure: 'marginUse' | 'capShare'; readonly most: number },
): Generator<string> {
  const value = found.played.terms[figure];
  yield `${what}: ${value.toFixed(4)}`;
  if (value > most) yield* scenarioText(found).split('\n');
}

/** The scenario in the language of the tests; its last line holds when it is played again. */
export function scenarioText({ plan, played }: Found): string {
  const names = attackerNames.slice(0, plan.scenery.money.length).join(' ');
  const gained = `# ${names} gain ${text(played.total)}, ${text(played.outOfRules)} out of the rules.`;
  return [gained, ...played.lines, `wealth ${names} ${played.wealth / usdt}`].join('\n');
}
