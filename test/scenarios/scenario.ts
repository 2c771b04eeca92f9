// The language of the scenarios: one line a step, the verbs being the names of commands. Every step
// is followed by the full invariants and by the sum of every account's ledger (BAL-3), and a
// rejected one must leave the state hash as it was. A word that the language does not know is an
// error. The grammar is in docs/rules/README.md.

import { expect, test } from 'vitest';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import { actFor, actForAll } from './act.ts';
import { actConnectionsFor, actOnConnections } from './connectionWords.ts';
import { expectOf, expectOfAll } from './expectWords.ts';
import { checkStep, type Mistake } from './grammar.ts';
import { actLegsFor } from './legWords.ts';
import { actMoneyFor, actMoneyForAll } from './moneyWords.ts';
import { actOnPrices, expectOfPrices } from './priceWords.ts';
import { actReferralFor, actReferralForAll } from './referralWords.ts';
import { actOnRisk, expectOfRisk } from './riskWords.ts';
import { actTriggersFor, expectTriggersOf } from './triggerWords.ts';
import { actOnVault } from './vaultWords.ts';
import { createWorld, drain, type World } from './world.ts';

/** Runs the lines as one test. `title` begins with the codes of the rules it proves. */
export function scenario(title: string, text: string): void {
  test(title, () => {
    play(createWorld(), text, title);
  });
}

/** Runs the lines in a world, for tests that need more than the language says. */
export function play(world: World, text: string, title = 'a step'): World {
  let hashes: string | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.replace(/#.*$/, '');
    if (line.trim() === '') continue;
    const place = `${title}, line ${index + 1}`;
    const [step, outcome, ...more] = line.split('->');
    const isMarket = (symbol: string): boolean => world.exchange.marketBySymbol.has(symbol);
    const mistake = checkStep(step!, isMarket) ?? checkOutcome(step!, outcome, more);
    if (mistake !== undefined) {
      throw new Error(`${place}, column ${mistake.column}: ${mistake.message}: ${line.trim()}`);
    }
    hashes ??= hashesOf(world);
    const where = `${place}: ${line.trim()}`;
    hashes = runStep(world, { step: step!.trim(), expected: outcome?.trim(), where, hashes });
  }
  return world;
}

function checkOutcome(
  step: string,
  outcome: string | undefined,
  more: readonly string[],
): Mistake | undefined {
  const column = step.length + 3;
  if (outcome !== undefined && outcome.trim() === '') return { column, message: 'no outcome' };
  return more.length > 0 ? { column, message: 'a step has one outcome' } : undefined;
}

type Step = {
  readonly step: string;
  readonly expected: string | undefined;
  readonly where: string;
  /** Of the world before the step: nothing happens between two steps. */
  readonly hashes: string;
};

/** Gives the hashes of the world after the step. */
function runStep(world: World, { step, expected, where, hashes: before }: Step): string {
  const words = step.split(/\s+/);
  world.last = undefined;
  const [name, ...rest] = words;
  const known =
    actForAll(world, words) ||
    actMoneyForAll(world, words) ||
    actReferralForAll(world, words) ||
    actOnPrices(world, words) ||
    actOnRisk(world, words) ||
    actOnConnections(world, words) ||
    actOnVault(world, words) ||
    expectOfAll(world, words, where) ||
    expectOfPrices(world, words, where) ||
    expectOfRisk(world, words, where) ||
    actFor(world, name!, rest) ||
    actMoneyFor(world, name!, rest) ||
    actReferralFor(world, name!, rest) ||
    actTriggersFor(world, name!, rest) ||
    actLegsFor(world, name!, rest) ||
    actConnectionsFor(world, name!, rest) ||
    expectTriggersOf(world, name!, rest, where) ||
    expectOf(world, name!, rest, where);
  if (!known) throw new Error(`${where}: no such verb`);
  if (world.last !== undefined) judge(world.last, expected, where);
  else if (expected !== undefined) throw new Error(`${where}: nothing was asked of the exchange`);
  const asked = rest[0] === 'test';
  const after = hashesOf(world);
  if (asked || isRejected(world.last)) expectSame(after, before, `${where}: changes nothing`);
  // A fault must not become a rejection after the state has begun to change.
  const changed = world.last !== undefined && after !== before;
  if (changed) expectSame(world.exchange.committed, true, `${where}: had to succeed`);
  drain(world);
  expectSame(world.unevenLedgers, [], `${where}: rows and balances`);
  expectSame(checkInvariants(world.exchange).failures, [], where);
  return after;
}

const isRejected = (outcome: Outcome | undefined): boolean => outcome?.kind === 'rejected';

// The clock of the last batch is not the step's doing.
const hashesOf = ({ exchange }: World): string =>
  `${stateHash(exchange)} ${priceHash({ ...exchange, time: 0 as typeof exchange.time })}`;

function judge(outcome: Outcome, expected: string | undefined, where: string): void {
  const [status, ...rest] = expected?.split(/\s+/) ?? [];
  if (outcome.kind === 'rejected') {
    const { reason, ...data } = outcome.rejection;
    const reported = JSON.stringify(outcome.rejection);
    expectSame(status, reason, `${where}: was rejected, ${reported}`);
    if (rest.length === 0) return;
    expect(waysToSay(data), `${where}: ${reported}`).toContain(rest.join(' '));
    return;
  }
  expectSame(outcome.kind, 'accepted', where);
  if (expected === undefined) return;
  const { order, trigger, repeated, cancelled, prices } = outcome;
  if (status === 'cancelled') return expectSame(`${cancelled}`, rest.join(' '), where);
  if (status === 'prices') return expectSame(`${prices}`, rest.join(' '), where);
  if (status === 'accepted') return expectSame(rest, [], where);
  const reported = repeated === undefined ? (order ?? trigger)?.status : 'repeated';
  expectSame(reported, status, where);
  if (rest.length > 0) expectSame(order?.cancelReason, rest.join(' '), where);
}

/** The values one after the other, to any of them; or all of them with their names. */
function waysToSay(data: Readonly<Record<string, unknown>>): string[] {
  const values = Object.values(data).map(String);
  const named = Object.entries(data).map(([field, value]) => `"${field}":${JSON.stringify(value)}`);
  return [...values.map((_, at) => values.slice(0, at + 1).join(' ')), named.join(' ')];
}
