// The index publisher turns the prices of the feeds into index ticks: one command per 250 ms with
// every price that changed, and each price at least once a second. It judges no price, because the
// engine's gate does so (PRC-2). It submits nothing that a feed did not state.

import type { IndexPrice, IndexTick } from '../engine/command.ts';
import type { Clock } from '../std/clock.ts';
import type { Scheduler } from '../std/scheduler.ts';
import type { MarketId, Ticks, Time } from '../units/units.ts';
import type { FeedPrice, IndexFeed, KeptMarket, Report } from './indexFeed.ts';
import { roundToTicks } from './roundToTicks.ts';

/** The time between two index ticks, milliseconds. */
export const indexTickMs = 250;
/** The longest time between two statements of one live price, milliseconds. */
export const reassertMs = 1000;
/** How many different complaints it remembers, so that it repeats none. */
const complaintsMax = 1000;

export type IndexPublisherPorts = {
  readonly feeds: readonly IndexFeed[];
  /** A listed market by its canonical symbol. */
  readonly marketOf: (symbol: string) => (KeptMarket & { readonly id: MarketId }) | undefined;
  /**
   * Queues the command in the reserve. False when even the reserve is full; the publisher then
   * tries again.
   */
  readonly submit: (command: IndexTick) => boolean;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly report: Report;
};

export type IndexPublisher = {
  readonly start: () => void;
  /** Polls and submits at once, outside the rhythm: an operator's price need not wait. */
  readonly tickNow: () => void;
  /** Ends the rhythm and closes the feeds. */
  readonly stop: () => Promise<void>;
};

type Submitted = { readonly ticks: Ticks; readonly observedAt: number; readonly at: number };

type PublisherState = {
  readonly ports: IndexPublisherPorts;
  /** What was submitted last, by symbol and source. */
  readonly submitted: Map<string, Submitted>;
  readonly complaints: Set<string>;
  /**
   * The time of the last poll. It never falls, so that a wall clock that is set back does not stop
   * the prices.
   */
  polledAt: number;
};

/** Takes the ports; gives a publisher that does nothing before `start`. */
export function createIndexPublisher(ports: IndexPublisherPorts): IndexPublisher {
  const state: PublisherState = {
    ports,
    submitted: new Map(),
    complaints: new Set(),
    polledAt: 0,
  };
  let cancel = (): void => {};
  let running = false;
  const run = (planned: number): void => {
    if (!running) return;
    tick(state);
    // Planned times keep the rhythm. After a pause the missed ticks are skipped.
    const now = ports.clock.now();
    const next = Math.min(Math.max(planned + indexTickMs, now), now + indexTickMs);
    cancel = ports.scheduler.after(next - now, () => run(next));
  };
  return {
    start: () => {
      if (running) return;
      running = true;
      run(ports.clock.now());
    },
    tickNow: () => tick(state),
    stop: async () => {
      running = false;
      cancel();
      for (const feed of ports.feeds) await feed.close();
    },
  };
}

function tick(state: PublisherState): void {
  const { ports } = state;
  const now = Math.max(ports.clock.now(), state.polledAt + 1);
  state.polledAt = now;
  const prices = new Map<string, IndexPrice>();
  for (const feed of ports.feeds) {
    for (const price of feed.poll(now)) {
      const due = duePrice(state, price, now);
      if (due !== undefined) prices.set(keyOf(price), due);
    }
  }
  if (prices.size === 0) return;
  // When the queue is full nothing is lost: what was not submitted is still due at the next tick.
  if (!ports.submit({ kind: 'indexTick', prices: [...prices.values()] })) return;
  for (const [key, { ticks, observedAt }] of prices) {
    state.submitted.set(key, { ticks, observedAt, at: now });
  }
}

/** The price as the command carries it; undefined when it is nothing new. */
function duePrice(state: PublisherState, price: FeedPrice, now: number): IndexPrice | undefined {
  const market = state.ports.marketOf(price.symbol);
  if (market === undefined) {
    complain(state, `the index feed ${price.source} knows ${price.symbol}, which is not listed`);
    return undefined;
  }
  const ticks = roundToTicks(price.price, market.tick);
  if (ticks === undefined) {
    const where = `the index feed ${price.source} stated for ${price.symbol}`;
    complain(state, `${where} a price that no tick can express: ${price.price.slice(0, 40)}`);
    return undefined;
  }
  const last = state.submitted.get(keyOf(price));
  if (last !== undefined) {
    if (price.observedAt <= last.observedAt) return undefined;
    // At the next tick the price would be stated later than once a second.
    const waits = now - last.at + indexTickMs <= reassertMs;
    if (ticks === last.ticks && waits) return undefined;
  }
  const observedAt = price.observedAt as Time;
  return { market: market.id, source: price.source, ticks, observedAt };
}

const keyOf = (price: FeedPrice): string => `${price.symbol} ${price.source}`;

function complain(state: PublisherState, message: string): void {
  if (state.complaints.has(message) || state.complaints.size >= complaintsMax) return;
  state.complaints.add(message);
  state.ports.report(message);
}
