// Carries out the exchange of facts among the processes of a deployment (link/facts.ts), over the
// links that this process has: one to the holder of the lease, or those of all that follow it.

import {
  createFactExchange,
  factsToSay,
  forgetFacts,
  onFactLink,
  onFactLinkGone,
  takeFacts,
} from '../link/facts.ts';
import type { Fact, Facts } from '../link/linkMessage.ts';
import type { Clock } from '../std/clock.ts';
import type { Scheduler } from '../std/scheduler.ts';

export type FactShare = {
  /** Another process is reached over this link; all facts go there first. */
  readonly onLink: (link: number, send: (message: Facts) => void) => void;
  readonly onLinkGone: (link: number) => void;
  readonly onFacts: (link: number, message: Facts) => void;
  /** This process has made a fact. */
  readonly say: (fact: Fact) => void;
  /** Takes the facts of other processes whose names begin with this word; called once for each. */
  readonly onHeard: (word: string, take: (fact: Fact) => void) => void;
  readonly close: () => void;
};

/** How often new facts are sent. */
const everyMs = 50;
/** How often facts that have ended are forgotten. */
const forgetMs = 60_000;

export function createFactShare({
  clock,
  scheduler,
}: {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}): FactShare {
  const exchange = createFactExchange();
  const senders = new Map<number, (message: Facts) => void>();
  const takers = new Map<string, (fact: Fact) => void>();
  let forgottenAt = clock.now();
  const tick = (): void => {
    cancel = scheduler.after(everyMs, tick);
    for (const [link, send] of senders) {
      const facts = factsToSay(exchange, link);
      if (facts.length > 0) send({ kind: 'facts', facts });
    }
    const now = clock.now();
    if (Math.abs(now - forgottenAt) < forgetMs) return;
    forgottenAt = now;
    forgetFacts(exchange, now);
  };
  let cancel = scheduler.after(everyMs, tick);
  return {
    onLink: (link, send) => {
      senders.set(link, send);
      onFactLink(exchange, link);
    },
    onLinkGone: (link) => {
      senders.delete(link);
      onFactLinkGone(exchange, link);
    },
    onFacts: (link, { facts }) => {
      for (const fact of takeFacts(exchange, facts, link)) {
        takers.get(fact.name.slice(0, fact.name.indexOf(' ')))?.(fact);
      }
    },
    say: (fact) => {
      takeFacts(exchange, [fact]);
    },
    onHeard: (word, take) => {
      takers.set(word, take);
    },
    close: () => cancel(),
  };
}
