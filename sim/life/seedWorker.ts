// The program of a process that runs one seed after the other: it receives a seed, and answers with
// the result. runSeeds.ts starts it; it is never imported.

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
