// What the holder of the lease knows during its epoch, and what it does next. It decides and does
// nothing: openPostgresLog.ts carries out the acts and reports their results.
//
// One rule decides about everything: a statement has succeeded when its clean answer has come, and
// in every other case it is in doubt. A renewal ends the doubt. It reads the end of the log and
// then commits behind the standby, so that all that it has read is durable when it succeeds.

import { assert } from '../../std/assert.ts';
import {
  emptyHead,
  encodeBatchFrame,
  frameHeaderBytes,
  headAfterFrame,
  paddedFrameBytes,
} from '../file/frame.ts';
import { batchesInFlightMax, type LogEntry, type LogHead, type LogPlace } from '../log.ts';
import { renewEveryMs } from './candidacy.ts';
import { type BatchPlace, readTail, whyUnknown } from './readTail.ts';

/** How soon a renewal follows another one when a batch is in doubt. */
const renewAgainMs = 50;

/** A batch on its way into the database, with its content. */
export type Flight = BatchPlace & Pick<LogEntry, 'engineHash' | 'count' | 'commands' | 'origins'>;

/** `sent`: a statement writes it. `doubtful`: that statement ended without a clean answer. */
type Fate = 'sent' | 'doubtful' | 'written';

export type Ending =
  /** Another process has the lease. */
  | { readonly kind: 'deposed' }
  /** The database is not the one that acknowledged the batches. */
  | { readonly kind: 'damaged'; readonly why: string };

export type Act =
  /** Renew, and read the last places and that of the batch at `known`. */
  | { readonly kind: 'renew'; readonly renewal: number; readonly known: number }
  /** Remove the batches behind this position. */
  | { readonly kind: 'cut'; readonly after: number }
  | { readonly kind: 'write'; readonly flight: Flight }
  /** The end of the log is known: from now on batches may be given. */
  | { readonly kind: 'open'; readonly head: LogHead }
  | { readonly kind: 'acknowledge'; readonly head: LogHead }
  | { readonly kind: 'end'; readonly ending: Ending };

export type Renewal =
  | { readonly kind: 'renewed'; readonly places: readonly BatchPlace[] }
  | { readonly kind: 'deposed' }
  | { readonly kind: 'doubtful' };

type Asked = {
  readonly sentAt: number;
  /** What was durable then. */
  readonly known: LogPlace;
  /** The batches that were in doubt then: only about these can its answer decide. */
  readonly doubtful: ReadonlySet<number>;
};

export type Tenure = {
  /** `opening`: the end of the log is not known yet. */
  phase: 'opening' | 'cutting' | 'writing' | 'over';
  readonly known: LogPlace;
  durable: LogHead;
  /** Oldest first; their positions follow `durable` without gaps. */
  readonly flights: { readonly flight: Flight; fate: Fate }[];
  /** How many renewals were sent; the last one has this number. */
  renewals: number;
  /** The renewal without an answer. */
  asked: Asked | undefined;
  /** When the next renewal is due. */
  renewAt: number;
};

/** The lease was taken at `nowMs`, by a process that knows this batch as durable. */
export function beginTenure(known: LogPlace, nowMs: number): Tenure {
  return {
    phase: 'opening',
    known,
    durable: emptyHead,
    flights: [],
    renewals: 0,
    asked: undefined,
    renewAt: nowMs,
  };
}

/** What is due by the time alone. */
export function actsDue(tenure: Tenure, nowMs: number): Act[] {
  const { phase, asked } = tenure;
  if (asked !== undefined || nowMs < tenure.renewAt) return [];
  if (phase !== 'opening' && phase !== 'writing') return [];
  const known = phase === 'opening' ? tenure.known : placeOf(tenure.durable);
  const doubtful = tenure.flights.filter(({ fate }) => fate === 'doubtful');
  tenure.asked = {
    sentAt: nowMs,
    known,
    doubtful: new Set(doubtful.map(({ flight }) => flight.position)),
  };
  tenure.renewals += 1;
  return [{ kind: 'renew', renewal: tenure.renewals, known: known.position }];
}

/** When `actsDue` has something to do, if nothing happens before. */
export function dueAt({ phase, asked, renewAt }: Tenure): number {
  const waits = asked === undefined && (phase === 'opening' || phase === 'writing');
  return waits ? renewAt : Number.POSITIVE_INFINITY;
}

/**
 * Takes a batch, of which it copies the commands and keeps the origins. Faults beyond
 * `batchesInFlightMax`.
 */
export function giveBatch(tenure: Tenure, entry: LogEntry): Act & { readonly kind: 'write' } {
  const { flights, durable } = tenure;
  assert(tenure.phase === 'writing', 'batches are given to a tenure that writes');
  assert(flights.length < batchesInFlightMax, 'few batches are in flight');
  const before = flights.at(-1)?.flight ?? durable;
  const flight = flightAfter(before, entry);
  flights.push({ flight, fate: 'sent' });
  return { kind: 'write', flight };
}

/** The batch as it will stand behind `before`: its hash is that of its frame in a log on files. */
export function flightAfter(before: LogHead, entry: LogEntry): Flight {
  const padded = Buffer.alloc(paddedFrameBytes(entry.commands.length));
  encodeBatchFrame(padded, before, entry);
  const frame = padded.subarray(0, frameHeaderBytes + entry.commands.length);
  const { engineHash, count, origins } = entry;
  const commands = frame.subarray(frameHeaderBytes);
  const content = { engineHash, count, commands, origins };
  return { ...headAfterFrame(frame), previousHash: before.hash, ...content };
}

/** The statement that wrote the batch has ended; `clean`: with its clean answer. */
export function onWritten(
  tenure: Tenure,
  { position, clean, nowMs }: { position: number; clean: boolean; nowMs: number },
): Act[] {
  if (tenure.phase === 'over') return [];
  const found = tenure.flights.find(({ flight }) => flight.position === position);
  assert(found?.fate === 'sent', 'a batch that was sent has been written, or is in doubt');
  found.fate = clean ? 'written' : 'doubtful';
  if (clean) return acknowledgePrefix(tenure);
  tenure.renewAt = Math.min(tenure.renewAt, nowMs + renewAgainMs);
  return [];
}

/** The removal has ended, however: the next renewal shows what is there. */
export function onCut(tenure: Tenure, nowMs: number): Act[] {
  if (tenure.phase !== 'cutting') return [];
  tenure.phase = 'opening';
  tenure.renewAt = nowMs;
  return actsDue(tenure, nowMs);
}

/** The renewal has ended. */
export function onRenewed(tenure: Tenure, renewal: Renewal, nowMs: number): Act[] {
  const { asked, phase } = tenure;
  if (phase === 'over') return [];
  assert(asked !== undefined, 'a renewal was sent before it ended');
  tenure.asked = undefined;
  if (renewal.kind === 'deposed') return end(tenure, { kind: 'deposed' });
  if (renewal.kind === 'doubtful') {
    tenure.renewAt = nowMs + renewAgainMs;
    return [];
  }
  tenure.renewAt = nextRenewal(tenure, asked);
  if (phase === 'opening') return open(tenure, renewal.places);
  return settle(tenure, asked, renewal.places);
}

/** A batch that came into doubt after the question was sent needs another renewal at once. */
function nextRenewal({ flights }: Tenure, { sentAt, doubtful }: Asked): number {
  const isNew = flights.some(
    ({ flight, fate }) => fate === 'doubtful' && !doubtful.has(flight.position),
  );
  return sentAt + (isNew ? renewAgainMs : renewEveryMs);
}

function open(tenure: Tenure, places: readonly BatchPlace[]): Act[] {
  const tail = readTail(places, tenure.known);
  if (tail.kind === 'damaged') return end(tenure, tail);
  if (tail.kind === 'hole') {
    tenure.phase = 'cutting';
    return [{ kind: 'cut', after: tail.head.position }];
  }
  tenure.phase = 'writing';
  tenure.durable = tail.head;
  return [{ kind: 'open', head: tail.head }];
}

/** Ends the doubts that the renewal can end: what it has read is durable, the rest is not there. */
function settle(tenure: Tenure, asked: Asked, places: readonly BatchPlace[]): Act[] {
  const why = whyUnknown(places, asked.known) ?? whyForeign(tenure, places);
  if (why !== undefined) return end(tenure, { kind: 'damaged', why });
  const there = new Set(places.map(({ position }) => position));
  const again: Act[] = [];
  for (const each of tenure.flights) {
    const { flight, fate } = each;
    if (fate !== 'doubtful' || !asked.doubtful.has(flight.position)) continue;
    each.fate = there.has(flight.position) ? 'written' : 'sent';
    if (each.fate === 'sent') again.push({ kind: 'write', flight });
  }
  return [...acknowledgePrefix(tenure), ...again];
}

/** A batch behind the durable ones that this process did not write. */
function whyForeign(
  { durable, flights }: Tenure,
  places: readonly BatchPlace[],
): string | undefined {
  const own = new Map(flights.map(({ flight }) => [flight.position, flight.hash]));
  const foreign = places.find(
    ({ position, hash }) => position > durable.position && own.get(position)?.equals(hash) !== true,
  );
  return foreign && `batch ${foreign.position} was not written by the holder of the lease`;
}

function acknowledgePrefix(tenure: Tenure): Act[] {
  const { flights } = tenure;
  let last: Flight | undefined;
  while (flights[0]?.fate === 'written') last = flights.shift()!.flight;
  if (last === undefined) return [];
  const { position, hash, time } = last;
  tenure.durable = { position, hash, time };
  return [{ kind: 'acknowledge', head: tenure.durable }];
}

function end(tenure: Tenure, ending: Ending): Act[] {
  tenure.phase = 'over';
  return [{ kind: 'end', ending }];
}

const placeOf = ({ position, hash }: LogHead): LogPlace => ({
  position,
  hash: hash.toString('hex'),
});
