// The links that other processes open to this one. A process that gets the lease is dialled before
// it can answer, so a link waits for a moment before it is refused.

import type { Link } from '../link/createLink.ts';
import { LinkBreach } from '../link/frameReader.ts';
import type { LinkMessage } from '../link/linkMessage.ts';
import type { Scheduler } from '../std/scheduler.ts';
import type { LinkListener } from './leadFollowers.ts';

export type LeadGate = {
  /** What happens on a link that has just been opened. */
  readonly listen: () => LinkListener;
  /** This process has the lease: the links that wait, and all later ones, are served by these. */
  readonly lead: (listen: () => LinkListener) => void;
};

/** Far more than a promotion takes. */
const waitMs = 1000;

/** A link that waits, and what its peer wants. */
type Waiting = {
  readonly link: Link;
  follow: LinkMessage | undefined;
  pass: LinkListener;
  ended: boolean;
};

export function createLeadGate(scheduler: Scheduler): LeadGate {
  let leading: (() => LinkListener) | undefined;
  const waiting = new Set<Waiting>();
  const hold = (): LinkListener => {
    let held: Waiting | undefined;
    let cancel = (): void => {};
    return {
      onOpen: (link) => {
        const entry: Waiting = { link, follow: undefined, pass: silent, ended: false };
        held = entry;
        waiting.add(entry);
        cancel = scheduler.after(waitMs, () => {
          if (waiting.delete(entry)) link.close('this process does not hold the lease');
        });
      },
      onMessage: (link, message) => {
        if (held === undefined || !waiting.has(held)) return held?.pass.onMessage(link, message);
        if (message.kind !== 'follow' || held.follow !== undefined) {
          throw new LinkBreach(`a process sent a message "${message.kind}" before it was answered`);
        }
        held.follow = message;
      },
      onEnd: (why) => {
        cancel();
        if (held === undefined) return;
        held.ended = true;
        waiting.delete(held);
        held.pass.onEnd(why);
      },
    };
  };
  return {
    listen: () => leading?.() ?? hold(),
    lead: (listen) => {
      leading = listen;
      for (const held of [...waiting]) serve(held, listen());
      waiting.clear();
    },
  };
}

const silent: LinkListener = { onOpen: () => {}, onMessage: () => {}, onEnd: () => {} };

function serve(held: Waiting, listener: LinkListener): void {
  const { link, follow } = held;
  held.pass = listener;
  listener.onOpen(link);
  if (follow !== undefined && !held.ended) listener.onMessage(link, follow);
}
