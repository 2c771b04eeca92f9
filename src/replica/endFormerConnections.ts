// Ends the connections that the process before this one has armed and whose ends it could not
// report, because it was killed (COD-6).

import { sizesOf } from '../engine/views/exchange.ts';
import type { Replica } from './replica.ts';

/**
 * Resolves when the log says so durably; to be called before clients are served. Rejects when the
 * replica has stopped. Reports when there were any.
 */
export async function endFormerConnections(
  replica: Pick<Replica, 'exchange' | 'submit' | 'whyRefused'>,
  report: (message: string) => void,
): Promise<void> {
  const former = sizesOf(replica.exchange).armedConnections;
  // A command may wait too long for its place in the log, and is then tried again.
  while (sizesOf(replica.exchange).armedConnections > 0) await submitEnd(replica);
  if (former > 0) report(`${former} armed connections of the process before have ended`);
}

function submitEnd({ submit, whyRefused }: Pick<Replica, 'submit' | 'whyRefused'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const waiter = { capture: () => {}, release: resolve };
    const accepted = submit({ kind: 'endConnections', connections: undefined }, 'reserve', waiter);
    if (!accepted) reject(new Error(`connections cannot be ended: ${whyRefused('reserve')}`));
  });
}
