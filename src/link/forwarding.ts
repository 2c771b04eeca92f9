// Requests that a process passes on to the holder of the lease, until their fate is known. It
// decides and does nothing.
//
// Each attempt to have a request executed has a number of its own, and at most one attempt of a
// request can still be executed. An attempt becomes certain in one of three ways: its number comes
// back with a batch; the holder refuses it; or a later holder, or the same one on a later link,
// says up to which batch it has settled everything that came before, and the number is in none of
// them. Only then may the request be sent again.
//
// Requests keep their order: while one that was sent before is in doubt, later ones wait. The end
// of a connection must not overtake an order that its client has sent before (COD-5).

import type { ForwardedRequest, RequestRefusal } from './linkMessage.ts';
import type { Origin } from './origins.ts';

/** As long as this, a client waits for the answer to a command. */
export const answerMs = 5000;
/** Requests whose fate is not known. */
export const pendingMax = 20_000;
export const pendingBytesMax = 32 * 1024 * 1024;
/**
 * Of these, requests of one sender: a quarter of what the holder takes of one process at a time. So
 * one account cannot keep the others of its process out while the holder is slow or away.
 */
export const pendingOfSenderMax = 500;

type Pending = {
  readonly id: number;
  /** Who asks; undefined: an account is still to be made. */
  readonly sender: number | undefined;
  readonly record: Buffer;
  /** By the stopwatch. */
  readonly receivedAt: number;
  /** The number of the attempt that may be executed; undefined: there is none. */
  attempt: number | undefined;
  /** The link of that attempt is lost. */
  doubtful: boolean;
};

export type ForwardAct =
  | { readonly kind: 'send'; readonly request: ForwardedRequest }
  /** It was executed as this command of the batch: the answer is made from the own replica. */
  | { readonly kind: 'answer'; readonly id: number; readonly index: number }
  /** It was certainly not executed, and never will be. */
  | { readonly kind: 'refuse'; readonly id: number; readonly why: RequestRefusal }
  /** Its time is over, and its fate is unknown (-1001). */
  | { readonly kind: 'unknown'; readonly id: number };

export type Forwarding = {
  /** This start of this process. */
  readonly process: string;
  /** The last number that was given to an attempt. */
  numbers: number;
  /** In the order in which they came. */
  readonly pending: Map<number, Pending>;
  bytes: number;
  /** How many of them each sender has. */
  readonly senders: Map<number, number>;
  /** The request of each attempt that may still be executed. */
  readonly attempts: Map<number, Pending>;
  /** The last batch applied here. */
  applied: number;
  /** Whether requests can be sent. */
  linked: boolean;
  /** Requests were in doubt when the last link was lost, and the next one has not settled them. */
  inDoubt: boolean;
  /** Up to here everything that came on earlier links is settled; undefined: not known yet. */
  settled: number | undefined;
};

export function createForwarding(process: string, applied: number): Forwarding {
  return {
    ...{ process, applied, numbers: 0, bytes: 0 },
    ...{ linked: false, inDoubt: false, settled: undefined },
    ...{ pending: new Map(), attempts: new Map(), senders: new Map() },
  };
}

export type ForwardedHere = Pick<Pending, 'id' | 'record'> & {
  readonly sender?: number | undefined;
  /** How long this process has had it. */
  readonly ageMs?: number | undefined;
};

/** A client's request; its id is never given twice. */
export function forward(
  forwarding: Forwarding,
  { id, record, sender, ageMs = 0 }: ForwardedHere,
  nowMs: number,
): ForwardAct[] {
  if (ageMs >= answerMs) return [{ kind: 'refuse', id, why: 'waiting' }];
  const { pending, senders } = forwarding;
  const ofSender = sender === undefined ? 0 : (senders.get(sender) ?? 0);
  const isFull = pending.size >= pendingMax || forwarding.bytes + record.length > pendingBytesMax;
  if (isFull || ofSender >= pendingOfSenderMax) return [{ kind: 'refuse', id, why: 'overloaded' }];
  const receivedAt = nowMs - ageMs;
  const request = { id, sender, record, receivedAt, attempt: undefined, doubtful: false };
  pending.set(id, request);
  forwarding.bytes += record.length;
  if (sender !== undefined) senders.set(sender, ofSender + 1);
  const isFree = forwarding.linked && !forwarding.inDoubt;
  return isFree ? [attempt(forwarding, request, nowMs)] : [];
}

/** A link to the present holder is open: what has no attempt is sent, behind what is in doubt. */
export function onLinked(forwarding: Forwarding, nowMs: number): ForwardAct[] {
  forwarding.linked = true;
  forwarding.settled = undefined;
  return forwarding.inDoubt ? [] : sendIdle(forwarding, nowMs);
}

/** The holder has settled what came on earlier links with the batches up to this one. */
export function onSettled(forwarding: Forwarding, position: number, nowMs: number): ForwardAct[] {
  forwarding.settled = position;
  return resolve(forwarding, nowMs);
}

/** The link is lost. */
export function onUnlinked(forwarding: Forwarding): void {
  forwarding.linked = false;
  forwarding.settled = undefined;
  for (const request of forwarding.attempts.values()) request.doubtful = true;
  forwarding.inDoubt ||= forwarding.attempts.size > 0;
}

/** A batch was applied here. */
export function onApplied(
  forwarding: Forwarding,
  batch: { readonly position: number; readonly origins: readonly (Origin | undefined)[] },
  nowMs: number,
): ForwardAct[] {
  forwarding.applied = batch.position;
  const acts: ForwardAct[] = [];
  for (const [index, origin] of batch.origins.entries()) {
    if (origin?.process !== forwarding.process) continue;
    const request = forwarding.attempts.get(origin.number);
    // Its client was answered with -1001.
    if (request === undefined) continue;
    forget(forwarding, request);
    acts.push({ kind: 'answer', id: request.id, index });
  }
  return [...acts, ...resolve(forwarding, nowMs)];
}

/** The holder has refused the attempt. */
export function onRefused(
  forwarding: Forwarding,
  number: number,
  why: RequestRefusal,
): ForwardAct[] {
  const request = forwarding.attempts.get(number);
  if (request === undefined) return [];
  forget(forwarding, request);
  return [{ kind: 'refuse', id: request.id, why }];
}

/** Ends what has waited for too long. */
export function actsDue(forwarding: Forwarding, nowMs: number): ForwardAct[] {
  const acts: ForwardAct[] = [];
  for (const request of forwarding.pending.values()) {
    if (nowMs - request.receivedAt < answerMs) continue;
    const { id } = request;
    const isCertain = request.attempt === undefined;
    forget(forwarding, request);
    if (isCertain) acts.push({ kind: 'refuse', id, why: 'waiting' });
    else acts.push({ kind: 'unknown', id });
  }
  return acts;
}

/** The caller submits them by itself from now on. */
export function forgetAll(forwarding: Forwarding): void {
  for (const request of forwarding.pending.values()) forget(forwarding, request);
}

/** Attempts of earlier links that are in no batch up to the settled one are certainly void. */
function resolve(forwarding: Forwarding, nowMs: number): ForwardAct[] {
  const { settled, applied, attempts } = forwarding;
  if (settled === undefined || applied < settled) return [];
  // Once for each link: later attempts are not doubtful.
  forwarding.settled = undefined;
  forwarding.inDoubt = false;
  for (const request of [...attempts.values()]) {
    if (!request.doubtful) continue;
    attempts.delete(request.attempt!);
    request.attempt = undefined;
    request.doubtful = false;
  }
  return sendIdle(forwarding, nowMs);
}

function sendIdle(forwarding: Forwarding, nowMs: number): ForwardAct[] {
  return [...forwarding.pending.values()]
    .filter(({ attempt: number }) => number === undefined)
    .filter(({ receivedAt }) => nowMs - receivedAt < answerMs)
    .map((request) => attempt(forwarding, request, nowMs));
}

function attempt(forwarding: Forwarding, request: Pending, nowMs: number): ForwardAct {
  forwarding.numbers += 1;
  const number = forwarding.numbers;
  request.attempt = number;
  forwarding.attempts.set(number, request);
  const ageMs = Math.max(0, Math.round(nowMs - request.receivedAt));
  return { kind: 'send', request: { number, ageMs, record: request.record } };
}

function forget(forwarding: Forwarding, request: Pending): void {
  forwarding.pending.delete(request.id);
  forwarding.bytes -= request.record.length;
  const { sender } = request;
  if (sender !== undefined) {
    const rest = forwarding.senders.get(sender)! - 1;
    if (rest > 0) forwarding.senders.set(sender, rest);
    else forwarding.senders.delete(sender);
  }
  if (request.attempt !== undefined) forwarding.attempts.delete(request.attempt);
}
