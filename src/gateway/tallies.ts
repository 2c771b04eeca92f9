// Counters that several processes of a deployment count in (AUTH-7): what this process has counted
// itself, for the others, and what they have counted, for this one. link/uses.ts exchanges both.
// A process reports totals and not differences, so a message may come twice or late.

/** What was used in the window that began at `window`. */
export type Counter = {
  window: number;
  used: number;
  /** What of it may still be given back; no other process hears of it. */
  held: number;
  /** What it counts for all processes; undefined: only for this one. */
  readonly kind: TallyKind | undefined;
  /** Which counter of its kind it is. */
  readonly key: string;
  tally: Tally | undefined;
};

type Tally = {
  /** What other processes have used in the window `heardIn`. */
  heard: number;
  heardIn: number;
  /** The total that was reported last, of the window `reportedIn`. */
  reported: number;
  reportedIn: number;
  /** It is among those that are reported next. */
  waits: boolean;
};

/** Counters of one limit. */
export type TallyKind = {
  /** The first word of their names. */
  readonly word: string;
  readonly lengthMs: number;
  /** As soon as so much is new it is reported, before the next regular message. */
  readonly step: number;
  readonly tallies: Tallies;
};

/** What this process has used under a name, in the window that ends at `until`. */
export type OwnUse = { readonly name: string; readonly until: number; readonly total: number };
/** How much more another process has used than it had reported before. */
export type OtherUse = { readonly name: string; readonly until: number; readonly amount: number };

/** The counter of a kind that has this key; undefined: it has no place, or there is no such key. */
export type FindCounter = (key: string, window: number) => Counter | undefined;

export type Tallies = {
  readonly changed: Counter[];
  readonly finders: Map<string, { readonly lengthMs: number; readonly find: FindCounter }>;
  /** Asks for a message now. */
  urge: () => void;
  /** Asks for a message soon: something has changed. */
  wake: () => void;
};

export const createTallies = (): Tallies => ({
  ...{ changed: [], finders: new Map(), urge: () => {}, wake: () => {} },
});

/** A step of this part of a limit bounds what others do not know yet. */
export const stepsPerLimit = 32;

/** A limit that all processes have together. `ceiling`: the smallest one. */
export function shareLimit(
  tallies: Tallies | undefined,
  { word, lengthMs, ceiling }: Pick<TallyKind, 'word' | 'lengthMs'> & { readonly ceiling: number },
  find: FindCounter,
): TallyKind | undefined {
  if (tallies === undefined) return undefined;
  tallies.finders.set(word, { lengthMs, find });
  return { word, lengthMs, step: Math.max(1, Math.floor(ceiling / stepsPerLimit)), tallies };
}

export function createCounter(kind?: TallyKind, key: string | number = ''): Counter {
  return { window: 0, used: 0, held: 0, kind, key: String(key), tally: undefined };
}

/** Something was counted, given back, or is held no more. */
export function noteUse(counter: Counter): void {
  const { kind } = counter;
  if (kind === undefined) return;
  const tally = tallyOf(counter);
  if (!tally.waits) {
    tally.waits = true;
    kind.tallies.changed.push(counter);
    if (kind.tallies.changed.length === 1) kind.tallies.wake();
  }
  const reported = tally.reportedIn === counter.window ? tally.reported : 0;
  if (ownUse(counter, tally) - reported >= kind.step) kind.tallies.urge();
}

/** What has changed since the last call. */
export function takeChanged({ changed }: Tallies): OwnUse[] {
  const uses: OwnUse[] = [];
  for (const counter of changed.splice(0)) {
    const { kind, key, window } = counter;
    const tally = tallyOf(counter);
    tally.waits = false;
    tally.reported = ownUse(counter, tally);
    tally.reportedIn = window;
    if (kind === undefined || tally.reported === 0) continue;
    uses.push({
      name: `${kind.word} ${key}`,
      until: window + kind.lengthMs,
      total: tally.reported,
    });
  }
  return uses;
}

/** Counts what another process has used; nothing where it names no counter of this process. */
export function hearUse({ finders }: Tallies, { name, until, amount }: OtherUse): void {
  const space = name.indexOf(' ');
  const found = finders.get(name.slice(0, space));
  if (found === undefined) return;
  const window = until - found.lengthMs;
  const counter = found.find(name.slice(space + 1), window);
  // A counter that several keys share has no name.
  if (counter?.kind === undefined || window < counter.window) return;
  if (window > counter.window) {
    counter.window = window;
    counter.used = 0;
  }
  const tally = tallyOf(counter);
  if (tally.heardIn !== window) tally.heard = 0;
  tally.heardIn = window;
  tally.heard += amount;
  counter.used += amount;
}

function tallyOf(counter: Counter): Tally {
  counter.tally ??= { heard: 0, heardIn: 0, reported: 0, reportedIn: 0, waits: false };
  return counter.tally;
}

function ownUse({ window, used, held }: Counter, { heard, heardIn }: Tally): number {
  return Math.max(0, used - held - (heardIn === window ? heard : 0));
}
