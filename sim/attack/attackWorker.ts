// The program of a process that searches: it receives one climb after the other, and answers with
// its result. attack.ts starts it; it is never imported.

import { type ClimbTask, gapsOf } from './attack.ts';
import { climb } from './climb.ts';

const gaps = await gapsOf(process.argv[2]);

process.on('message', (task: ClimbTask) => {
  process.send!(climb({ ...task, gaps }));
});
