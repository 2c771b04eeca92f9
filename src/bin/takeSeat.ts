// The step from a process that follows to the one that writes.

import { isDeepStrictEqual } from 'node:util';
import { ConfigError } from '../config.ts';
import { whyNotLead } from './checkVault.ts';
import type { Candidate, Seat } from './enterCluster.ts';
import { standingOf } from './standingMembers.ts';

/**
 * The seat, when this process has the lease and its state is at the end of the log; undefined
 * before. Throws when a skip record was written meanwhile: the others will skip what this process
 * may have executed; and `ConfigError` when the log was bound to a vault that it does not have.
 */
export function takeSeat(candidate: Candidate): Seat | undefined {
  const { thread, servers, holder, recovered, skips, options } = candidate;
  const { journal, stand } = options;
  const { state } = recovered;
  const opened = thread.opened();
  if (opened === undefined || state.position !== opened.log.head().position) return undefined;
  if (!isDeepStrictEqual(opened.skips, skips)) throw new Error(skipsChanged);
  // The log was bound with its last batches, after this process had said that it may lead.
  const unfit = whyNotLead(options.config, state.exchange);
  if (unfit !== undefined) throw new ConfigError(`This process gives the lease back: ${unfit}.`);
  const { log, epoch } = opened;
  journal.info(`this process has the lease of the log, epoch ${epoch}`);
  stand(() => standingOf(state, 'sequencer'));
  return { log, epoch, servers, holder, former: thread.former() };
}

const skipsChanged =
  'a skip record was written while this process waited for the lease: start it again';
