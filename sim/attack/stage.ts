// A scenario that is being played: lines of the language of test/scenarios drive the real engine,
// and the ledger books what they cause. This file knows no attack.

import type { AccountId } from '../../src/units/units.ts';
import { actFor, actForAll } from '../../test/scenarios/act.ts';
import { actMoneyFor, actMoneyForAll } from '../../test/scenarios/moneyWords.ts';
import { actOnPrices } from '../../test/scenarios/priceWords.ts';
import { actReferralFor } from '../../test/scenarios/referralWords.ts';
import { actOnRisk } from '../../test/scenarios/riskWords.ts';
import { actTriggersFor } from '../../test/scenarios/triggerWords.ts';
import { addressOf, createWorld, type World } from '../../test/scenarios/world.ts';
import { type AttackLedger, bookEvents, createAttackLedger } from './attackLedger.ts';
import { createTermsWatch, type TermsWatch, watchTerms } from './termsWatch.ts';

export type Stage = {
  readonly world: World;
  readonly ledger: AttackLedger;
  readonly terms: TermsWatch;
  /** The names of the attackers' accounts. */
  readonly attackers: ReadonlySet<string>;
  /** Every line that was accepted: played again they give the same. */
  readonly lines: string[];
  rejections: number;
};

export function createStage(attackers: readonly string[]): Stage {
  return {
    world: createWorld(),
    ledger: createAttackLedger(),
    terms: createTermsWatch(),
    attackers: new Set(attackers),
    lines: [],
    rejections: 0,
  };
}

/** Plays a line; gives whether the exchange accepted it. Throws for a line that does nothing. */
export function act(stage: Stage, line: string): boolean {
  const { world, ledger } = stage;
  const words = line.split(' ');
  const [first, ...rest] = words;
  world.last = undefined;
  // The account of a credit gets its number by this line, and its first event has it already.
  if (first === 'credit' && stage.attackers.has(words[1]!)) {
    const known = world.exchange.accountByAddress.get(addressOf(world, words[1]!));
    ledger.attackers.add(known ?? (world.exchange.accounts.length as AccountId));
  }
  const acted =
    actForAll(world, words) ||
    actMoneyForAll(world, words) ||
    actOnPrices(world, words) ||
    actOnRisk(world, words) ||
    actFor(world, first!, rest) ||
    actMoneyFor(world, first!, [...rest]) ||
    actTriggersFor(world, first!, [...rest]) ||
    actReferralFor(world, first!, rest);
  if (!acted) throw new Error(`${line}: a scenario of an attack has no such line`);
  const { events } = world.exchange;
  world.exchange.events = [];
  // Words such as `withdrawal last` look back.
  world.events.push(...events);
  bookEvents(ledger, world.exchange, events);
  watchTerms(stage.terms, world.exchange, events);
  const last = world.last as World['last'];
  if (last?.kind === 'rejected') {
    stage.rejections += 1;
    if (last.rejection.reason === 'fault') throw new Error(`${line}: ${last.rejection.detail}`);
    return false;
  }
  stage.lines.push(line);
  return true;
}
