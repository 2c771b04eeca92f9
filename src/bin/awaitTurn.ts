// A process that waits for the lease applies what its holder writes, until it has the lease itself,
// or has caught up with a holder that is alive and may serve what it follows.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { openLogReader } from '../log/file/openLogReader.ts';
import type { LogBatch, LogFollower, LogPlace } from '../log/log.ts';
import { placeOf } from '../log/postgres/catchUp.ts';
import { checkForward } from '../replica/activateEngine.ts';
import { applyBatch } from '../replica/applyBatch.ts';
import { EngineLeft, shortHash } from '../replica/engines.ts';
import { engineHashOf, figuresOf } from '../replica/replicaState.ts';
import { createSkipIndex, type SkipIndex } from '../replica/skipIndex.ts';
import { must } from '../std/assert.ts';
import { stopwatchMs } from '../std/clock.ts';
import { createCandidacy } from './createCandidacy.ts';
import { besidesOf } from './createOrderShare.ts';
import { type Candidate, loadEngines, type Seat } from './enterCluster.ts';
import { standingOf } from './standingMembers.ts';
import { startLogArchivist } from './startLogArchivist.ts';
import { takeSeat } from './takeSeat.ts';

type SeenLease = NonNullable<ReturnType<Candidate['thread']['seen']>>;

export type Turn =
  | { readonly kind: 'write'; readonly seat: Seat }
  /** The state is at this place, and the present engine runs it. */
  | { readonly kind: 'follow'; readonly place: LogPlace };

/** Rejects with `StoppedWaiting`, and with what stops the process. */
export async function awaitTurn(candidate: Candidate): Promise<Turn> {
  const { thread, recovered, head, skips, holder, options, rest } = candidate;
  const declare = createCandidacy(candidate);
  const { directory, journal, stand } = options;
  const { state } = recovered;
  const { hash } = state.engines.present;
  checkForward(state.ran, hash);
  const index = createSkipIndex(skips);
  const follower = openLogReader(directory.log).follow(placeOf(head));
  // It compares and takes snapshots, and writes no history.
  const archivist = startLogArchivist({ ...options, state, skips }, { follows: false });
  stand(() => standingOf(state, 'candidate'));
  try {
    declare();
    if (state.position > 0 && engineHashOf(state) !== hash) {
      journal.info(
        `the log is run by engine ${shortHash(engineHashOf(state))}, and this release has engine ` +
          `${shortHash(hash)}: it takes over when no process with the former one lives`,
      );
    }
    let first: SeenLease | undefined;
    for (;;) {
      const followed = must(thread.followed(), 'the segments are filled');
      await applyUpTo(candidate, { follower, skips: index, position: followed.position });
      declare();
      archivist.follow(figuresOf(state));
      thread.forgetOrigins(state.position);
      const seat = takeSeat(candidate);
      if (seat !== undefined) return { kind: 'write', seat };
      const seen = thread.seen();
      const isOther = seen !== undefined && !seen.released && seen.holder !== holder;
      if (isOther && first === undefined) {
        journal.info(`the process at ${seen.address} has the lease of the log; this one waits`);
      }
      first ??= isOther ? seen : undefined;
      if (isOther && isRenewed(first!, seen) && mayFollow(candidate, seen)) {
        return { kind: 'follow', place: placeOf(followed) };
      }
      if (thread.followed() === followed) await rest();
    }
  } finally {
    follower.close();
    // It starts anew with its other duties.
    await archivist.close();
  }
}

/** Its holder lives. */
const isRenewed = (first: SeenLease, seen: SeenLease): boolean =>
  first.holder !== seen.holder || first.renewal !== seen.renewal;

/** Whether what this process has can be shown: it is not behind, and will be continued in place. */
function mayFollow({ recovered, thread }: Candidate, { durable }: SeenLease): boolean {
  const { state } = recovered;
  if (thread.opened() !== undefined || state.position === 0) return false;
  return state.position >= durable && engineHashOf(state) === state.engines.present.hash;
}

type Applying = {
  readonly follower: LogFollower;
  readonly skips: SkipIndex;
  readonly position: number;
};

/** The thread answers probes between two of these. */
const stepMs = 20;

async function applyUpTo(
  candidate: Candidate,
  { follower, skips, position }: Applying,
): Promise<void> {
  const { recovered, thread, link } = candidate;
  const { state } = recovered;
  let began = stopwatchMs();
  while (state.position < position) {
    const batch = follower.next(position);
    if (batch !== undefined) {
      if (batch.engineHash !== engineHashOf(state)) await meetEngine(candidate, batch);
      applyBatch(state, batch, skips);
      const { position: at, count } = batch;
      link.orders.count(besidesOf({ origins: thread.originsOf(at), count }));
    }
    if (stopwatchMs() - began < stepMs) continue;
    await nextTurn();
    began = stopwatchMs();
  }
}

/** Before a batch of another engine. Throws `EngineLeft` if the log leaves the present one. */
async function meetEngine(
  { recovered: { state }, servers, options }: Candidate,
  { position, engineHash }: LogBatch,
): Promise<void> {
  const { hash } = state.engines.present;
  if (engineHash === hash) return;
  if (state.ran.some((range) => range.hash === hash)) {
    throw new EngineLeft(
      `with batch ${position} engine ${shortHash(engineHash)} takes over from this release's ` +
        `engine ${shortHash(hash)}, and a log does not go back: start the release of that engine`,
    );
  }
  await loadEngines(servers, options.directory);
}
