// Carries out the exchange of what processes have used of shared limits (link/uses.ts), over the
// links that this process has: one to the holder of the lease, or those of all that follow it.

import { createTallies, hearUse, type Tallies, takeChanged } from '../gateway/tallies.ts';
import type { Uses } from '../link/linkMessage.ts';
import {
  createUseExchange,
  forgetUses,
  onUseLink,
  onUseLinkGone,
  recordUses,
  takeUses,
  type UseExchange,
  usesEveryMs,
  usesToSay,
} from '../link/uses.ts';
import type { Clock } from '../std/clock.ts';
import type { Scheduler } from '../std/scheduler.ts';

export type UseShare = {
  /** The counters of this process that others hear of. */
  readonly tallies: Tallies;
  /** Another process is reached over this link; everything goes there first. */
  readonly onLink: (link: number, peer: string, send: (message: Uses) => void) => void;
  readonly onLinkGone: (link: number) => void;
  readonly onUses: (message: Uses) => void;
  readonly close: () => void;
};

/** How often totals of windows that have ended are forgotten. */
const forgetMs = 60_000;

export function createUseShare({
  process,
  clock,
  scheduler,
}: {
  /** This start of this process. */
  readonly process: string;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}): UseShare {
  const exchange = createUseExchange(process);
  const tallies = createTallies();
  const senders = new Map<number, (message: Uses) => void>();
  const { sayLater, urge, cancel } = createSpeaker(
    () => say({ exchange, tallies, senders }),
    scheduler,
  );
  const forget = (): void => {
    cancelForgetting = scheduler.after(forgetMs, forget);
    forgetUses(exchange, clock.now());
  };
  let cancelForgetting = scheduler.after(forgetMs, forget);
  tallies.urge = urge;
  tallies.wake = sayLater;
  return {
    tallies,
    onLink: (link, peer, send) => {
      senders.set(link, send);
      onUseLink(exchange, link, peer);
      sayLater();
    },
    onLinkGone: (link) => {
      senders.delete(link);
      onUseLinkGone(exchange, link);
    },
    onUses: (message) => {
      const gains = takeUses(exchange, message);
      for (const gain of gains) hearUse(tallies, gain);
      if (gains.length > 0) sayLater();
      // The holder passes on at once what was urgent for its sender.
      if (gains.length > 0 && senders.size > 1) urge();
    },
    close: () => {
      cancel();
      cancelForgetting();
    },
  };
}

type Senders = {
  readonly exchange: UseExchange;
  readonly tallies: Tallies;
  readonly senders: ReadonlyMap<number, (message: Uses) => void>;
};

/** Whether anything was said. */
function say({ exchange, tallies, senders }: Senders): boolean {
  recordUses(exchange, takeChanged(tallies));
  let isSaid = false;
  for (const [link, send] of senders) {
    for (const uses of usesToSay(exchange, link)) {
      send({ kind: 'uses', ...uses });
      isSaid = true;
    }
  }
  return isSaid;
}

/** When to `say`: soon after a change, or at the end of this turn. */
function createSpeaker(say: () => boolean, scheduler: Scheduler) {
  let isUrgent = false;
  let cancel: (() => void) | undefined;
  const sayLater = (): void => {
    cancel ??= scheduler.after(usesEveryMs, () => {
      cancel = undefined;
      // One message may not have taken everything.
      if (say()) sayLater();
    });
  };
  const urge = (): void => {
    if (isUrgent) return;
    isUrgent = true;
    // All that is counted in this turn goes out together.
    setImmediate(() => {
      isUrgent = false;
      say();
    });
  };
  return { sayLater, urge, cancel: () => cancel?.() };
}
