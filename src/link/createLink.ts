// A link over a socket whose peer has proven to be a member: messages in both directions, in their
// order, until either side ends it. A peer that is silent, that does not take what is sent, or that
// does not speak as it must is left.

import type { TLSSocket } from 'node:tls';
import type { Scheduler } from '../std/scheduler.ts';
import {
  createFrameReader,
  type FrameReader,
  frameOf,
  LinkBreach,
  readFrames,
} from './frameReader.ts';
import { decodeMessage, encodeMessage, type Hello, type LinkMessage } from './linkMessage.ts';
import { whyFailed } from './linkSecret.ts';
import { createPulse, nextLookMs, type Pulse, pulseDue } from './pulse.ts';

export type Link = {
  readonly peer: Hello;
  /** Sends the message, unless the link has ended. */
  readonly send: (message: LinkMessage) => void;
  /** What was sent leaves now and not at the end of the turn. */
  readonly flush: () => void;
  /** Ends the link, and says why to the peer. */
  readonly close: (why: string) => void;
};

export type LinkOptions = {
  /** What this process says first. */
  readonly hello: Hello;
  readonly scheduler: Scheduler;
  /** Milliseconds since an arbitrary moment. */
  readonly stopwatch: () => number;
  /** The peer has said who it is. */
  readonly onOpen: (link: Link) => void;
  /** Called for each message but beats; it may throw `LinkBreach`. Its bytes are views. */
  readonly onMessage: (link: Link, message: LinkMessage) => void;
  /** Called once, also when the peer has never said who it is. */
  readonly onEnd: (why: string) => void;
};

/** What the peer has not taken yet. A follower that is slower reads from the database. */
export const unsentBytesMax = 48 * 1024 * 1024;
/** For the last words. */
const endMs = 500;

type Run = {
  readonly socket: TLSSocket;
  readonly options: LinkOptions;
  readonly reader: FrameReader;
  readonly pulse: Pulse;
  /** From the hello of the peer on. */
  link: Link | undefined;
  ended: boolean;
  corked: boolean;
  cancelTick: () => void;
};

/** Gives a function that ends the link. */
export function createLink(socket: TLSSocket, options: LinkOptions): (why: string) => void {
  const { stopwatch } = options;
  const run: Run = {
    ...{ socket, options, reader: createFrameReader(), pulse: createPulse(stopwatch()) },
    ...{ link: undefined, ended: false, corked: false, cancelTick: () => {} },
  };
  socket.on('data', (chunk: Buffer) => {
    run.pulse.receivedAt = stopwatch();
    try {
      for (const frame of readFrames(run.reader, chunk)) {
        if (run.ended) return;
        take(run, decodeMessage(frame));
      }
    } catch (error) {
      if (!(error instanceof LinkBreach)) throw error;
      close(run, error.message);
    }
  });
  socket.on('error', (error) => end(run, whyFailed(error)));
  socket.on('close', () => end(run, 'the connection was lost'));
  keepPulse(run);
  send(run, options.hello);
  return (why) => close(run, why);
}

function take(run: Run, message: LinkMessage): void {
  if (message.kind === 'beat') return;
  if (message.kind === 'bye') return leave(run, `the peer ended the link: ${message.why}`);
  const { onMessage, onOpen } = run.options;
  if (run.link !== undefined) return onMessage(run.link, message);
  if (message.kind !== 'hello') throw new LinkBreach('the first message is no hello');
  run.link = {
    peer: message,
    send: (each) => send(run, each),
    flush: () => flush(run),
    close: (why) => close(run, why),
  };
  onOpen(run.link);
}

function send(run: Run, message: LinkMessage): void {
  if (run.ended) return;
  write(run, message);
  const { writableLength } = run.socket;
  if (writableLength > unsentBytesMax) leave(run, `the peer has not taken ${writableLength} bytes`);
}

function write(run: Run, message: LinkMessage): void {
  const { socket, pulse, options } = run;
  // What is sent in one turn goes out together.
  if (!run.corked) {
    run.corked = true;
    socket.cork();
    process.nextTick(() => flush(run));
  }
  socket.write(frameOf(encodeMessage(message)));
  pulse.sentAt = options.stopwatch();
}

function flush(run: Run): void {
  if (!run.corked) return;
  run.corked = false;
  run.socket.uncork();
}

function close(run: Run, why: string): void {
  if (run.ended) return;
  const { socket, options } = run;
  write(run, { kind: 'bye', why });
  socket.destroySoon();
  options.scheduler.after(endMs, () => socket.destroy());
  end(run, why);
}

function leave(run: Run, why: string): void {
  run.socket.destroy();
  end(run, why);
}

function end(run: Run, why: string): void {
  if (run.ended) return;
  run.ended = true;
  run.cancelTick();
  run.options.onEnd(why);
}

function keepPulse(run: Run): void {
  const { scheduler, stopwatch } = run.options;
  run.cancelTick = scheduler.after(nextLookMs(run.pulse, stopwatch()), () => {
    const due = pulseDue(run.pulse, stopwatch());
    if (due === 'gone') return leave(run, 'the peer is silent');
    if (due === 'beat') send(run, { kind: 'beat' });
    if (!run.ended) keepPulse(run);
  });
}
