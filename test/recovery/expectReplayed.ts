// After a kill: a server's state against the replay of its files.

import { expect } from 'vitest';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import type { RunningServer } from '../fixtures/startServer.ts';

/**
 * Expects a server without clients to have the state that its files have, and gives the position.
 * A timer may run out between the two questions (fees are shared once a minute, for example),
 * so they are asked until both speak of one position.
 */
export async function expectReplayed({ operator }: RunningServer, data: string): Promise<number> {
  for (;;) {
    const hashes = await operator.getStateHash();
    const { position, state_hash, price_hash } = verifyDirectory(findDataDirectory(data));
    if (position !== hashes.position) continue;
    expect(hashes).toEqual({ position, state_hash, price_hash });
    return position;
  }
}
