// The members of /health that only a process with a log in PostgreSQL has.

import type { StandingMembers } from '../api/deployment.ts';
import type { ClusterStanding } from './awaitLease.ts';

/** A process that does not know its position yet is a candidate. */
export function standingMembers(standing: ClusterStanding | undefined): StandingMembers {
  if (standing === undefined) return { role: 'candidate' };
  const { role, position, lagMs } = standing;
  return { role, position, lag_ms: lagMs };
}
