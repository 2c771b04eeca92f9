// Counts what each client has open, connections or sockets, and decides whether it may open one
// more: by its limit key, and for IPv6 by the /48 of that key (CON-1, WS-5).

import { siteKeyOf } from './identity/limitKey.ts';

/** All clients of one IPv6 /48 together may have this many times what one client may have. */
export const sharesPerSite = 4;

export type ClientTally = {
  /** The bound that is reached; undefined: there is room for one more. */
  readonly whyFull: (limitKey: string) => 'address' | 'site' | undefined;
  readonly add: (limitKey: string) => void;
  readonly remove: (limitKey: string) => void;
};

export function createClientTally({ perAddress }: { readonly perAddress: number }): ClientTally {
  const clients = new Map<string, number>();
  const sites = new Map<string, number>();
  return {
    whyFull: (limitKey) => {
      if ((clients.get(limitKey) ?? 0) >= perAddress) return 'address';
      const site = siteKeyOf(limitKey);
      const isFull = site !== undefined && (sites.get(site) ?? 0) >= sharesPerSite * perAddress;
      return isFull ? 'site' : undefined;
    },
    add: (limitKey) => addTo(clients, sites, limitKey, 1),
    remove: (limitKey) => addTo(clients, sites, limitKey, -1),
  };
}

type Counts = Map<string, number>;

function addTo(clients: Counts, sites: Counts, limitKey: string, by: 1 | -1): void {
  change(clients, limitKey, by);
  const site = siteKeyOf(limitKey);
  if (site !== undefined) change(sites, site, by);
}

function change(counts: Counts, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count <= 0) counts.delete(key);
  else counts.set(key, count);
}
