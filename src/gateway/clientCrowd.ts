// What clients have open, connections or sockets: how much each may have, and what must be closed
// when all places are taken (CON-1, WS-5). The site with the most gives way first, and within it
// the client with the most. A site is an IPv6 /48, or one IPv4 address, or one trusted proxy.

import { createHeap, type Heap, heapPeek, heapPush, heapRemove } from '../std/heap.ts';
import { siteKeyOf } from './identity/limitKey.ts';

/** All clients of one IPv6 /48 together may have this many times what one client may have. */
const sharesPerSite = 4;

/** What both sites and clients have; both stand in heaps of those with idle items. */
type Ranked = {
  open: number;
  /** The step since which it has idle items. */
  idleSince: number;
  /** Its place in the heap; −1: it has no idle items. */
  slot: number;
};

type Site<T> = Ranked & {
  readonly key: string;
  readonly isProxy: boolean;
  /** Its clients with idle items. */
  readonly idle: Heap<CrowdClient<T>>;
};

export type CrowdClient<T> = Ranked & {
  /** Its limit key, or the address of a trusted proxy. */
  readonly key: string;
  readonly isProxy: boolean;
  readonly site: Site<T>;
  readonly items: Set<T>;
  /** Those that may be closed for others, the longest idle first. */
  readonly idle: Set<T>;
};

export type ClientCrowd<T> = {
  /** The bound that a client has reached; undefined: it may have one more. */
  readonly whyFull: (limitKey: string) => 'address' | 'site' | undefined;
  /** Adds an idle item. */
  readonly add: (
    who: { readonly key: string; readonly isProxy: boolean },
    item: T,
  ) => CrowdClient<T>;
  readonly noteIdle: (client: CrowdClient<T>, item: T) => void;
  readonly noteBusy: (client: CrowdClient<T>, item: T) => void;
  /** Removes an item. It may be removed already. */
  readonly drop: (client: CrowdClient<T>, item: T) => void;
  /** The client whose item must be closed next; undefined when none is idle. */
  readonly next: () => CrowdClient<T> | undefined;
  /** Removes and gives its longest idle item. Cost: logarithmic in the clients. */
  readonly giveWay: () => T | undefined;
};

type Crowd<T> = {
  readonly clients: Map<string, CrowdClient<T>>;
  readonly sites: Map<string, Site<T>>;
  /** Sites with idle items. */
  readonly idle: Heap<Site<T>>;
  steps: number;
};

const setSlot = (ranked: Ranked, slot: number): void => {
  ranked.slot = slot;
};

export function createClientCrowd<T>({ perAddress }: { perAddress: number }): ClientCrowd<T> {
  const idle = createHeap<Site<T>>(siteBefore, setSlot);
  const crowd: Crowd<T> = { clients: new Map(), sites: new Map(), idle, steps: 0 };
  const next = (): CrowdClient<T> | undefined => {
    const site = heapPeek(idle);
    return site === undefined ? undefined : heapPeek(site.idle);
  };
  const drop = (client: CrowdClient<T>, item: T): void => {
    if (!client.items.delete(item)) return;
    client.idle.delete(item);
    count(crowd, client, -1);
  };
  return {
    drop,
    next,
    whyFull: (limitKey) => {
      if ((crowd.clients.get(limitKey)?.open ?? 0) >= perAddress) return 'address';
      const siteKey = siteKeyOf(limitKey);
      const site = siteKey === undefined ? undefined : crowd.sites.get(siteKey);
      return (site?.open ?? 0) >= sharesPerSite * perAddress ? 'site' : undefined;
    },
    add: ({ key, isProxy }, item) => {
      const client = clientOf(crowd, key, isProxy);
      client.items.add(item);
      client.idle.add(item);
      count(crowd, client, 1);
      return client;
    },
    noteIdle: (client, item) => {
      if (!client.items.has(item)) return;
      client.idle.add(item);
      if (client.slot < 0) place(crowd, client);
    },
    noteBusy: (client, item) => {
      client.idle.delete(item);
      if (client.idle.size === 0) place(crowd, client);
    },
    giveWay: () => {
      const client = next();
      if (client === undefined) return undefined;
      const [longest] = client.idle;
      if (longest !== undefined) drop(client, longest);
      return longest;
    },
  };
}

/** More items first; then the longest idle. */
function rankBefore(a: Ranked, b: Ranked): boolean {
  return a.open === b.open ? a.idleSince < b.idleSince : a.open > b.open;
}

/** Proxies last, because each carries many clients. */
function siteBefore<T>(a: Site<T>, b: Site<T>): boolean {
  return a.isProxy === b.isProxy ? rankBefore(a, b) : b.isProxy;
}

function clientOf<T>(crowd: Crowd<T>, key: string, isProxy: boolean): CrowdClient<T> {
  const found = crowd.clients.get(key);
  if (found !== undefined) return found;
  const ranked: Ranked = { open: 0, idleSince: 0, slot: -1 };
  const siteKey = (isProxy ? undefined : siteKeyOf(key)) ?? key;
  const site = crowd.sites.get(siteKey) ?? {
    ...{ ...ranked, key: siteKey, isProxy },
    idle: createHeap<CrowdClient<T>>(rankBefore, setSlot),
  };
  crowd.sites.set(siteKey, site);
  const made: CrowdClient<T> = { ...ranked, key, isProxy, site, items: new Set(), idle: new Set() };
  crowd.clients.set(key, made);
  return made;
}

function count<T>(crowd: Crowd<T>, client: CrowdClient<T>, by: 1 | -1): void {
  client.open += by;
  client.site.open += by;
  place(crowd, client);
  if (client.open === 0) crowd.clients.delete(client.key);
  if (client.site.open === 0) crowd.sites.delete(client.site.key);
}

/** Puts a client and its site where they belong after its items have changed. */
function place<T>(crowd: Crowd<T>, client: CrowdClient<T>): void {
  const { site } = client;
  crowd.steps += 1;
  rank(site.idle, client, { hasIdle: client.idle.size > 0, step: crowd.steps });
  rank(crowd.idle, site, { hasIdle: site.idle.items.length > 0, step: crowd.steps });
}

type Now = { readonly hasIdle: boolean; readonly step: number };

function rank<R extends Ranked>(heap: Heap<R>, ranked: R, { hasIdle, step }: Now): void {
  if (ranked.slot >= 0) heapRemove(heap, ranked.slot);
  else ranked.idleSince = step;
  if (hasIdle) heapPush(heap, ranked);
  else ranked.slot = -1;
}
