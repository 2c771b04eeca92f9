// How the target of cost measures: bursts of equal requests between bursts of plain ones, in
// processor time of the trading thread. When they are judged stands in costVerdict.ts.

import { budgetOf, budgets, type CostClass, type References, type Spent } from './costBudget.ts';
import { judgeRounds, type Round } from './costVerdict.ts';
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
  /** The most requests of one short burst. */
  readonly burstMax: number;
  readonly prepare: (count: number) => Promise<Fire>;
  /** Its first request ends the session of the token that other cases use. */
  readonly endsSession?: boolean;
  /** The check of the answers; gives a sentence when it fails. */
  readonly wrong?: (sent: Sent) => string | undefined;
};

export type Verdict = {
  /** The measured cost, divided by the allowed cost. */
  readonly ratio: number;
  /** The request costs more than it may. */
  readonly isOver: boolean;
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
  /** The server without a program; undefined: the machine counts as fast as the usual one. */
  readonly bare?: CostTarget;
  /** Sends a plain request that is over its limit; undefined where there is no limit. */
  readonly limited?: CostCase;
  /** Sends a plain command, over open connections and over new ones; undefined: there is none. */
  readonly command?: { readonly open: CostCase; readonly fresh: CostCase };
  /** How many times its budget a request may cost. */
  readonly margin: number;
};

/** Beyond this multiple of its budget few requests are enough; they still show their weight. */
const hopeless = 20;
const fewRequests = 3;
/** Beyond this many microseconds one request is enough. */
const aloneUs = 100_000;
const referenceBurst = 20;
/**
 * A long burst has this many times the requests of a short one. The first requests after a pause
 * find cold caches and sleeping threads. A caller at full rate does not pay for that, and the
 * budgets are about such a caller.
 */
const longTimes = 5;
/**
 * A plain refusal that costs less than this part of a ping does not reach the trading thread. One
 * that reaches it may then cost as much as a ping.
 */
const unnoticed = 0.1;
const referencesEveryMs = 2000;
/** The median of this many counts. */
const referencesKept = 5;

/** Measures the plain requests once; throws when the platform has no processor times. */
export async function createMeter(options: MeterOptions): Promise<Meter> {
  const { plain, bare, ping, limited, command, margin } = options;
  const clients = openAll(plain);
  const bareClients = bare === undefined ? [] : openAll(bare);
  const pings = async (count: number, fresh: boolean): Promise<number> => {
    const requests = Array.from({ length: count }, () => ping);
    const fire = () => sendAll({ clients, requests, fresh, pipelined: false });
    return (await measure(plain, fire)).us / count;
  };
  const slowness = async (count: number): Promise<number> => {
    // Short bursts are slower than `bareUs`, on any machine.
    if (bare === undefined || count <= referenceBurst) return 1;
    const requests = Array.from({ length: count }, () => ping);
    const fire = () => sendAll({ clients: bareClients, requests, fresh: false, pipelined: false });
    return Math.max(1, (await measure(bare, fire)).us / count / bareUs);
  };
  const costOf = async (tried: CostCase | undefined, count: number): Promise<number> =>
    tried === undefined ? 0 : (await burst(tried, count)).spent.us;
  const refusalOf = async (count: number, usual: number): Promise<number> => {
    const cost = await costOf(limited, count);
    // A gateway worker refuses plain requests itself.
    return limited !== undefined && cost < unnoticed * usual ? usual / 2 : cost;
  };
  const take: Take = async (count, { kind, isFresh }) => {
    const usual = await pings(count, false);
    const connection = isFresh ? Math.max(0, (await pings(count, true)) - usual) : 0;
    const isCommand = isFresh && budgets[kind].usAloneMax > 0;
    const added = isCommand
      ? (await costOf(command?.fresh, count)) - (await costOf(command?.open, count))
      : 0;
    const isRefused = budgets[kind].reference === 'limited';
    return {
      ping: usual,
      connection,
      alone: Math.max(0, added - connection),
      limited: isRefused ? await refusalOf(count, usual) : 0,
      slowness: await slowness(count),
    };
  };
  const takeAll = async (): Promise<References> => {
    const served = await take(referenceBurst, { kind: 'served', isFresh: true });
    return { ...served, limited: await refusalOf(referenceBurst, served.ping) };
  };
  // The first rounds find code that is not compiled yet.
  for (let round = 0; round < 10; round += 1) await slowness(1000);
  for (let round = 0; round < 6; round += 1) await takeAll();
  const taken: References[] = [];
  let takenAt = 0;
  const refresh = async (): Promise<void> => {
    taken.push(await takeAll());
    if (taken.length > referencesKept) taken.shift();
    takenAt = performance.now();
  };
  for (let round = 0; round < referencesKept; round += 1) await refresh();
  const references = (): References => middleOf(taken);
  if (!(references().ping > 0)) throw new Error('processor times cannot be read on this platform');
  return {
    judge: async (tried) => {
      if (performance.now() - takenAt > referencesEveryMs) await refresh();
      return judge(tried, { usual: references, take, margin });
    },
    references,
    close: () => {
      for (const { close } of [...clients, ...bareClients]) close();
    },
  };
}

/**
 * Measures as many plain requests now, those that the budget of the class needs; `isFresh`: over
 * new connections too.
 */
type Take = (
  count: number,
  needed: { readonly kind: CostClass; readonly isFresh: boolean },
) => Promise<References>;

type Judging = {
  /** The middle of the last ones. */
  readonly usual: () => References;
  readonly take: Take;
  readonly margin: number;
};

async function judge(tried: CostCase, { usual, take, margin }: Judging): Promise<Verdict> {
  let requests = 0;
  let wrong: string | undefined;
  let statuses = '';
  let last = { ratio: 0, us: 0, isFresh: true };
  const round = async (count: number, isPaired: boolean): Promise<Round<Measure>> => {
    const needed = { kind: tried.kind, isFresh: last.isFresh };
    const references = isPaired ? await take(count, needed) : usual();
    const { sent, spent } = await burst(tried, count);
    requests += sent.requests;
    wrong ??= tried.wrong?.(sent);
    statuses = [...sent.statuses].map(([status, times]) => `${times} × ${status}`).join(', ');
    const ratio = spent.us / budgetOf(tried.kind, spent, references);
    last = { ratio, us: spent.us, isFresh: spent.connections > 0 };
    return { value: { spent, references }, us: spent.us * sent.requests };
  };
  const next = (isPaired: boolean): Promise<Round<Measure>> => {
    const few = Math.min(last.us > aloneUs ? 1 : fewRequests, tried.burstMax);
    const usually = tried.burstMax * (isPaired ? longTimes : 1);
    return round(last.ratio > hopeless ? few : usually, isPaired);
  };
  const estimate = (measures: readonly Measure[]) => {
    const { us, ...spent } = middleOf(measures.map((each) => each.spent));
    const references = middleOf(measures.map((each) => each.references));
    const budgetUs = budgetOf(tried.kind, { us, ...spent }, references);
    return { ratio: us / budgetUs, us, budgetUs };
  };
  // The first request may find code that is not compiled yet.
  await round(1, false);
  const ratioOf = (measures: readonly Measure[]) => estimate(measures).ratio / margin;
  const { measures, isOver } = await judgeRounds(next, ratioOf);
  return { ...estimate(measures), isOver, requests, statuses, wrong };
}

/** One burst, and the plain requests to compare it with. */
type Measure = { readonly spent: Spent; readonly references: References };

/** The middle value of each member. */
function middleOf<Values extends Readonly<Record<string, number>>>(
  measured: readonly Values[],
): Values {
  const middle = (name: string): number => {
    const values = measured.map((each) => each[name]!).sort((a, b) => a - b);
    return values[values.length >> 1]!;
  };
  const names = Object.keys(measured[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, middle(name)])) as Values;
}

type Measured = { readonly sent: Sent; readonly spent: Spent };

async function burst(tried: CostCase, count: number): Promise<Measured> {
  const fire = await tried.prepare(count);
  const { us, sent } = await measure(tried.target, fire);
  sent.close?.();
  const per = (total: number): number => total / sent.requests;
  const spent = {
    us: per(us),
    bytes: per(sent.bytesOut + sent.bytesIn),
    headBytes: per(sent.headBytes),
    headLines: per(sent.headLines),
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
    if (now - last < idleUs) return now;
    last = now;
  }
  return cpuUs();
}

/** The most that an idle thread uses in a millisecond. */
const idleUs = 40;

/**
 * Microseconds of the server without a program for one request of a long burst, on the machine on
 * which the budgets were made. A faster machine gets no smaller budget.
 */
const bareUs = 25;

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
