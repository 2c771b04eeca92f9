// The language of the scenarios: one line a step, the verbs being the names of commands. Every step
// is followed by the full invariants and by the sum of every account's ledger (BAL-3), and a rejected
// one must leave the state hash as it was.
// The grammar stands in docs/rules/README.md.

import { expect, test } from 'vitest';
import { checkInvariants } from '../../src/engine/invariants.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import { priceHash, stateHash } from '../../src/engine/stateHash.ts';
import { actFor, actForAll } from './act.ts';
import { expectOf, expectOfAll } from './expectWords.ts';
import { actMoneyFor, actMoneyForAll } from './moneyWords.ts';
import { actOnPrices, expectOfPrices } from './priceWords.ts';
import { actOnRisk, expectOfRisk } from './riskWords.ts';
import { actTriggersFor, expectTriggersOf } from './triggerWords.ts';
import { createWorld, drain, type World } from './world.ts';

/** Runs the lines as one test. `title` begins with the codes of the rules it proves. */
export function scenario(title: string, text: string): void {
  test(title, () => {
    play(createWorld(), text);
  });
}

/** Runs the lines in a world, for tests that need more than the language says. */
export function play(world: World, text: string): World {
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.replace(/#.*$/, '').trim();
    if (line === '') continue;
    runStep(world, line, `line ${index + 1}: ${line}`);
  }
  return world;
}

function runStep(world: World, line: string, where: string): void {
  const [step, expected] = line.split('->').map((part) => part.trim());
  const words = step!.split(/\s+/);
  const before = hashesOf(world);
  world.last = undefined;
  const [name, ...rest] = words;
  const known =
    actForAll(world, words) ||
    actMoneyForAll(world, words) ||
    actOnPrices(world, words) ||
    actOnRisk(world, words) ||
    expectOfAll(world, words, where) ||
    expectOfPrices(world, words, where) ||
    expectOfRisk(world, words, where) ||
    actFor(world, name!, rest) ||
    actMoneyFor(world, name!, rest) ||
    actTriggersFor(world, name!, rest) ||
    expectTriggersOf(world, name!, rest, where) ||
    expectOf(world, name!, rest, where);
  if (!known) throw new Error(`${where}: no such verb`);
  if (world.last !== undefined) judge(world.last, expected, where);
  else if (expected !== undefined) throw new Error(`${where}: nothing was asked of the exchange`);
  const asked = rest[0] === 'test';
  const after = hashesOf(world);
  if (asked || isRejected(world.last)) expect(after, `${where}: changes nothing`).toBe(before);
  // What has begun to change the state must not become a rejection by a fault.
  const changed = world.last !== undefined && after !== before;
  if (changed) expect(world.exchange.sure, `${where}: had to succeed`).toBe(true);
  drain(world);
  expect(world.unevenLedgers, `${where}: rows and balances`).toEqual([]);
  expect(checkInvariants(world.exchange).failures, where).toEqual([]);
}

const isRejected = (outcome: Outcome | undefined): boolean => outcome?.kind === 'rejected';

// The clock of the last batch is not the step's doing.
const hashesOf = ({ exchange }: World): string =>
  `${stateHash(exchange)} ${priceHash({ ...exchange, time: 0 as typeof exchange.time })}`;

function judge(outcome: Outcome, expected: string | undefined, where: string): void {
  if (outcome.kind === 'rejected') {
    const told = JSON.stringify(outcome.rejection);
    expect(expected?.split(' ')[0], `${where}: was rejected, ${told}`).toBe(
      outcome.rejection.reason,
    );
    const data = expected?.split(' ').slice(1) ?? [];
    for (const part of data) expect(told, where).toContain(part);
    return;
  }
  expect(outcome.kind, where).toBe('accepted');
  if (expected === undefined) return;
  const [status, reason] = expected.split(' ');
  const { order, trigger, repeated, cancelled, prices } = outcome;
  if (status === 'accepted') return;
  if (status === 'cancelled') return expect(String(cancelled), where).toBe(reason);
  if (status === 'prices') return expect(String(prices), where).toBe(reason);
  const told = repeated === undefined ? (order ?? trigger)?.status : 'repeated';
  expect(told, where).toBe(status);
  if (reason !== undefined) expect(order?.cancelReason, where).toBe(reason);
}
