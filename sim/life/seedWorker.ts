// The program of a process that lives one seed after the other: it is told a seed, and answers with
// what became of it. It is started by runSeeds.ts, never imported.

import { readLife } from './lifeArguments.ts';
import { runLife } from './runLife.ts';

const args = process.argv.slice(2);

process.on('message', (seed: number) => {
  runLife(readLife(seed, args)).then(
    (result) => process.send!(result),
    (error: Error) => {
      throw error;
    },
  );
});
