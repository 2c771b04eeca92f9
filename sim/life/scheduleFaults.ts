// When the faults of a run begin, and how long they last; and the long sleeps of everything, in
// which hours pass at once.

import type { Life } from './createLife.ts';
import type { FaultName } from './faults.ts';
import { countIn } from './lifeWorld.ts';

/** The average time between two sleeps of a short run; the least and the most duration of one. */
const sleepEveryMs = 9000;
const sleepMsMin = 20_000;
const sleepMsMax = 3_300_000;
const stopEveryMs = 30_000;
const backUpEveryMs = 20_000;

export function scheduleFaults(life: Life): void {
  const { world, prng } = life;
  for (const [name, act] of Object.entries(acts(life)) as [FaultName, () => void][]) {
    const next = (): void => {
      const pause = world.faults.pause(name);
      if (pause === undefined) return;
      // Not on a whole millisecond, so that it comes between any two others.
      repeat(life, pause + prng.unit(), () => {
        if (life.isUp()) {
          world.faults.count(name);
          world.options.tell?.(name);
          act();
        }
        next();
      });
    };
    next();
  }
  often(life, sleepEveryMs * world.stretch, () => {
    world.slept += sleepMsMin + prng.below(sleepMsMax - sleepMsMin);
    life.prices.leap();
    countIn(world, 'sleeps');
  });
  often(life, backUpEveryMs, world.database.backUp);
  often(life, stopEveryMs * world.stretch, () => {
    if (life.program() === undefined) return;
    countIn(world, 'stops');
    life.stop().then(
      () => world.steps.after(prng.below(500), life.bringUp),
      (error: Error) => world.violate(`the program could not stop: ${error.stack}`),
    );
    world.touched = true;
  });
}

const ended = (life: Life): boolean => life.crowd() === undefined || life.resting();

function repeat(life: Life, milliseconds: number, step: () => void): void {
  life.world.steps.after(milliseconds, () => {
    if (!ended(life)) step();
  });
}

function often(life: Life, meanMs: number, step: () => void): void {
  repeat(life, life.prng.unit() * 2 * meanMs, () => {
    step();
    often(life, meanMs, step);
  });
}

type Timed = Exclude<
  FaultName,
  'duplicated' | 'reordered' | 'requestLost' | 'answerLost' | 'slowReader' | 'recoveryDies'
>;

function acts(life: Life): Readonly<Record<Timed, () => void>> {
  const { world, prng, prices, takeDown } = life;
  const { disk, database } = world;
  const forSome = (milliseconds: number, over: () => void): void => {
    world.steps.after(milliseconds, over);
  };
  const away = (mode: 'down' | 'silent', milliseconds: number): void => {
    database.mode = mode;
    forSome(milliseconds, () => {
      database.mode = 'up';
    });
  };
  return {
    kill: () => takeDown({ by: 'kill' }),
    powerLoss: () => takeDown({ by: 'power' }),
    tornWrite: () => {
      disk.memory.budget = prng.below(prng.below(2) === 0 ? 600 : 30_000);
    },
    syncError: () => {
      disk.memory.syncFailure = { after: prng.below(4) };
    },
    diskFull: () => {
      disk.full = true;
      forSome(500 + prng.below(5000), () => {
        disk.full = false;
      });
    },
    logBit: () => takeDown({ by: 'power', with: 'logBit' }),
    snapshotBit: () => takeDown({ by: 'kill', with: 'snapshotBit' }),
    slowDisk: () => {
      world.slowUntil = world.steps.now() + 500 + prng.below(3000);
    },
    clockJump: () => {
      const far = prng.below(5) === 0 ? 3_600_000 : 8000;
      world.clockOffset = prng.below(2 * far) - far;
      forSome(500 + prng.below(8000), () => {
        world.clockOffset = 0;
      });
    },
    databaseDown: () => away('down', 200 + prng.below(8000)),
    databaseSilent: () => away('silent', 3000),
    databaseRestored: () => takeDown({ by: 'power', with: 'restored' }),
    indexFrozen: () => prices.afflict('frozen', 500 + prng.below(20_000)),
    indexZero: () => prices.afflict('zero', 500 + prng.below(10_000)),
    indexLying: () => prices.afflict('lying', 300 + prng.below(8000)),
    indexDead: () => prices.afflict('dead', 500 + prng.below(20_000)),
    poison: life.poison,
  };
}
