// One scenario: drawn, applied to the oracle and to the engine, compared after every command; and
// the search for the shortest list of commands that still differs.

import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Event } from '../../src/engine/event.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { createPrng, seedOf } from '../../src/std/prng.ts';
import type { Time } from '../../src/units/units.ts';
import { applyNaive, beginNaive } from './applyNaive.ts';
import { allDifferences, compareOutcomes, compareWithEngine } from './compareWithEngine.ts';
import { drawCommand } from './drawCommand.ts';
import { drawVault, throughVault, vaultOpening } from './drawVault.ts';
import { drawWorld, fuzzStart } from './drawWorld.ts';
import { conservationFault } from './naiveFigures.ts';
import { count, createNaiveState, type NaiveState } from './naiveState.ts';

export type Step = { readonly time: number; readonly command: Command };

export type Scenario = {
  readonly seed: number;
  readonly steps: readonly Step[];
  readonly difference: string | undefined;
  readonly tally: ReadonlyMap<string, number>;
};

type Pair = { readonly state: NaiveState; readonly exchange: Exchange };

function createPair(): Pair {
  const pair = { state: createNaiveState(), exchange: createExchange(43113) };
  beginNaive(pair.state, fuzzStart);
  beginBatch(pair.exchange, fuzzStart as Time);
  return pair;
}

/** Applies a step to both; gives the first difference or violation of the engine's invariants. */
function take({ state, exchange }: Pair, { time, command }: Step): string | undefined {
  try {
    if (time > exchange.time) {
      beginNaive(state, time);
      beginBatch(exchange, time as Time);
    }
    const expected = applyNaive(state, command);
    const outcome = applyCommand(exchange, command, 0 as Time);
    const late = filledAfterItsEnd(exchange.events.splice(0));
    if (late !== undefined) return `engine: order ${late} filled after its end`;
    count(state, expected.reason ?? `accepted ${command.kind}`);
    if (command.kind === 'requestWithdrawal' && outcome.kind === 'accepted') {
      state.vault.withdrawals.at(-1)!.id = outcome.withdrawal!.id;
    }
    const { order } = expected;
    if (order?.cancelReason === 'MARGIN' && order.filled === 0n) return `ORD-2c: ${order.name}`;
    const reported = compareOutcomes(expected, outcome) ?? compareWithEngine(state, exchange);
    if (reported !== undefined) return `${reported}\n${allDifferences(state, exchange)}`;
    const fault = conservationFault(state);
    if (fault !== undefined) return `oracle: ${fault}`;
    const { failures } = checkInvariants(exchange);
    return failures.length === 0 ? undefined : `engine: ${failures.join('; ')}`;
  } catch (error) {
    return `thrown: ${error instanceof Error ? error.stack : String(error)}`;
  }
}

/** An order's events show its life in order. */
function filledAfterItsEnd(events: readonly Event[]): number | undefined {
  const ended = new Set<number>();
  for (const event of events) {
    if (event.kind === 'orderEnded') ended.add(event.order.id);
    if (event.kind !== 'traded') continue;
    const late = [event.taker, event.maker].find(({ order }) => ended.has(order));
    if (late !== undefined) return late.order;
  }
  return undefined;
}

/** With a vault its money comes and goes by facts of a chain. */
export function runScenario(seed: number, hasVault = false): Scenario {
  const pair = createPair();
  const { tally } = pair.state;
  const steps: Step[] = [];
  const drawn = drawnSteps(seed, pair.state);
  for (const step of hasVault ? withVault(seed, drawn, pair.state) : drawn) {
    steps.push(step);
    const difference = take(pair, step);
    if (difference !== undefined) return { seed, steps, difference, tally };
  }
  return { seed, steps, difference: undefined, tally };
}

/** The steps of a scenario for tests that compare something else: the oracle alone takes them. */
export function drawSteps(seed: number): readonly Step[] {
  const state = createNaiveState();
  beginNaive(state, fuzzStart);
  let last = fuzzStart;
  const steps: Step[] = [];
  for (const step of drawnSteps(seed, state)) {
    steps.push(step);
    if (step.time > last) beginNaive(state, step.time);
    last = step.time;
    applyNaive(state, step.command);
  }
  return steps;
}

/** Each is drawn from the state that the one before it led to. */
function* drawnSteps(seed: number, state: NaiveState): Generator<Step> {
  const { fuzz, commands } = drawWorld(createPrng(seed));
  for (let at = 0; at < commands.length + fuzz.length; at += 1) {
    const command = commands[at] ?? drawCommand(fuzz, state);
    yield { time: fuzz.time, command };
  }
}

/** Each draw sees the state after the step before it: both generators are asked one by one. */
function* withVault(seed: number, drawn: Iterable<Step>, state: NaiveState): Generator<Step> {
  const prng = createPrng(seedOf(seed, 'vault'));
  for (const command of vaultOpening) yield { time: fuzzStart, command };
  for (const { time, command } of drawn) {
    yield { time, command: throughVault(prng, state, command) };
    // The opening numbers its accounts itself.
    const more = time > fuzzStart ? prng.below(3) : 0;
    for (let at = 0; at < more; at += 1) yield { time, command: drawVault(prng, state) };
  }
}

/** The first difference when the steps are taken again. */
export function replaySteps(steps: readonly Step[]): string | undefined {
  const pair = createPair();
  for (const step of steps) {
    const difference = take(pair, step);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/**
 * Drops steps that a difference of the same kind does not need: halves first, then single steps.
 */
export function shrinkSteps(steps: readonly Step[], difference: string): readonly Step[] {
  let kept = steps;
  const wanted = kindOf(difference);
  for (let size = Math.ceil(steps.length / 2); size >= 1; ) {
    const before = kept.length;
    for (let at = kept.length - size; at >= 0; at -= size) {
      const fewer = [...kept.slice(0, at), ...kept.slice(at + size)];
      const found = replaySteps(fewer);
      if (found !== undefined && kindOf(found) === wanted) kept = fewer;
    }
    if (size === 1 && kept.length === before) return kept;
    if (size > 1) size = Math.floor(size / 2);
  }
  return kept;
}

/**
 * The kind of a difference, without its numbers: a step that names a dropped thing is another kind.
 */
const kindOf = (difference: string): string =>
  difference.replace(/oracle [^,]*, engine.*|\n.*/s, '').replaceAll(/\d+/g, '');
