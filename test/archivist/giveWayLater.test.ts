// The archivist's thread gives way once, when it has caught up or ten seconds after the start.

import { expect, test } from 'vitest';
import { giveWayLater, promptMs } from '../../src/archivist/giveWayLater.ts';

type Started = { now: number; given: number; readonly step: (caughtUp: boolean) => void };

function start(): Started {
  const started: Started = {
    now: 1000,
    given: 0,
    step: giveWayLater({ now: () => started.now }, () => {
      started.given += 1;
    }),
  };
  return started;
}

test('HIST-3 a start is caught up with beside those that trade, what comes later behind them', () => {
  const started = start();
  started.step(false);
  started.now += promptMs - 1;
  started.step(false);
  expect(started.given).toBe(0);
  started.step(true);
  started.step(false);
  started.step(true);
  expect(started.given).toBe(1);
});

test('HIST-3 a long replay stands beside those that trade for ten seconds and no longer', () => {
  const started = start();
  started.now += promptMs;
  started.step(false);
  started.step(false);
  expect(started.given).toBe(1);
});
