// One run of the exchange, from the seed to the last check: markets and money first; then clients,
// time and faults until the log has its commands; then rest; then the checks of what is left.

import { checkEnd, finalOf } from './checkEnd.ts';
import { viewOf } from './checkRecovery.ts';
import { createCrowd } from './clients/createCrowd.ts';
import { createLife, type Life } from './createLife.ts';
import { countIn, createLifeWorld, type LifeOptions } from './lifeWorld.ts';
import { scheduleFaults } from './scheduleFaults.ts';

export type LifeResult = {
  readonly seed: number;
  /** Commands of the log. */
  readonly commands: number;
  readonly faults: Readonly<Record<string, number>>;
  /** How often the program ended without a request to stop. */
  readonly kills: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Virtual hours, with the sleep of everything. */
  readonly hours: number;
  readonly violations: readonly string[];
  readonly stateHash: string;
};

/** Steps without a command after which a run counts as stuck. */
const idleStepsMax = 400_000;
const setUpStepsMax = 200_000;
const restMs = 6_000;
const restMsMax = 120_000;

/** The same options give the same result. */
export async function runLife(options: LifeOptions): Promise<LifeResult> {
  const world = createLifeWorld(options);
  const life = createLife(world);
  const { steps } = world;
  let stateHash = '';
  try {
    life.bringUp();
    let ready = false;
    life.operator.setUp().then(
      () => {
        ready = true;
      },
      (error: Error) => world.violate(`nothing could be set up: ${error.stack}`),
    );
    await takeUntil(life, () => ready, setUpStepsMax);
    await live(life);
    await rest(life);
    stateHash = await end(life);
  } catch (error) {
    world.violate(`the simulation stopped: ${(error as Error).stack}`);
  } finally {
    life.program()?.kill();
    life.letGo();
    world.database.remove();
  }
  const { counts, violations, faults } = world;
  return {
    seed: options.seed,
    commands: life.commands(),
    faults: faults.counts,
    kills: life.kills(),
    counts: { ...counts, steps: steps.taken() },
    hours: Math.round((steps.now() + world.slept) / 36_000) / 100,
    violations,
    stateHash,
  };
}

/** Takes steps until then; false when something is wrong first, or it takes too many. */
async function takeUntil(life: Life, done: () => boolean, stepsMax: number): Promise<boolean> {
  const { world } = life;
  for (let taken = 0; taken < stepsMax; taken += 1) {
    if (world.touched) {
      world.touched = false;
      // Every promise that can continue has continued before the next step.
      await new Promise(setImmediate);
    }
    if (done()) return true;
    if (world.violations.length > 0 || !world.steps.take()) return false;
  }
  return done();
}

async function live(life: Life): Promise<void> {
  const { world, operator, network } = life;
  const crowd = createCrowd(
    {
      network,
      clock: {
        now: world.clock.now,
        after: (milliseconds, step) => void world.steps.after(milliseconds, step),
      },
      prng: world.prngOf('crowd'),
      credentials: life.credentials,
      markets: life.markets,
      count: (name) => countIn(world, name),
    },
    { requestsPerSecond: world.options.requestsPerSecond },
  );
  life.setCrowd(crowd);
  crowd.start();
  operator.begin();
  world.faults.begin();
  scheduleFaults(life);
  const { commands } = world.options;
  let before = 0;
  for (;;) {
    const target = Math.min(commands, life.commands() + 1000);
    if (await takeUntil(life, () => life.commands() >= target, idleStepsMax)) {
      if (life.commands() >= commands) return;
      before = life.commands();
      continue;
    }
    if (world.violations.length === 0) {
      world.violate(`no progress: ${life.commands()} commands, ${before} a while ago`);
    }
    return;
  }
}

/** All clients stop, all faults end, and what is under way finishes. */
async function rest(life: Life): Promise<void> {
  const { world, operator } = life;
  if (world.violations.length > 0) return;
  world.faults.end();
  life.heal();
  life.crowd()?.stop();
  operator.end();
  const from = world.steps.now();
  const isQuiet = (): boolean => {
    const waited = world.steps.now() - from;
    return waited > restMs && life.program() !== undefined && operator.idle();
  };
  const isOver = (): boolean => isQuiet() || world.steps.now() - from > restMsMax;
  await takeUntil(life, isOver, Number.MAX_SAFE_INTEGER);
  if (!isQuiet()) world.violate('the exchange did not come to rest');
}

async function end(life: Life): Promise<string> {
  const { world } = life;
  const program = life.program();
  if (program === undefined || world.violations.length > 0) return '';
  const stopped = life.stop();
  let isStopped = false;
  stopped.then(
    () => {
      isStopped = true;
    },
    (error: Error) => world.violate(`the program could not stop: ${error.stack}`),
  );
  world.touched = true;
  const over = world.steps.now() + restMsMax;
  await takeUntil(life, () => isStopped || world.steps.now() > over, Number.MAX_SAFE_INTEGER);
  if (!isStopped) world.violate('the program does not stop');
  if (world.violations.length > 0) return '';
  const { state } = program;
  const { size: armed } = state.exchange.connections.armed;
  // A stop closes every socket (COD-6).
  if (armed > 0) world.violate(`${armed} connections are armed after the stop`);
  const view = viewOf(world, state, 'end');
  const judged = world.options.judged ? (life.crowd()?.check(view) ?? []) : [];
  for (const found of judged) world.violate(found);
  life.operator.checkMoney(state.exchange, true);
  const final = finalOf(state);
  await checkEnd(world, final);
  return final.stateHash;
}
