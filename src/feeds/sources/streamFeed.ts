// The streaming feed: keeps one connection to an exchange's stream, and opens a new one after the
// old one has failed or become silent. Prices that are no longer confirmed are left out
// (priceBoard.ts). The files of the exchanges know what the messages mean.

import type { Clock } from '../../std/clock.ts';
import type { Prng } from '../../std/prng.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import type { IndexFeed, Report } from '../indexFeed.ts';
import { type Backoff, createBackoff } from './backoff.ts';
import { type Complaints, createComplaints, faultOf, wholeSource } from './complaints.ts';
import { parseJsonText } from './jsonMember.ts';
import { messageBytesMax, type OpenSocket, type Socket } from './openSocket.ts';
import { createPriceBoard, type PriceBoard } from './priceBoard.ts';
import type { Ticker } from './restExchange.ts';
import type { StreamExchange, StreamNews } from './streamExchange.ts';
import { takeTicker } from './takeTicker.ts';

/** The time between two heartbeats, milliseconds. */
const beatMs = 1000;
/** The number of beats after which a connection that has not opened, or is silent, is given up. */
export const silentBeatsMax = 5;
/** The number of beats after which a pair without any price is reported. */
const emptyBeats = 10;
/**
 * The number of beats after which a connection counts as working: the next failure is a first one.
 */
export const steadyBeats = 30;

export type StreamFeedOptions = {
  readonly exchange: StreamExchange;
  /** The exchange's names of the pairs by canonical symbol, each name once. */
  readonly symbols: ReadonlyMap<string, string>;
  readonly openSocket: OpenSocket;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly prng: Prng;
  readonly report: Report;
};

type Streaming = {
  readonly exchange: StreamExchange;
  readonly openSocket: OpenSocket;
  readonly scheduler: Scheduler;
  readonly board: PriceBoard;
  readonly complaints: Complaints;
  readonly backoff: Backoff;
  readonly symbolOf: ReadonlyMap<string, string>;
  connection: Connection | undefined;
  closed: boolean;
  /** Cancels the one timer that is planned: the next beat or the next connection. */
  cancel: () => void;
};

type Connection = {
  readonly socket: Socket;
  open: boolean;
  beats: number;
  /** Beats since the last message that could be read. */
  silentBeats: number;
};

/** A feed that connects at once. */
export function createStreamFeed(options: StreamFeedOptions): IndexFeed {
  const { exchange, symbols, clock, report } = options;
  const { source } = exchange;
  const streaming: Streaming = {
    exchange,
    openSocket: options.openSocket,
    scheduler: options.scheduler,
    board: createPriceBoard({ source, clock, orderIsClock: false }),
    complaints: createComplaints(source, report, clock),
    backoff: createBackoff(options.prng),
    symbolOf: new Map(Array.from(symbols, ([symbol, name]) => [name, symbol])),
    connection: undefined,
    closed: false,
    cancel: () => {},
  };
  connect(streaming);
  return {
    source,
    poll: streaming.board.poll,
    close: async () => {
      streaming.closed = true;
      streaming.cancel();
      streaming.connection?.socket.close();
      streaming.connection = undefined;
    },
  };
}

function connect(streaming: Streaming): void {
  const { exchange, board, symbolOf } = streaming;
  const names = [...symbolOf.keys()];
  board.renew();
  // Messages of an older connection do not count any more.
  const mine = (): boolean => streaming.connection === connection;
  const socket = streaming.openSocket(exchange.url(names), {
    onOpen: () => {
      if (!mine()) return;
      connection.open = true;
      connection.silentBeats = 0;
      for (const text of exchange.greeting(names)) socket.send(text);
    },
    onText: (text) => {
      if (mine()) hear(streaming, connection, text);
    },
    onEnd: (problem) => {
      if (mine()) fail(streaming, problem);
    },
  });
  const connection: Connection = { socket, open: false, beats: 0, silentBeats: 0 };
  streaming.connection = connection;
  planBeat(streaming);
}

function planBeat(streaming: Streaming): void {
  streaming.cancel = streaming.scheduler.after(beatMs, () => beat(streaming));
}

function beat(streaming: Streaming): void {
  const { connection, exchange, complaints, board, symbolOf } = streaming;
  if (connection === undefined) return;
  connection.beats += 1;
  connection.silentBeats += 1;
  if (connection.silentBeats > silentBeatsMax) {
    return fail(streaming, connection.open ? 'it is silent' : 'it does not answer in time');
  }
  if (connection.beats === steadyBeats && connection.open) streaming.backoff.reset();
  if (connection.beats === emptyBeats) {
    for (const symbol of symbolOf.values()) {
      if (!board.has(symbol)) complaints.raise(symbol, 'the stream brings no price of it');
    }
  }
  if (connection.open && exchange.heartbeat !== undefined) {
    connection.socket.send(exchange.heartbeat(connection.beats));
  }
  planBeat(streaming);
}

/** Gives the connection up and plans the next one. */
function fail(streaming: Streaming, problem: string): void {
  const { connection, complaints, scheduler, backoff } = streaming;
  streaming.cancel();
  streaming.connection = undefined;
  connection?.socket.close();
  complaints.raise(wholeSource, problem);
  if (streaming.closed) return;
  streaming.cancel = scheduler.after(backoff.next(), () => connect(streaming));
}

function hear(streaming: Streaming, connection: Connection, text: string): void {
  if (text.length > messageBytesMax) {
    return fail(streaming, 'it sends a message of more than 64 KiB');
  }
  try {
    const message = parseJsonText(text);
    const news: StreamNews =
      message === undefined ? { kind: 'malformed' } : streaming.exchange.read(message);
    if (news.kind !== 'malformed') connection.silentBeats = 0;
    learn(streaming, news);
  } catch (error) {
    fail(streaming, faultOf(error));
  }
}

function learn(streaming: Streaming, news: StreamNews): void {
  const { complaints, symbolOf, board } = streaming;
  switch (news.kind) {
    case 'ticker':
      return hearTicker(streaming, news.ticker);
    case 'alive':
      for (const name of news.names) {
        const symbol = symbolOf.get(name);
        // A pair whose first price has not come yet needs no confirmation.
        if (symbol === undefined || !board.has(symbol)) continue;
        const problem = board.confirm(symbol);
        if (problem !== undefined) complaints.raise(symbol, problem);
      }
      return;
    case 'refused':
      return complaints.raise('a request', 'it is refused');
    case 'malformed':
      return complaints.raise('a message', 'it is dropped: it is malformed');
    case 'nothing':
      return;
  }
}

function hearTicker({ complaints, symbolOf, board }: Streaming, ticker: Ticker): void {
  const symbol = symbolOf.get(ticker.name);
  if (symbol === undefined) {
    return complaints.raise('a pair that was not asked for', 'it is dropped');
  }
  const problem = takeTicker(board, symbol, ticker);
  if (problem !== undefined) {
    return complaints.raise(symbol, `a message is dropped: ${problem}`);
  }
  complaints.settle(symbol);
  complaints.settle(wholeSource);
}
