// A process that trades for the benchmark of restarts and kills itself: the replica that trades,
// with the archivist and history beside it as in the program, at a steady speed. Asked once by a
// message.

import { createJournal } from '../src/bin/journal.ts';
import { openFollowers } from '../src/bin/openFollowers.ts';
import { loadConfig } from '../src/config.ts';
import { figuresOf } from '../src/replica/replicaState.ts';
import { createEngineLog } from './engineLog.ts';
import { createStream, type StreamShape } from './orderStreams.ts';
import { check } from './report.ts';
import { playThroughReplica } from './throughReplica.ts';

/** A batch counts as a millisecond, so the last one is in the past. */
const agoMs = 60_000;

export type RestartPlan = {
  readonly path: string;
  readonly shape: StreamShape;
  readonly perSecond: number;
};

/** Sent before it kills itself. */
export type RestartWritten = {
  readonly commands: number;
  readonly resting: number;
  /** Commands a second in all. */
  readonly rate: number;
};

async function write({ path, shape, perSecond }: RestartPlan): Promise<RestartWritten> {
  const engineLog = createEngineLog(createStream(shape), Date.now() - agoMs);
  const { state, submitted, seconds } = await playThroughReplica(path, engineLog, {
    perSecond,
    follow: ({ directory, log, state }) => {
      const { archivist } = openFollowers({
        config: loadConfig(['--data', path], {}),
        ...{ directory, state, skips: [], journal: createJournal('warn'), follows: false },
        onFatal: (error) => {
          throw error;
        },
        durablePosition: () => log.head().position,
      });
      return archivist.follow;
    },
  });
  const { eventHash } = figuresOf(state);
  check(eventHash === engineLog.eventHash, `events hash to ${eventHash}`);
  const { resting } = engineLog.stream.result;
  return { commands: submitted, resting, rate: submitted / seconds };
}

process.once('message', (plan: RestartPlan) => {
  write(plan).then(
    (written) => process.send!(written, () => process.kill(process.pid, 'SIGKILL')),
    (error: Error) => {
      process.stderr.write(`${error.stack}\n`);
      process.exit(1);
    },
  );
});
