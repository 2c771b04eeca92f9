// The number of gateway workers when no setting says it, and the line of the journal.

import { expect, test } from 'vitest';
import { chooseWorkers, workersFor } from '../../src/bin/chooseWorkers.ts';
import { readConfig } from '../../src/config.ts';

const configOf = (...args: string[]) => readConfig({ args, environment: {}, readFile: () => '{}' });

test('none on two cores, else two fewer than cores, at most six', () => {
  const chosen = [1, 2, 3, 4, 8, 9, 64].map((cores) => workersFor({ cores, platform: 'linux' }));
  expect(chosen).toEqual([0, 0, 1, 2, 6, 6, 6]);
});

test('none where the platform cannot share a port', () => {
  expect(workersFor({ cores: 16, platform: 'darwin' })).toBe(0);
});

test('the number is chosen unless it is set, and the line says which', () => {
  const machine = { cores: 4, platform: 'linux' };
  const unset = chooseWorkers(configOf(), machine);
  expect(unset.config.workers).toBe(2);
  expect(unset.line).toBe('gateway workers serve clients: 2, for 4 cores');
  expect(chooseWorkers(configOf('--workers', 'auto'), machine)).toEqual(unset);
  const set = chooseWorkers(configOf('--workers', '0'), machine);
  expect(set.config.workers).toBe(0);
  expect(set.line).toBe('the trading thread serves clients: no gateway workers, as set');
});

test('it is auto or a whole number', () => {
  expect(() => configOf('--workers', '65')).toThrow('takes auto, or a whole number 0 to 64');
  expect(() => configOf('--workers', 'many')).toThrow('takes auto, or a whole number 0 to 64');
});
