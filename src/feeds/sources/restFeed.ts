// The polling feed: asks one exchange for the pairs of all its symbols, round after round, with at
// most one request at a time. The exchanges are in files beside this one, the rhythm in
// pollLoop.ts.

import type { Clock } from '../../std/clock.ts';
import type { Prng } from '../../std/prng.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import type { IndexFeed, Report } from '../indexFeed.ts';
import { createBackoff } from './backoff.ts';
import { type Complaints, createComplaints, faultOf, wholeSource } from './complaints.ts';
import type { FetchText } from './fetchText.ts';
import { parseJsonText } from './jsonMember.ts';
import { type Round, startPollLoop } from './pollLoop.ts';
import { createPriceBoard, liveMs, type PriceBoard } from './priceBoard.ts';
import type { RestExchange, Ticker } from './restExchange.ts';
import { takeTicker } from './takeTicker.ts';

/** How long to leave out a pair that the exchange does not know, milliseconds. */
export const unknownNameMs = 30_000;

export type RestFeedOptions = {
  readonly exchange: RestExchange;
  /** The exchange's names of the pairs by canonical symbol, each name once. */
  readonly symbols: ReadonlyMap<string, string>;
  readonly fetchText: FetchText;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly prng: Prng;
  readonly report: Report;
};

type Polling = {
  readonly exchange: RestExchange;
  readonly fetchText: FetchText;
  readonly clock: Clock;
  readonly board: PriceBoard;
  readonly complaints: Complaints;
  readonly symbolOf: ReadonlyMap<string, string>;
  /** The names in the order of the next round. */
  names: string[];
  /** Until when a name is left out. */
  readonly restingUntil: Map<string, number>;
};

/** The result of one request. */
type Outcome =
  | { readonly kind: 'read'; readonly good: boolean }
  | { readonly kind: 'failed'; readonly waitMsMin: number };

/** A feed that begins to poll at once. */
export function createRestFeed(options: RestFeedOptions): IndexFeed {
  const { exchange, symbols, fetchText, clock, scheduler, report } = options;
  const { source, orderIsClock } = exchange;
  const polling: Polling = {
    exchange,
    fetchText,
    clock,
    board: createPriceBoard({ source, clock, orderIsClock }),
    complaints: createComplaints(source, report, clock),
    symbolOf: new Map(Array.from(symbols, ([symbol, name]) => [name, symbol])),
    names: [...symbols.values()],
    restingUntil: new Map(),
  };
  const loop = startPollLoop({
    ask: (signal) => askRound(polling, signal),
    onFault: (error) => polling.complaints.raise(wholeSource, faultOf(error)),
    backoff: createBackoff(options.prng),
    clock,
    scheduler,
  });
  return { source, poll: polling.board.poll, close: loop.stop };
}

async function askRound(polling: Polling, signal: AbortSignal): Promise<Round> {
  const { exchange, restingUntil, clock } = polling;
  const now = clock.now();
  const asked = polling.names.filter((name) => (restingUntil.get(name) ?? 0) <= now);
  let good = false;
  for (let i = 0; i < asked.length && !signal.aborted; i += exchange.namesPerRequest) {
    const names = asked.slice(i, i + exchange.namesPerRequest);
    const outcome = await askFor(polling, names, signal);
    if (outcome.kind === 'failed') {
      // The next round begins after the request that failed, so that no pair is left out every
      // time.
      const first = polling.names.indexOf(names.at(-1)!) + 1;
      polling.names = [...polling.names.slice(first), ...polling.names.slice(0, first)];
      return { good, failed: outcome };
    }
    good ||= outcome.good;
  }
  return { good };
}

async function askFor(
  polling: Polling,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Outcome> {
  const { exchange } = polling;
  const answer = await polling.fetchText({ url: exchange.url(names), signal });
  if (signal.aborted) return { kind: 'read', good: false };
  if (answer.kind === 'failed') return failed(polling, answer.problem);
  const { status, retryAfterMs } = answer;
  if (status === 400 || status === 404) return unknown(polling, names, signal);
  if (status !== 200) return failed(polling, `it answers with status ${status}`, retryAfterMs);
  if (answer.cachedSeconds * 1000 > liveMs) return failed(polling, 'it answers from a cache');
  const read = exchange.read(parseJsonText(answer.text), names);
  switch (read.kind) {
    case 'unknownName':
      return unknown(polling, names, signal);
    case 'unavailable':
      return failed(polling, 'it answers with an error');
    case 'malformed':
      if (names.length > 1) return failed(polling, 'its answer is malformed');
      return rest(polling, names[0]!, 'the answer is malformed');
    case 'tickers':
      polling.complaints.settle(wholeSource);
      return { kind: 'read', good: takeAll(polling, read.tickers, names) };
  }
}

/** Finds out which of several names is unknown, and leaves that name out for a while. */
async function unknown(
  polling: Polling,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Outcome> {
  if (names.length === 1) return rest(polling, names[0]!, 'the exchange does not know its name');
  let good = false;
  for (const name of names) {
    if (signal.aborted) break;
    const outcome = await askFor(polling, [name], signal);
    if (outcome.kind === 'failed') return outcome;
    good ||= outcome.good;
  }
  return { kind: 'read', good };
}

/** Cost: a pair without a price takes a place in the rounds only every half minute. */
function rest(polling: Polling, name: string, problem: string): Outcome {
  polling.restingUntil.set(name, polling.clock.now() + unknownNameMs);
  polling.complaints.raise(polling.symbolOf.get(name)!, problem);
  return { kind: 'read', good: false };
}

function failed({ complaints }: Polling, problem: string, waitMsMin = 0): Outcome {
  complaints.raise(wholeSource, problem);
  return { kind: 'failed', waitMsMin };
}

/** Whether at least one ticker is a price of a requested pair. */
function takeAll(polling: Polling, tickers: readonly Ticker[], names: readonly string[]): boolean {
  const { complaints, symbolOf, board } = polling;
  const missing = new Set(names);
  let good = false;
  for (const ticker of tickers) {
    const symbol = missing.delete(ticker.name) ? symbolOf.get(ticker.name)! : undefined;
    if (symbol === undefined) {
      complaints.raise('a pair that was not asked for', 'it is dropped');
      continue;
    }
    const problem = takeTicker(board, symbol, ticker);
    if (problem === undefined) {
      complaints.settle(symbol);
      good = true;
    } else {
      complaints.raise(symbol, `an answer is dropped: ${problem}`);
    }
  }
  for (const name of missing) complaints.raise(symbolOf.get(name)!, 'it is missing in the answer');
  return good;
}
