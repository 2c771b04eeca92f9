// The members of /health that only a process with a log in PostgreSQL has.

import type { StandingMembers } from '../api/deployment.ts';
import type { ReplicaState } from '../replica/replicaState.ts';
import { systemClock } from '../std/clock.ts';

/** What a process with a log in PostgreSQL is, for probes and for the journal. */
export type ClusterStanding = {
  readonly role: 'candidate' | 'follower' | 'sequencer';
  /** The last batch that it has applied. */
  readonly position: number;
  /** How old that batch is; 0 for the sequencer. */
  readonly lagMs: number;
};

export const standingOf = (
  { position, time }: Pick<ReplicaState, 'position' | 'time'>,
  role: ClusterStanding['role'],
): ClusterStanding => ({
  role,
  position,
  lagMs: role === 'sequencer' ? 0 : Math.max(0, systemClock.now() - time),
});

/** A process that does not know its position yet is a candidate. */
export function standingMembers(standing: ClusterStanding | undefined): StandingMembers {
  if (standing === undefined) return { role: 'candidate' };
  const { role, position, lagMs } = standing;
  return { role, position, lag_ms: lagMs };
}
