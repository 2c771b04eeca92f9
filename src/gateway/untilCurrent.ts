// Waits until a replica knows what other processes have made: a login or a key that this process
// does not know may be a moment old.

import type { Refusal } from '../api/refusal.ts';
import type { Gateway } from './gateway.ts';

/**
 * Resolves when the state has everything that was durable at the call, wherever it was written; at
 * once where no other process writes. With a refusal it cannot be known now. Waiting costs one
 * question to the process that writes, for all that wait in one turn.
 */
export function untilCurrent({ replica }: Pick<Gateway, 'replica'>): Promise<Refusal | undefined> {
  const { whenCurrent } = replica;
  if (whenCurrent === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    whenCurrent(
      () => resolve(undefined),
      (reason) => resolve({ reason }),
    );
  });
}
