// Where deposits and withdrawals are on the chain, as far as they were looked up since the start:
// the newest of each; and the vault's terms. It is shown and decides nothing.

import type {
  ChainPlace,
  DepositPlace,
  LookedUp,
  VaultPlaceOf,
  VaultTerms,
  WithdrawalPlace,
} from '../lookupNode.ts';

/** Deposits, and withdrawals, that are remembered. */
const placesMax = 20_000;

export type Places = {
  readonly take: (found: LookedUp) => void;
  /** As they were read last. */
  readonly terms: () => VaultTerms | null;
  readonly depositAt: (index: number) => DepositPlace | undefined;
  /** What the vault has done last with the id. */
  readonly withdrawalAt: (id: string) => WithdrawalPlace | undefined;
};

export function createPlaces(max: number = placesMax): Places {
  const deposits = new Map<number, DepositPlace>();
  const withdrawals = new Map<string, WithdrawalPlace>();
  let terms: VaultTerms | null = null;
  const take = (place: VaultPlaceOf): void => {
    if (place.kind === 'deposit') {
      remember(deposits, place.index, place, max);
      return;
    }
    const known = withdrawals.get(place.id);
    // Queued is the only state that another one follows; older blocks may be looked up later.
    const isLater = known === undefined || (known.event === 'queued' && place.event !== 'queued');
    if (isLater) remember(withdrawals, place.id, place, max);
  };
  return {
    take: ({ places, terms: read }) => {
      places.forEach(take);
      terms = read ?? terms;
    },
    terms: () => terms,
    depositAt: (index) => deposits.get(index),
    withdrawalAt: (id) => withdrawals.get(id),
  };
}

/** At the bound a newer block takes the room of what came first, and an older one gets none. */
function remember<Key, Place extends ChainPlace>(
  places: Map<Key, Place>,
  key: Key,
  place: Place,
  max: number,
): void {
  for (const [first, { block }] of places) {
    if (places.size < max || places.has(key)) break;
    if (place.block < block) return;
    places.delete(first);
  }
  places.set(key, place);
}
