// Reports a difference between the oracle and the engine so that it can be found quickly: the seed,
// the shortest list of commands that still shows it, and the result of each of the two.

import { replaySteps, type Scenario, shrinkSteps } from './fuzz.ts';

export function tellDifference({ seed, steps, difference = '' }: Scenario): string {
  const shortest = shrinkSteps(steps, difference);
  return [
    `seed ${seed}, command ${steps.length}: ${difference}`,
    `shortest scenario found, ${shortest.length} commands:`,
    ...shortest.map(({ time, command }) => `  ${time} ${JSON.stringify(command)}`),
    `it differs: ${replaySteps(shortest)}`,
  ].join('\n');
}
