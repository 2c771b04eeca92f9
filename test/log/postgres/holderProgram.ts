// A process that waits for the lease and then appends without an end. It prints a line for what it
// does: `durable POSITION HASH` after each acknowledgement, `ended MESSAGE` when it leaves. With a
// name it is one of the processes of the deployment, and says that it follows the log.

import { randomUUID } from 'node:crypto';
import { logBeginning } from '../../../src/log/log.ts';
import { createLane } from '../../../src/log/postgres/createLane.ts';
import { createServers } from '../../../src/log/postgres/createServers.ts';
import type { HeldLog } from '../../../src/log/postgres/holdLog.ts';
import { joinMembers } from '../../../src/log/postgres/joinMembers.ts';
import { openPostgresLog } from '../../../src/log/postgres/openPostgresLog.ts';
import { stopwatchMs, systemClock } from '../../../src/std/clock.ts';
import { systemScheduler } from '../../../src/std/scheduler.ts';

const [urls = '', chain = '', replicated = '', member = ''] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const holder = member === '' ? randomUUID() : member;
const replicatedStorage = replicated === 'replicated';
const servers = createServers({
  ...{ urls, replicatedStorage },
  applicationName: `evermark ${holder}`,
  scheduler: systemScheduler,
});
let held: HeldLog | undefined;
if (member !== '') {
  let seen = 0;
  const follower = createLane(servers, systemScheduler);
  const follow = async (): Promise<void> => {
    const text = 'select coalesce(max(position), 0)::bigint as last from evermark.batch';
    const outcome = await follower.run({ name: 'last', text, values: [] });
    if (outcome.kind === 'clean') seen = outcome.rows[0]!.last as number;
    setTimeout(follow, 100);
  };
  void follow();
  joinMembers({
    lane: createLane(servers, systemScheduler),
    scheduler: systemScheduler,
    stopwatch: stopwatchMs,
    describe: () => ({
      ...{ process: holder, address: `at ${holder}`, release: '1.0.0', engineHash: 'ab' },
      role: held === undefined ? 'follower' : 'holder',
      position: held?.head().position ?? seen,
    }),
    onHandover: (heir) => {
      held?.handOver(heir).then(() => {
        say('ended handover');
        process.exit(0);
      });
    },
    report: say,
  });
}
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
  held = log;
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
