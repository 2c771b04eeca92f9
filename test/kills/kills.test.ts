// A short campaign of kills over two real processes and a PostgreSQL with a standby: one round
// for each thing that can die, so that every part of the campaign runs. `npm run kills` draws the
// faults instead: two hundred rounds, three processes.

import { expect, test } from 'vitest';
import type { Drawn } from '../../kills/faults.ts';
import { runRounds } from '../../kills/runRounds.ts';
import { findTemplate } from '../fixtures/eachDatabase.ts';

const killHolder: Drawn = { name: 'killHolder', milliseconds: 0, which: 0 };
// Longer than the lease: another process has it when this one wakes.
const freezeHolder: Drawn = { name: 'freezeHolder', milliseconds: 3000, which: 0 };
const killPrimary: Drawn = { name: 'killPrimary', milliseconds: 0, which: 0 };

const plan: readonly (readonly Drawn[])[] = [[freezeHolder], [killHolder, killPrimary]];

test('nothing acknowledged is lost: processes killed, one that wakes, the primary killed', async () => {
  const lines: string[] = [];
  const { violations, endings, acknowledged, rounds } = await runRounds({
    ...{ seed: 1, from: 1, rounds: plan.length, processes: 2 },
    template: await findTemplate(),
    draw: (_, round) => plan[round - 1]!,
    say: (line) => lines.push(line),
  });
  expect(violations, lines.join('\n')).toEqual([]);
  expect(rounds).toBe(plan.length);
  // The one that stood still has left.
  expect(endings['3']).toBeGreaterThan(0);
  expect(acknowledged).toBeGreaterThan(50);
});
