// The requests of other processes at the holder of the lease: which are taken, and when everything
// that a process had sent before is settled. It decides and does nothing.
//
// A process speaks over one link. When it opens another one, what still comes on the former is
// ignored: the process counts on it, and may send the same requests again.

import { LinkBreach } from './frameReader.ts';
import type { ForwardedRequest } from './linkMessage.ts';
import type { Origin } from './origins.ts';

type Sender = {
  /** The present link. */
  link: number;
  /** The last number that came. */
  last: number;
  /** Taken, and in no batch yet. */
  readonly waiting: Set<number>;
  /** What came on former links and is in no batch yet; undefined: it is settled. */
  unsettled: Set<number> | undefined;
};

export type Intake = {
  readonly senders: Map<string, Sender>;
  /** The last batch given to the log. */
  position: number;
};

/** `link` is free for everything on it that came before. */
export type Settlement = { readonly link: number; readonly position: number };

/** The log ended here when the lease was taken. */
export const createIntake = (position: number): Intake => ({ senders: new Map(), position });

/** A process opens a link; former ones are void from now on. */
export function onSenderLinked(intake: Intake, process: string, link: number): Settlement[] {
  const sender = intake.senders.get(process) ?? {
    ...{ link, last: 0, waiting: new Set<number>(), unsettled: undefined },
  };
  intake.senders.set(process, sender);
  sender.link = link;
  sender.unsettled = new Set(sender.waiting);
  return settle(intake, sender);
}

/** The requests of a message that are to be queued. Throws `LinkBreach`. */
export function takeRequests(
  intake: Intake,
  { process, link }: { readonly process: string; readonly link: number },
  requests: readonly ForwardedRequest[],
): readonly ForwardedRequest[] {
  const sender = intake.senders.get(process);
  if (sender?.link !== link) return [];
  let { last } = sender;
  for (const { number } of requests) {
    if (number <= last) throw new LinkBreach(`request ${number} came a second time`);
    last = number;
  }
  sender.last = last;
  for (const { number } of requests) sender.waiting.add(number);
  return requests;
}

/** The queue has refused a request: it will be in no batch. */
export function onNotQueued(intake: Intake, origin: Origin): Settlement[] {
  return endWaiting(intake, [origin]);
}

/** A batch with these commands was given to the log. */
export function onBatched(
  intake: Intake,
  { position, origins }: { position: number; origins: readonly (Origin | undefined)[] },
): Settlement[] {
  intake.position = position;
  return endWaiting(intake, origins);
}

/** The link has ended; the process is forgotten when nothing of it waits. */
export function onSenderGone(intake: Intake, process: string, link: number): void {
  const sender = intake.senders.get(process);
  if (sender?.link !== link) return;
  sender.link = Number.NaN;
  forgetIdle(intake, process, sender);
}

function endWaiting(intake: Intake, origins: readonly (Origin | undefined)[]): Settlement[] {
  const touched = new Map<string, Sender>();
  for (const origin of origins) {
    const sender = origin && intake.senders.get(origin.process);
    if (origin === undefined || sender === undefined) continue;
    sender.waiting.delete(origin.number);
    sender.unsettled?.delete(origin.number);
    touched.set(origin.process, sender);
  }
  return [...touched].flatMap(([process, sender]) => {
    const settled = settle(intake, sender);
    forgetIdle(intake, process, sender);
    return settled;
  });
}

function settle({ position }: Intake, sender: Sender): Settlement[] {
  if (sender.unsettled === undefined || sender.unsettled.size > 0) return [];
  sender.unsettled = undefined;
  return [{ link: sender.link, position }];
}

function forgetIdle(intake: Intake, process: string, { link, waiting }: Sender): void {
  if (Number.isNaN(link) && waiting.size === 0) intake.senders.delete(process);
}
