// Ends the connections that a process before this one has armed and whose ends it could not
// report, because it was killed (COD-6).

import type { EndConnections } from '../engine/connectionCommand.ts';
import { connectionsPerCommandMax } from '../engine/limits.ts';
import { sizesOf } from '../engine/views/exchange.ts';
import type { Replica } from './replica.ts';

type Writing = Pick<Replica, 'exchange' | 'submit' | 'whyRefused'>;

/**
 * Resolves when the log says so durably; to be called before clients are served. Rejects when the
 * replica has stopped. Reports when there were any. `lost` names the connections where other
 * processes may serve some; without it none of the armed ones is served.
 */
export async function endFormerConnections(
  replica: Writing,
  report: (message: string) => void,
  lost?: () => readonly number[],
): Promise<void> {
  const count = (): number => lost?.().length ?? sizesOf(replica.exchange).armedConnections;
  const former = count();
  // A command may wait too long for its place in the log, and is then tried again.
  while (count() > 0) await submitEnd(replica, lost?.().slice(0, connectionsPerCommandMax));
  if (former > 0) report(`${former} armed connections of the process before have ended`);
}

function submitEnd(
  { submit, whyRefused }: Writing,
  connections: EndConnections['connections'],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const waiter = { capture: () => {}, release: resolve };
    const accepted = submit({ kind: 'endConnections', connections }, 'reserve', waiter);
    if (!accepted) reject(new Error(`connections cannot be ended: ${whyRefused('reserve')}`));
  });
}
