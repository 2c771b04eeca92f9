// What each process of a deployment has used of the limits that all of them share, exchanged over
// the links: a star around the holder of the lease, which passes on what one follower says to the
// others. It decides and does nothing.
//
// A process says totals, not differences: what it has itself counted under a name in the present
// window. A total that comes twice, or comes late over another link, changes nothing, so no link
// that breaks makes a count too large or too small. When a link opens everything is said again.

import { assert } from '../std/assert.ts';
import { entriesMax, type Use, type Uses } from './linkMessage.ts';

/** How often what has changed is sent; a process sends earlier when much has changed. */
export const usesEveryMs = 50;
/** Names of one process; more are not shared until windows have ended. */
export const namesMax = 200_000;

/** What another process has used since it was last heard. */
export type Gain = { readonly name: string; readonly until: number; readonly amount: number };

type Total = { until: number; total: number };

type UseLink = {
  /** The process at its other end, which knows its own totals. */
  readonly peer: string;
  /** By process: the names whose total the peer does not know yet. */
  readonly unsaid: Map<string, Set<string>>;
};

export type UseExchange = {
  /** This start of this process. */
  readonly process: string;
  /** By process, its own included, and name. */
  readonly totals: Map<string, Map<string, Total>>;
  readonly links: Map<number, UseLink>;
};

export const createUseExchange = (process: string): UseExchange => ({
  ...{ process, totals: new Map(), links: new Map() },
});

/** This process has counted; totals only grow within a window. */
export function recordUses(exchange: UseExchange, uses: readonly Use[]): void {
  for (const use of uses) grow(exchange, exchange.process, use);
}

/** Everything is said over a new link. */
export function onUseLink(exchange: UseExchange, link: number, peer: string): void {
  const unsaid = new Map<string, Set<string>>();
  for (const [process, totals] of exchange.totals) {
    if (process !== peer) unsaid.set(process, new Set(totals.keys()));
  }
  exchange.links.set(link, { peer, unsaid });
}

export function onUseLinkGone({ links }: UseExchange, link: number): void {
  links.delete(link);
}

/** A peer says totals of a process; gives by how much each name has grown. */
export function takeUses(exchange: UseExchange, { process, uses }: Omit<Uses, 'kind'>): Gain[] {
  if (process === exchange.process) return [];
  return uses.flatMap((use) => {
    const amount = grow(exchange, process, use);
    return amount > 0 ? [{ name: use.name, until: use.until, amount }] : [];
  });
}

/** The messages that go over the link now: one for each process of which something is new. */
export function usesToSay(exchange: UseExchange, link: number): Omit<Uses, 'kind'>[] {
  const { unsaid } = exchange.links.get(link) ?? { unsaid: new Map<string, Set<string>>() };
  const messages: Omit<Uses, 'kind'>[] = [];
  for (const [process, names] of unsaid) {
    const uses: Use[] = [];
    for (const name of names) {
      if (uses.length === entriesMax) break;
      names.delete(name);
      // Its window may have ended meanwhile.
      const known = exchange.totals.get(process)?.get(name);
      if (known !== undefined) uses.push({ name, ...known });
    }
    if (names.size === 0) unsaid.delete(process);
    if (uses.length > 0) messages.push({ process, uses });
  }
  return messages;
}

/** Forgets windows that have ended. `nowMs`: by the clock that windows are aligned to. */
export function forgetUses({ totals }: UseExchange, nowMs: number): void {
  for (const [process, names] of totals) {
    for (const [name, { until }] of names) if (until <= nowMs) names.delete(name);
    if (names.size === 0) totals.delete(process);
  }
}

/** Gives by how much the total has grown; an older window or a smaller total changes nothing. */
function grow(exchange: UseExchange, process: string, { name, until, total }: Use): number {
  assert(total >= 0, 'a total counts from zero');
  const names = exchange.totals.get(process) ?? new Map<string, Total>();
  if (names.size === 0) exchange.totals.set(process, names);
  const known = names.get(name);
  if (known === undefined && names.size >= namesMax) return 0;
  if (known !== undefined && until < known.until) return 0;
  const before = known?.until === until ? known.total : 0;
  if (total <= before && known?.until === until) return 0;
  names.set(name, { until, total });
  for (const { peer, unsaid } of exchange.links.values()) {
    if (peer === process) continue;
    const said = unsaid.get(process);
    if (said === undefined) unsaid.set(process, new Set([name]));
    else said.add(name);
  }
  return total - before;
}
