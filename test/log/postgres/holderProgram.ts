// A process that waits for the lease and then appends without an end. It prints a line for what it
// does: `durable POSITION HASH` after each acknowledgement, `ended MESSAGE` when it leaves.

import { randomUUID } from 'node:crypto';
import { logBeginning } from '../../../src/log/log.ts';
import { createServers } from '../../../src/log/postgres/createServers.ts';
import { openPostgresLog } from '../../../src/log/postgres/openPostgresLog.ts';
import { systemClock } from '../../../src/std/clock.ts';
import { systemScheduler } from '../../../src/std/scheduler.ts';

const [urls = '', chain = '', replicated = ''] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const holder = randomUUID();
const replicatedStorage = replicated === 'replicated';
const servers = createServers({
  ...{ urls, replicatedStorage },
  applicationName: `evermark ${holder}`,
  scheduler: systemScheduler,
});
try {
  const log = await openPostgresLog({
    ...{ servers, holder, replicatedStorage },
    expected: { deployment: undefined, chain: Number(chain) },
    address: 'test',
    known: () => logBeginning,
    clock: systemClock,
    scheduler: systemScheduler,
    report: (message) => process.stderr.write(`${message}\n`),
  });
  const append = (): void => {
    while (log.ready()) {
      const commands = Buffer.from(`${holder} ${log.head().position}`);
      log.append({ time: systemClock.now(), engineHash: 'ab', count: 1, commands });
    }
  };
  log.onDurable(({ position, hash }) => {
    say(`durable ${position} ${hash.toString('hex')}`);
    setTimeout(append, 5);
  });
  log.onFailure((error) => {
    say(`ended ${error.message}`);
    process.exit(1);
  });
  append();
} catch (error) {
  say(`ended ${(error as Error).message}`);
  process.exit(1);
}
