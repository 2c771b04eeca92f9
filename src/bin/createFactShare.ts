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

/** New facts wait so long for others that leave with them. */
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
  let cancelSaying: (() => void) | undefined;
  const sayLater = (): void => {
    if (senders.size > 0) cancelSaying ??= scheduler.after(everyMs, sayNow);
  };
  const sayNow = (): void => {
    cancelSaying = undefined;
    for (const [link, send] of senders) {
      const facts = factsToSay(exchange, link);
      if (facts.length === 0) continue;
      send({ kind: 'facts', facts });
      // One message may not have taken all of them.
      sayLater();
    }
  };
  const forget = (): void => {
    cancelForgetting = scheduler.after(forgetMs, forget);
    forgetFacts(exchange, clock.now());
  };
  let cancelForgetting = scheduler.after(forgetMs, forget);
  return {
    onLink: (link, send) => {
      senders.set(link, send);
      onFactLink(exchange, link);
      sayLater();
    },
    onLinkGone: (link) => {
      senders.delete(link);
      onFactLinkGone(exchange, link);
    },
    onFacts: (link, { facts }) => {
      for (const fact of takeFacts(exchange, facts, link)) {
        takers.get(fact.name.slice(0, fact.name.indexOf(' ')))?.(fact);
        sayLater();
      }
    },
    say: (fact) => {
      takeFacts(exchange, [fact]);
      sayLater();
    },
    onHeard: (word, take) => {
      takers.set(word, take);
    },
    close: () => {
      cancelSaying?.();
      cancelForgetting();
    },
  };
}
