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
  let forgottenAt = clock.now();
  let isUrgent = false;
  const say = (): void => {
    recordUses(exchange, takeChanged(tallies));
    for (const [link, send] of senders) {
      for (const uses of usesToSay(exchange, link)) send({ kind: 'uses', ...uses });
    }
  };
  const tick = (): void => {
    cancel = scheduler.after(usesEveryMs, tick);
    say();
    const now = clock.now();
    if (Math.abs(now - forgottenAt) < forgetMs) return;
    forgottenAt = now;
    forgetUses(exchange, now);
  };
  let cancel = scheduler.after(usesEveryMs, tick);
  const urge = (): void => {
    if (isUrgent) return;
    isUrgent = true;
    // All that is counted in this turn goes out together.
    setImmediate(() => {
      isUrgent = false;
      say();
    });
  };
  tallies.urge = urge;
  return {
    tallies,
    onLink: (link, peer, send) => {
      senders.set(link, send);
      onUseLink(exchange, link, peer);
    },
    onLinkGone: (link) => {
      senders.delete(link);
      onUseLinkGone(exchange, link);
    },
    onUses: (message) => {
      const gains = takeUses(exchange, message);
      for (const gain of gains) hearUse(tallies, gain);
      // The holder passes on at once what was urgent for its sender.
      if (gains.length > 0 && senders.size > 1) urge();
    },
    close: () => cancel(),
  };
}
