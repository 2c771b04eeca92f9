// Small facts that every process of a deployment knows: listen keys, prices that the operator has
// set, when keys and sessions were last used. Each has a name and a version, and the latest version
// counts wherever it was made. It decides and does nothing.
//
// A fact that comes twice or late changes nothing, so when a link opens everything is said again.
// The holder of the lease passes on what it hears. Facts are in memory alone: when all processes
// have ended they are gone.

import { entriesMax, type Fact } from './linkMessage.ts';

/** Facts at the same time; another one is refused until some have ended. */
export const factsMax = 500_000;

export type FactExchange = {
  readonly facts: Map<string, Fact>;
  /** By link: the names that its peer does not know yet. */
  readonly links: Map<number, Set<string>>;
};

export const createFactExchange = (): FactExchange => ({ facts: new Map(), links: new Map() });

/** Gives the facts among them that are new here, to be used and passed on. */
export function takeFacts(
  exchange: FactExchange,
  facts: readonly Fact[],
  from?: number,
): readonly Fact[] {
  return facts.filter((fact) => {
    const known = exchange.facts.get(fact.name);
    if (known === undefined ? exchange.facts.size >= factsMax : !isLater(fact, known)) return false;
    exchange.facts.set(fact.name, fact);
    for (const [link, unsaid] of exchange.links) if (link !== from) unsaid.add(fact.name);
    return true;
  });
}

/** Two processes that give the same version at the same time agree by the value. */
function isLater({ version, value }: Fact, known: Fact): boolean {
  return version === known.version ? value > known.value : version > known.version;
}

export function onFactLink({ facts, links }: FactExchange, link: number): void {
  links.set(link, new Set(facts.keys()));
}

export function onFactLinkGone({ links }: FactExchange, link: number): void {
  links.delete(link);
}

/** The facts that go over the link now; what is left goes with the next message. */
export function factsToSay({ facts, links }: FactExchange, link: number): Fact[] {
  const said: Fact[] = [];
  const unsaid = links.get(link) ?? new Set<string>();
  for (const name of unsaid) {
    if (said.length === entriesMax) break;
    unsaid.delete(name);
    const fact = facts.get(name);
    if (fact !== undefined) said.push(fact);
  }
  return said;
}

/** Forgets what has ended. `nowMs`: milliseconds since the epoch. */
export function forgetFacts({ facts }: FactExchange, nowMs: number): void {
  for (const [name, { until }] of facts) if (until <= nowMs) facts.delete(name);
}
