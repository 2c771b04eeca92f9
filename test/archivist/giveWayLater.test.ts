// The archivist's thread lowers its priority once, when it has caught up or ten seconds after the
// start.

import { expect, test } from 'vitest';
import { giveWayLater, promptMs } from '../../src/archivist/giveWayLater.ts';

type Started = { now: number; given: number };

function start(): { readonly started: Started; readonly step: (caughtUp: boolean) => void } {
  const started: Started = { now: 1000, given: 0 };
  const giveWay = (): void => {
    started.given += 1;
  };
  return { started, step: giveWayLater({ now: () => started.now }, giveWay) };
}

test('HIST-3 the replay at start runs at the priority of trading threads, later work below it', () => {
  const { started, step } = start();
  step(false);
  started.now += promptMs - 1;
  step(false);
  expect(started.given).toBe(0);
  step(true);
  step(false);
  step(true);
  expect(started.given).toBe(1);
});

test('HIST-3 a long replay runs at the priority of trading threads for at most ten seconds', () => {
  const { started, step } = start();
  started.now += promptMs;
  step(false);
  step(false);
  expect(started.given).toBe(1);
});
