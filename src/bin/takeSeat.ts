// The step from a process that follows to the one that writes.

import { isDeepStrictEqual } from 'node:util';
import type { Candidate, Seat } from './enterCluster.ts';
import { standingOf } from './standingMembers.ts';

/**
 * The seat, when this process has the lease and its state is at the end of the log; undefined
 * before. Throws when a skip record was written meanwhile: the others will skip what this process
 * may have executed.
 */
export function takeSeat(candidate: Candidate): Seat | undefined {
  const { thread, servers, holder, recovered, skips, options } = candidate;
  const { journal, stand } = options;
  const { state } = recovered;
  const opened = thread.opened();
  if (opened === undefined || state.position !== opened.log.head().position) return undefined;
  if (!isDeepStrictEqual(opened.skips, skips)) throw new Error(skipsChanged);
  const { log, epoch } = opened;
  journal.info(`this process has the lease of the log, epoch ${epoch}`);
  stand(() => standingOf(state, 'sequencer'));
  return { log, epoch, servers, holder, former: thread.former() };
}

const skipsChanged =
  'a skip record was written while this process waited for the lease: start it again';
