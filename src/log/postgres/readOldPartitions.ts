// Which partitions of the log may be archived: whole ones that are durable, and that end well
// before the end of the log.

import { askBriefly, type Session } from './openSession.ts';
import type { EndedPartition } from './partitions.ts';
import { tailLength } from './readTail.ts';

// What the holder knows as durable stands in the lease. The end of the log is read from its last
// batches, which must stay.
const query =
  'select first, next, position, hash from evermark.lease ' +
  `join evermark.part on next - 1 + ${tailLength} <= durable ` +
  'join evermark.batch on position = next - 1 order by first';

/** The oldest first. */
export async function readOldPartitions({
  client,
}: Pick<Session, 'client'>): Promise<EndedPartition[]> {
  return (await askBriefly(client, query)).rows as EndedPartition[];
}
