// Keeps the books and the last trades of all markets from the native channels, checks checksums,
// and resumes after every dropped connection (WS-2).

import { depthOfMarket } from '../../../src/engine/views/depthOfMarket.ts';
import { formatSteps } from '../../../src/units/decimal.ts';
import {
  applyDepth,
  type BookCopy,
  createBookCopy,
  createStanding,
  follow,
  levelsOf,
  type Standing,
} from '../../../test/streams/localCopies.ts';
import type { Judge } from '../oracles/createJudge.ts';
import { lastTradeKey, tradeKey, tradeValue } from '../oracles/keys.ts';
import { valueAt } from '../oracles/timelines.ts';
import type { LifeView, Violation } from '../ports.ts';
import type { Body } from './createCaller.ts';
import { createStreamLine, type StreamLine } from './createStreamLine.ts';
import { noteReported } from './diary.ts';
import { type Feed, type FeedMeans, hasReadAll } from './feed.ts';

type Tape = { readonly standing: Standing; last: number; readonly floor: { step: number } };

type Copies = {
  readonly books: Map<string, BookCopy>;
  readonly tapes: Map<string, Tape>;
};

export function createBookReader(means: FeedMeans): Feed {
  const { world, diary } = means;
  const copies: Copies = { books: new Map(), tapes: new Map() };
  const line = createStreamLine(world, {
    ...means,
    path: () => '/ws',
    dialect: 'native',
    onOpen: (opened) => subscribe(means, copies, opened),
    onMessage: (message) => {
      try {
        take(means, copies, line, message);
      } catch (error) {
        diary.wrong.push(`reader of books: ${(error as Error).message}`);
        line.close();
      }
    },
  });
  return {
    open: line.open,
    calm: line.calm,
    check: (view, judge) =>
      hasReadAll(world, line, judge) ? compare(means, copies, view, judge) : [],
  };
}

function subscribe({ world }: FeedMeans, { books, tapes }: Copies, line: StreamLine): void {
  for (const { symbol } of world.markets) {
    const [depth, trades] = [`depth:${symbol}`, `trades:${symbol}`];
    if (!books.has(depth)) books.set(depth, createBookCopy());
    if (!tapes.has(trades)) {
      tapes.set(trades, { standing: createStanding(), last: 0, floor: { step: 0 } });
    }
  }
  // Also those of markets that traders no longer see.
  for (const [channel, { standing }] of [...books, ...tapes]) join(line, channel, standing);
}

/** From a new snapshot, or from where it stopped. */
function join(line: StreamLine, channel: string, { seq, epoch }: Standing): void {
  if (seq < 0) line.send({ type: 'subscribe', channel });
  else line.send({ type: 'resume', channel, epoch, seq });
}

function take(
  { world, diary }: FeedMeans,
  { books, tapes }: Copies,
  line: StreamLine,
  message: Body,
): void {
  world.count(`stream ${message.type}`);
  switch (message.type) {
    case 'depth':
      return applyDepth(books.get(message.channel)!, message);
    case 'trade': {
      const tape = tapes.get(message.channel)!;
      follow(tape.standing, message);
      if (message.snapshot) tape.last = 0;
      const symbol = message.channel.split(':')[1]!;
      for (const { trade_id, price, qty, taker_side } of message.trades) {
        if (trade_id <= tape.last)
          throw new Error(`${symbol}: trade ${trade_id} after ${tape.last}`);
        tape.last = trade_id;
        const seen = {
          key: tradeKey(symbol, trade_id),
          value: tradeValue({ price, qty, taker_side }),
        };
        noteReported(diary, tape.floor, `reader of ${message.channel}`, [seen]);
      }
      return;
    }
    case 'error':
      // Too many at once: it subscribes again later.
      world.clock.after(1500, () => line.send({ type: 'subscribe', channel: message.channel }));
      return;
    case 'reset':
    case 'subscribed':
      return;
    default:
      throw new Error(`an unknown message ${message.type}`);
  }
}

function compare(
  { world }: FeedMeans,
  { books, tapes }: Copies,
  { exchange }: LifeView,
  { timelines, end }: Judge,
): Violation[] {
  const wrong: Violation[] = [];
  for (const market of exchange.markets) {
    const { symbol, tick, lot } = market;
    const copy = books.get(`depth:${symbol}`);
    if (copy === undefined || copy.standing.seq < 0) continue;
    const depth = depthOfMarket(market, Number.MAX_SAFE_INTEGER);
    for (const side of ['bids', 'asks'] as const) {
      const levels = depth[side].map(([ticks, lots]) => [
        formatSteps(ticks, tick),
        formatSteps(lots, lot),
      ]);
      const [kept, due] = [JSON.stringify(levelsOf(copy, side)), JSON.stringify(levels)];
      if (kept !== due)
        wrong.push(`reader of depth:${symbol} has ${side} ${kept}, there are ${due}`);
    }
    const last = valueAt(timelines, lastTradeKey(symbol), end());
    const tape = tapes.get(`trades:${symbol}`)!;
    const heard = tape.last === 0 ? '' : String(tape.last);
    if (heard !== last)
      wrong.push(`reader of trades:${symbol} heard of ${heard}, the last is ${last}`);
  }
  world.count('book copies compared');
  return wrong;
}
