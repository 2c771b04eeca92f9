// Links between simulated processes, one step at a time: messages arrive late and in their order, a
// cut is noticed by each side at a time of its own, and what was on its way to the other side may
// still arrive after a new link has begun.

import type { LinkMessage } from '../../src/link/linkMessage.ts';
import { decodeMessage, encodeMessage } from '../../src/link/linkMessage.ts';
import type { Prng } from '../../src/std/prng.ts';
import type { Scheduler } from '../../src/std/scheduler.ts';
import type { Steps } from '../life/steps.ts';

/** What one side of a link does; it runs in the time of its own process. */
export type LinkSide = {
  readonly scheduler: Scheduler;
  readonly onMessage: (message: LinkMessage) => void;
  readonly onEnd: () => void;
};

export type SteppedLink = {
  readonly number: number;
  readonly send: (from: 'dialler' | 'holder', message: LinkMessage) => void;
  readonly cut: () => void;
};

export type SteppedLinks = {
  readonly open: (dialler: LinkSide, holder: (link: SteppedLink) => LinkSide) => SteppedLink;
  /** Cuts one of the links that are open. */
  readonly cutAny: () => boolean;
};

export function createSteppedLinks(steps: Steps, prng: Prng): SteppedLinks {
  const openLinks: SteppedLink[] = [];
  let numbers = 0;
  const delay = (): number => (prng.below(30) === 0 ? 20 + prng.below(300) : 0.1 + 2 * prng.unit());

  const open: SteppedLinks['open'] = (dialler, makeHolder) => {
    numbers += 1;
    let isCut = false;
    /** When each direction has delivered what is on its way. */
    const busyUntil = { dialler: 0, holder: 0 };
    const inboxes: Record<'dialler' | 'holder', Buffer[]> = { dialler: [], holder: [] };
    const link: SteppedLink = {
      number: numbers,
      send: (from, message) => {
        if (isCut) return;
        const bytes = encodeMessage(message);
        const to = from === 'dialler' ? holder : dialler;
        const at = Math.max(busyUntil[from], steps.now() + delay());
        busyUntil[from] = at;
        // On a link that is cut meanwhile, a part of what is on its way still arrives.
        const survives = prng.below(2) === 0;
        steps.after(at - steps.now(), () => {
          if (isCut && !survives) lost.add(from);
          if (lost.has(from)) return;
          // A process that stands still takes what has come when it wakes, in its order.
          inboxes[from].push(bytes);
          to.scheduler.after(0, () => to.onMessage(decodeMessage(inboxes[from].shift()!)));
        });
      },
      cut: () => {
        if (isCut) return;
        isCut = true;
        openLinks.splice(openLinks.indexOf(link), 1);
        for (const side of [dialler, holder]) {
          const noticedMs = prng.below(3) === 0 ? prng.below(2000) : prng.below(20);
          side.scheduler.after(noticedMs, side.onEnd);
        }
      },
    };
    /** The directions of which something is lost: nothing behind it arrives. */
    const lost = new Set<string>();
    const holder = makeHolder(link);
    openLinks.push(link);
    return link;
  };
  return {
    open,
    cutAny: () => {
      const link = openLinks[prng.below(Math.max(1, openLinks.length))];
      link?.cut();
      return link !== undefined;
    },
  };
}
