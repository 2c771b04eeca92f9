// How the target of cost measures: a burst of equal requests beside plain ones of the same minute,
// in processor time of the trading thread. A case that seems too expensive is measured again, and
// only the best result counts, so that noise of the machine is no violation.

import { budgetOf, type CostClass, type References, type Spent } from './costBudget.ts';
import { openWireClient, type Sent, sendAll, type WireClient } from './costWire.ts';

/** The measured process. */
export type CostTarget = {
  readonly port: number;
  /** Microseconds of processor time that the thread had used when it last fell asleep. */
  readonly cpuUs: () => number;
  /** Whether it sleeps now. */
  readonly sleeps: () => boolean;
};

/** Sends requests that are ready; making them is not measured. */
export type Fire = () => Promise<Sent>;

export type CostCase = {
  readonly kind: CostClass;
  /** Target, row, credential and shape, for the report. */
  readonly what: string;
  readonly target: CostTarget;
  /** Units of weight when answers report none. */
  readonly weight: number;
  /** The number of pieces of one body. */
  readonly pieces?: number;
  /** The most requests of one burst. */
  readonly burstMax: number;
  readonly prepare: (count: number) => Promise<Fire>;
  /** The check of the answers; gives a sentence when it fails. */
  readonly wrong?: (sent: Sent) => string | undefined;
};

export type Verdict = {
  /** The lowest measured cost, divided by the allowed cost. */
  readonly ratio: number;
  readonly us: number;
  readonly budgetUs: number;
  readonly requests: number;
  readonly statuses: string;
  readonly wrong: string | undefined;
};

export type Meter = {
  readonly judge: (tried: CostCase) => Promise<Verdict>;
  readonly references: () => References;
  readonly close: () => void;
};

export type MeterOptions = {
  readonly plain: CostTarget;
  readonly ping: Buffer;
  /** Sends a plain request that is over its limit; undefined where there is no limit. */
  readonly limited: CostCase | undefined;
};

const repetitions = 5;
/** For a case only a little over its budget: its code may be new to the program's compiler. */
const closeRepetitions = 15;
const close = 4;
/** Beyond this multiple of its budget few requests are enough; they still show their weight. */
const hopeless = 20;
const fewRequests = 3;
/** Beyond this many microseconds one request is enough. */
const aloneUs = 100_000;
/** Microseconds after which a case is not repeated. */
const enoughUs = 2_000_000;
const referenceBurst = 20;
const referencesEveryMs = 2000;
/** The median of this many counts. */
const referencesKept = 5;

/** Measures the plain requests once; throws when the platform has no processor times. */
export async function createMeter({ plain, ping, limited }: MeterOptions): Promise<Meter> {
  const clients = openAll(plain);
  const pings = async (fresh: boolean): Promise<number> => {
    const requests = Array.from({ length: referenceBurst }, () => ping);
    const fire = () => sendAll({ clients, requests, fresh, pipelined: false });
    return (await measure(plain, fire)).us / referenceBurst;
  };
  const take = async (): Promise<References> => {
    const usual = await pings(false);
    const fresh = await pings(true);
    const refusal = limited === undefined ? usual : (await burst(limited, referenceBurst)).spent.us;
    const connection = Math.max(0, fresh - usual);
    return { ping: usual, connection, limited: refusal, slowness: slownessNow() };
  };
  let takenAt = performance.now();
  // The first rounds find code that is not compiled yet.
  for (let round = 0; round < 6; round += 1) await take();
  const taken: References[] = [];
  const middle = (name: keyof References): number => {
    const values = taken.map((each) => each[name]).sort((a, b) => a - b);
    return values[values.length >> 1]!;
  };
  let references: References;
  const refresh = async (): Promise<void> => {
    taken.push(await take());
    if (taken.length > referencesKept) taken.shift();
    const [ping, connection] = [middle('ping'), middle('connection')];
    references = { ping, connection, limited: middle('limited'), slowness: middle('slowness') };
    takenAt = performance.now();
  };
  for (let round = 0; round < referencesKept; round += 1) await refresh();
  if (!(references!.ping > 0)) throw new Error('processor times cannot be read on this platform');
  return {
    judge: async (tried) => {
      if (performance.now() - takenAt > referencesEveryMs) await refresh();
      return judge(tried, () => references, refresh);
    },
    references: () => references,
    close: () => {
      for (const { close } of clients) close();
    },
  };
}

async function judge(
  tried: CostCase,
  references: () => References,
  refresh: () => Promise<void>,
): Promise<Verdict> {
  let requests = 0;
  let total = 0;
  let wrong: string | undefined;
  const round = async (count: number): Promise<Verdict> => {
    const { sent, spent } = await burst(tried, count);
    requests += sent.requests;
    total += spent.us * sent.requests;
    wrong ??= tried.wrong?.(sent);
    const budgetUs = budgetOf(tried.kind, spent, references());
    const statuses = [...sent.statuses].map(([status, times]) => `${times} × ${status}`).join(', ');
    return { ratio: spent.us / budgetUs, us: spent.us, budgetUs, requests, statuses, wrong };
  };
  let last = await round(1);
  let best = last;
  const most = (): number => (best.ratio < close ? closeRepetitions : repetitions);
  for (let again = 0; again < most() && total < enoughUs; again += 1) {
    if (again > 0) await refresh();
    const few = last.us > aloneUs ? 1 : fewRequests;
    last = await round(last.ratio > hopeless ? Math.min(few, tried.burstMax) : tried.burstMax);
    if (again === 0 || last.ratio < best.ratio) best = last;
    if (best.ratio <= 1) break;
  }
  return { ...best, requests, wrong };
}

type Measured = { readonly sent: Sent; readonly spent: Spent };

async function burst(tried: CostCase, count: number): Promise<Measured> {
  const fire = await tried.prepare(count);
  const { us, sent } = await measure(tried.target, fire);
  const per = (total: number): number => total / sent.requests;
  const spent = {
    us: per(us),
    bytes: per(sent.bytesOut + sent.bytesIn),
    headBytes: per(sent.headBytes),
    connections: per(sent.connections),
    pieces: tried.pieces ?? 0,
    units: Math.max(tried.weight, sent.weight ?? 0),
  };
  return { sent, spent };
}

async function measure(target: CostTarget, fire: Fire): Promise<{ us: number; sent: Sent }> {
  const before = await settled(target);
  const sent = await fire();
  return { us: (await settled(target)) - before, sent };
}

const looksMax = 2000;

/** The figure of a thread that has become idle: the platform updates it when the thread sleeps. */
async function settled({ cpuUs, sleeps }: CostTarget): Promise<number> {
  let last = Number.NaN;
  for (let look = 0; look < looksMax; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const now = sleeps() ? cpuUs() : Number.NaN;
    if (now - last < restUs) return now;
    last = now;
  }
  return cpuUs();
}

/** The most that an idle thread uses in a millisecond. */
const restUs = 40;

/** Milliseconds of `spin` on the machine on which the budgets were made. */
const spinMs = 0.23;
let spun = 0;

/**
 * At least 1: a faster machine gets no smaller budget. The spin is short, so that one try is
 * undisturbed.
 */
function slownessNow(): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 10; i += 1) {
    const before = performance.now();
    spun += spin();
    best = Math.min(best, performance.now() - before);
  }
  return Math.max(1, best / spinMs);
}

function spin(): number {
  let text = '';
  let sum = spun % 7;
  for (let i = 0; i < 1000; i += 1) {
    text = JSON.stringify({ at: i, sum, name: `n${i}` });
    sum = (sum + text.length * 31) % 1_000_003;
  }
  return sum;
}

/** Connections that send at the same time. */
const lanes = 20;

function openAll({ port }: CostTarget): readonly WireClient[] {
  return Array.from({ length: lanes }, () => openWireClient(port));
}

export type Clients = {
  /** The connections to a target; they stay open for the next case. */
  readonly of: (target: CostTarget) => readonly WireClient[];
  readonly close: () => void;
};

export function createClients(): Clients {
  const open = new Map<number, readonly WireClient[]>();
  return {
    of: (target) => {
      const clients = open.get(target.port) ?? openAll(target);
      open.set(target.port, clients);
      return clients;
    },
    close: () => {
      for (const clients of open.values()) for (const { close } of clients) close();
    },
  };
}
