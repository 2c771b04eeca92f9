// Mixes the events about a vault (VLT-1) into the running hash of events (eventHash.ts).

import { type Hash, hashNumber, hashPair, hashText } from '../../std/hash.ts';
import { enumerationIndex } from '../codec/enumeration.ts';
import type { VaultEvent } from '../vaultEvent.ts';
import { withdrawalStates } from '../vaultLedger.ts';
import { hashBinding } from './encodeVault.ts';

/** Each begins with the number of its kind, which no other kind of event has. */
export function hashVaultEvent(hash: Hash, event: VaultEvent): void {
  switch (event.kind) {
    case 'vaultBound':
      hashPair(hash, 100, 0);
      hashBinding(hash, event.binding);
      return;
    case 'depositParked':
      hashPair(hash, 101, 0);
      hashText(hash, event.address);
      hashNumber(hash, event.index);
      hashNumber(hash, event.amount);
      return;
    case 'withdrawalAdvanced':
      hashPair(hash, 102, enumerationIndex(withdrawalStates, event.state));
      hashNumber(hash, event.id);
      hashNumber(hash, event.account);
      return;
    case 'withdrawalTermsSet':
      hashPair(hash, 103, 0);
      hashNumber(hash, event.min);
      hashNumber(hash, event.fee);
      return;
  }
}
