// Mixes the events of cancel on disconnect (COD-1) into the running hash of events (eventHash.ts),
// and passes those of the vault on.

import { type Hash, hashNumber, hashPair } from '../../std/hash.ts';
import type { ConnectionEvent } from '../connectionEvent.ts';
import type { VaultEvent } from '../vaultEvent.ts';
import { hashVaultEvent } from './hashVaultEvent.ts';

/** Each begins with the number of its kind, which no other kind of event has. */
export function hashConnectionEvent(hash: Hash, event: ConnectionEvent | VaultEvent): void {
  switch (event.kind) {
    case 'connectionArmed':
      hashPair(hash, 90, event.markets.length);
      hashNumber(hash, event.account);
      hashNumber(hash, event.connection);
      for (const market of event.markets) hashNumber(hash, market);
      return;
    case 'connectionDisarmed':
    case 'connectionEnded':
      hashPair(hash, event.kind === 'connectionDisarmed' ? 91 : 92, 0);
      hashNumber(hash, event.account);
      hashNumber(hash, event.connection);
      return;
    case 'disconnectApplied':
      hashPair(hash, 93, event.market);
      hashNumber(hash, event.account);
      hashNumber(hash, event.cancelled);
      hashNumber(hash, event.work);
      return;
    default:
      hashVaultEvent(hash, event);
      return;
  }
}
