// Streams over a replica whose turns, syncs and clock are the test's, and readers without sockets:
// what a reader was sent, how far it is behind and how it was closed can be looked at.

import { randomBytes } from 'node:crypto';
import { accountRecords } from '../../src/api/native/accountRecords.ts';
import { disconnectError } from '../../src/api/streams/disconnectError.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Event } from '../../src/engine/event.ts';
import { createDisconnects } from '../../src/gateway/createDisconnects.ts';
import { createRateLimits } from '../../src/gateway/rateLimits.ts';
import { parseSocketPath } from '../../src/gateway/sockets/socketPath.ts';
import { must } from '../../src/std/assert.ts';
import { createStreams, type StreamsOptions } from '../../src/streams/createStreams.ts';
import type { Wire } from '../../src/streams/reader.ts';
import { defaultStreamBounds, type StreamBounds } from '../../src/streams/streamBounds.ts';
import type { Holder } from '../../src/streams/streamContext.ts';
import type { Session, SocketOpening, Streams } from '../../src/streams/streams.ts';
import type { AccountId, OrderId, Time } from '../../src/units/units.ts';
import { createStream, openingCommands, type Stream } from '../engine/commandStream.ts';
import { createSteppedReplica, type SteppedReplica } from '../fixtures/steppedReplica.ts';
import { checkMessage } from './checkMessage.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of messages.
export type Said = any;

export type FakeReader = {
  readonly session: Session;
  /** Its messages, in order, since the test last took them. */
  readonly buffers: Buffer[];
  /** The messages since the last call. */
  readonly take: () => Said[];
  readonly say: (message: unknown) => void;
  readonly sayText: (text: string) => void;
  /** From now on it takes nothing. */
  readonly stall: () => void;
  /** It reads the waiting messages and all later ones, or only a number of them. */
  readonly drain: (messages?: number) => void;
  readonly backlog: () => number;
  /** The code it was closed with, or `cut`. */
  readonly closed: () => number | 'cut' | undefined;
  readonly pings: () => number;
};

export type StreamWorld = SteppedReplica & {
  readonly streams: Streams;
  readonly faults: unknown[];
  readonly bounds: StreamBounds;
  /** At that address of the listener. */
  readonly connect: (path?: string) => FakeReader;
  /** Applies commands, one batch, not durable. */
  readonly apply: (...commands: readonly Command[]) => void;
  /** The same, durable. */
  readonly run: (...commands: readonly Command[]) => void;
  /** Markets, money and prices of the seeded stream (commandStream.ts). */
  readonly open: () => void;
  /** `count` commands of the stream, each its own batch, durable. */
  readonly trade: (stream: Stream, count: number) => void;
  readonly stream: (seed: number) => Stream;
  /** Moves the clock and lets the streams read it. */
  readonly pass: (milliseconds: number) => void;
  /** Runs work that the streams left for later turns. */
  readonly laterTurn: () => void;
};

export type StreamWorldOptions = {
  readonly bounds?: Partial<StreamBounds>;
  readonly streams?: Partial<StreamsOptions>;
};

export const worldEpoch = 'e0e1e2e3';

export function openStreamWorld(options: StreamWorldOptions = {}): StreamWorld {
  const stepped = createSteppedReplica();
  const { replica, state, clock, log } = stepped;
  const { exchange, views } = state;
  const faults: unknown[] = [];
  let later: (() => void)[] = [];
  const bounds = { ...defaultStreamBounds, ...options.bounds };
  const disconnects = createDisconnects({ replica, limits: createRateLimits(), clock });
  const streams = createStreams({
    exchange,
    views,
    clock,
    bounds,
    epoch: worldEpoch,
    whenDurable: replica.whenDurable,
    records: { ...accountRecords(exchange), disconnectError },
    disconnects,
    admitToken: async (token) => holderOf(token) ?? 'tokenInvalid',
    onFault: (error) => faults.push(error),
    randomBytes,
    defer: (step) => later.push(step),
    ...options.streams,
  });
  const onEvents = (events: readonly Event[]): void => {
    disconnects.onEvents(events);
    streams.onEvents(events);
  };
  replica.listen({ ...streams, onEvents });
  const apply = (...commands: readonly Command[]): void => {
    for (const command of commands) stepped.send('', command, 'reserve');
    stepped.turn();
  };
  const run = (...commands: readonly Command[]): void => {
    apply(...commands);
    log.sync();
  };
  const laterTurn = (): void => {
    const steps = later;
    later = [];
    for (const step of steps) step();
  };
  const holderOf = (token: string): Holder | undefined => {
    const [account = '', life = '86400000', session = '0'] = token.split('/');
    const id = Number(account) as AccountId;
    const address = exchange.accounts[id]?.address;
    if (address === undefined) return undefined;
    const expiresAt = clock.now() + Number(life);
    return { account: id, address, session: Number(session) as OrderId, expiresAt };
  };
  return {
    ...stepped,
    streams,
    faults,
    bounds,
    apply,
    run,
    laterTurn,
    connect: (path = '/ws') => createFakeReader(streams, must(parseSocketPath(path), path)),
    open: () => run(...openingCommands().slice(0, -1), priced(clock.now() as Time)),
    trade: (stream, count) => {
      for (let i = 0; i < count; i += 1) {
        const command = stream.next();
        clock.advance(Math.max(0, stream.time() - clock.now()));
        run(command);
      }
    },
    stream: (seed) => createStream(seed, () => exchange, clock.now() as Time),
    pass: (milliseconds) => {
      clock.advance(milliseconds);
      streams.tick();
      disconnects.tick();
    },
  };
}

/** The last of the opening commands, at another time. */
export function priced(time: Time): Command {
  const tick = openingCommands().at(-1)!;
  if (tick.kind !== 'indexTick') throw new Error('the opening ends with prices');
  const prices = tick.prices.map((price) => ({ ...price, observedAt: time }));
  return { ...tick, prices };
}

function createFakeReader(streams: Streams, opening: SocketOpening): FakeReader {
  const buffers: Buffer[] = [];
  const held: { readonly bytes: number; readonly taken: (() => void) | undefined }[] = [];
  let read = 0;
  let stalled = false;
  let backlog = 0;
  let closed: number | 'cut' | undefined;
  let pings = 0;
  let session: Session | undefined;
  const wire: Wire = {
    send: (bytes, taken) => {
      buffers.push(bytes);
      if (!stalled) taken?.();
      else {
        held.push({ bytes: bytes.length, taken });
        backlog += bytes.length;
      }
    },
    sendShared: ({ texts }) => {
      for (const bytes of texts) wire.send(bytes);
    },
    backlog: () => backlog,
    ping: () => {
      pings += 1;
    },
    close: (code) => {
      closed = code;
      session?.onClose();
    },
    cut: () => {
      closed = 'cut';
      session?.onClose();
    },
  };
  const admitMessages = (): boolean => true;
  const opened = streams.open({ wire, client: '192.0.2.1', opening, admitMessages });
  session = opened;
  return {
    session: opened,
    buffers,
    take: () => {
      const messages = buffers.slice(read).map((bytes) => JSON.parse(bytes.toString('utf8')));
      messages.forEach(checkMessage);
      read = buffers.length;
      return messages;
    },
    say: (message) => opened.onText(JSON.stringify(message)),
    sayText: (text) => opened.onText(text),
    stall: () => {
      stalled = true;
    },
    drain: (messages) => {
      stalled = messages !== undefined;
      for (const { bytes, taken } of held.splice(0, messages ?? held.length)) {
        backlog -= bytes;
        taken?.();
      }
    },
    backlog: () => backlog,
    closed: () => closed,
    pings: () => pings,
  };
}
