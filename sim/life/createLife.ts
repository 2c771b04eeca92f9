// The program in its world: it starts, ends in every possible way, and starts again. This file also
// does what an operator does when it does not start by itself.

import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import { appendSkip } from '../../src/log/file/skip.ts';
import { LogDamaged } from '../../src/log/log.ts';
import { PoisonCommand } from '../../src/replica/applyBatch.ts';
import type { Prng } from '../../src/std/prng.ts';
import { checkRecovery, viewOf } from './checkRecovery.ts';
import { createLifeNetwork, type LifeNetwork } from './createLifeNetwork.ts';
import { createLifePrices, type LifePrices } from './createLifePrices.ts';
import { createOperator, type Operator } from './createOperator.ts';
import { type Damage, damageLog, damageSnapshot, loseLastBatch } from './damage.ts';
import { countIn, type LifeWorld, logDirectory } from './lifeWorld.ts';
import { createMemory, hashesOf, type Memory } from './memory.ts';
import { type FormerSessions, plantMistake } from './plantMistake.ts';
import { layPoison, type Poison } from './poison.ts';
import type { ClientKey, Crowd, LifeMarket } from './ports.ts';
import { type Program, startProgram } from './startProgram.ts';

/**
 * kill: written data is in the page cache. power: any part of the data that was not synced may be
 * there.
 */
export type Ending = {
  readonly by: 'kill' | 'power';
  /** A bit that flips while it is down, or a database restored to an earlier state. */
  readonly with?: 'logBit' | 'snapshotBit' | 'restored';
};

export type Life = {
  readonly world: LifeWorld;
  readonly network: LifeNetwork;
  readonly operator: Operator;
  readonly prices: LifePrices;
  /** The markets that clients trade. */
  readonly markets: readonly LifeMarket[];
  readonly credentials: readonly ClientKey[];
  readonly prng: Prng;
  /** The program while it serves. */
  readonly program: () => Program | undefined;
  /** Whether there is a program to kill, even one that is stopping. */
  readonly isUp: () => boolean;
  readonly crowd: () => Crowd | undefined;
  readonly setCrowd: (crowd: Crowd) => void;
  /** The number of applied commands of the log. */
  readonly commands: () => number;
  readonly kills: () => number;
  readonly bringUp: () => void;
  /** Ends the program now, and starts it again some time later. */
  readonly takeDown: (ending: Ending) => void;
  /** As after SIGTERM; it does not start again by itself. */
  readonly stop: () => Promise<void>;
  /** Sends a command that will stop the program, if one serves. */
  readonly poison: () => void;
  /** Whether faults have ended. */
  readonly resting: () => boolean;
  /** Ends all faults of the machine, for good. */
  readonly heal: () => void;
  readonly letGo: () => void;
};

type Run = {
  readonly world: LifeWorld;
  readonly prng: Prng;
  readonly memory: Memory;
  readonly prices: LifePrices;
  program: Program | undefined;
  /** It has received the request to stop and serves no more. */
  stopping: Program | undefined;
  operator: Operator | undefined;
  crowd: Crowd | undefined;
  commands: number;
  kills: number;
  poisons: number;
  poison: Poison | undefined;
  damage: Damage | undefined;
  readonly sessions: FormerSessions;
  /** It has reported that it must stop. */
  dying: boolean;
  resting: boolean;
};

export function createLife(world: LifeWorld): Life {
  const { steps, faults, prngOf } = world;
  const markets: LifeMarket[] = [];
  const live: LifeMarket[] = [];
  const credentials: ClientKey[] = [];
  const prices = createLifePrices(steps, prngOf('prices'), markets);
  const run: Run = {
    world,
    prng: prngOf('life'),
    memory: createMemory(),
    prices,
    program: undefined,
    stopping: undefined,
    operator: undefined,
    crowd: undefined,
    commands: 0,
    kills: 0,
    poisons: 0,
    poison: undefined,
    damage: undefined,
    sessions: new Map(),
    dying: false,
    resting: false,
  };
  const network = createLifeNetwork({
    steps,
    prng: prngOf('network'),
    faults,
    listener: () => run.program,
    touched: () => {
      world.touched = true;
    },
  });
  const operator = createOperator({
    world,
    network,
    prng: prngOf('operator'),
    accountOf: (address) => run.program?.state.exchange.accountByAddress.get(address),
    markets,
    live,
    credentials,
  });
  run.operator = operator;
  return {
    world,
    network,
    operator,
    prices,
    markets: live,
    credentials,
    prng: run.prng,
    program: () => run.program,
    isUp: () => run.program !== undefined || run.stopping !== undefined,
    crowd: () => run.crowd,
    setCrowd: (crowd) => {
      run.crowd = crowd;
    },
    commands: () => run.program?.state.commands ?? run.commands,
    kills: () => run.kills,
    bringUp: () => bringUp(run),
    takeDown: (ending) => takeDown(run, ending),
    stop: async () => {
      const { program } = run;
      run.commands = program?.state.commands ?? run.commands;
      run.program = undefined;
      run.stopping = program;
      await program?.stop();
      // Unless it was killed meanwhile, which records the state too.
      if (run.stopping !== undefined) noteLast(run, run.stopping);
      run.stopping = undefined;
    },
    poison: () => poison(run),
    resting: () => run.resting,
    heal: () => heal(run),
    letGo: () => run.poison?.remove(),
  };
}

function heal(run: Run): void {
  const { world, prices } = run;
  run.resting = true;
  prices.heal();
  world.database.mode = 'up';
  world.disk.heal();
  world.clockOffset = 0;
  world.slowUntil = 0;
}

function bringUp(run: Run): void {
  const { world, prng, prices, memory, damage } = run;
  if (run.program !== undefined || world.violations.length > 0) return;
  world.touched = true;
  run.dying = false;
  if (world.faults.hits('recoveryDies')) world.disk.memory.budget = prng.below(8000);
  let program: Program;
  try {
    program = startProgram({
      world,
      prng,
      prices,
      memory,
      onFatal: (error) => endFatally(run, error),
    });
  } catch (error) {
    mend(run, error as Error);
    return;
  }
  if (damage !== undefined) world.violate('a bit of the log was turned, and nobody noticed');
  run.poison?.remove();
  run.poison = undefined;
  run.program = program;
  countIn(world, 'starts');
  if (program.snapshot > 0) countIn(world, 'startsFromSnapshot');
  world.options.tell?.(`starts at batch ${program.state.position}`);
  if (world.options.mistake === 'forgetIdempotency') {
    for (const account of liveAccounts(program.state.exchange)) account.idempotency.clear();
  }
  checkRecovery(world, memory, program.state);
  run.operator?.checkMoney(program.state.exchange, false);
  const view = viewOf(world, program.state, 'start');
  const found = world.options.judged ? (run.crowd?.check(view) ?? []) : [];
  for (const each of found) world.violate(each);
  plantMistake(world.options.mistake, program.state.exchange, run.sessions);
}

/** What an operator does when it does not start. */
function mend(run: Run, error: Error): void {
  const { world, damage, prng } = run;
  const { disk } = world;
  world.options.tell?.(`does not start: ${error.message}`);
  if (error instanceof LogDamaged && damage !== undefined) {
    damage.repair();
    run.damage = undefined;
    countIn(world, 'damageRefused');
  } else if (error instanceof PoisonCommand && run.poison !== undefined) {
    if (error.index === undefined) return world.violate(`the poison was no command: ${error}`);
    disk.memory.kill();
    appendSkip(logDirectory, error.position, error.index, disk.disk);
    run.poison.remove();
    run.poison = undefined;
    countIn(world, 'skipped');
  } else if (disk.isFailing()) {
    disk.full = false;
    disk.memory.losePower(prng);
  } else return world.violate(`the program does not start: ${error.stack}`);
  world.steps.after(1 + prng.below(50), () => bringUp(run));
}

function endFatally(run: Run, error: Error): void {
  const { world, prng } = run;
  if (run.dying) return;
  run.dying = true;
  world.options.tell?.(`stops: ${error.message}`);
  const poisoned = error instanceof PoisonCommand && run.poison !== undefined;
  if (!poisoned && !world.disk.isFailing()) {
    world.violate(`the program stopped: ${error.stack}`);
    return;
  }
  countIn(world, 'fatal');
  world.steps.after(prng.unit() * 5, () => {
    // The thread of the log may have come this far before the process ended.
    if (prng.below(2) === 0) (run.program ?? run.stopping)?.log.finish();
    takeDown(run, { by: prng.below(2) === 0 ? 'kill' : 'power' });
  });
}

/** A program that stopped in the middle of a command has no state. */
function noteLast({ memory, dying }: Run, { state }: Program): void {
  memory.last = dying ? undefined : hashesOf(state);
}

function takeDown(run: Run, { by, with: beside }: Ending): void {
  const { world, prng } = run;
  const program = run.program ?? run.stopping;
  if (program === undefined) return;
  const { disk } = world;
  world.options.tell?.(`ends by ${by} at batch ${program.state.position}`);
  world.touched = true;
  run.kills += 1;
  // Often the writer has finished and the trading thread does not know it yet.
  if (!run.dying && prng.below(2) === 0) program.log.finish();
  run.commands = program.state.commands;
  noteLast(run, program);
  program.kill();
  run.program = undefined;
  run.stopping = undefined;
  if (by === 'power') disk.memory.losePower(prng);
  else disk.memory.kill();
  disk.full = false;
  if (beside === 'logBit') run.damage = damageLog(disk, prng);
  if (beside === 'snapshotBit') damageSnapshot(disk, prng);
  if (beside === 'restored') world.database.restore();
  if (world.options.mistake === 'loseLastBatch' && run.kills % 3 === 2) loseLastBatch(disk);
  const pauseMs = prng.below(10) === 0 ? prng.below(2500) : 5 + prng.below(150);
  world.steps.after(pauseMs, () => bringUp(run));
}

// Outside the network, so that no client repeats it.
function poison(run: Run): void {
  const { program, operator } = run;
  if (program === undefined || run.poison !== undefined || operator === undefined) return;
  run.poisons += 1;
  const request = operator.poison(run.poisons);
  run.poison = layPoison(`poison ${run.poisons}`);
  program.operator(request, () => {});
}
