// Sends the messages of one connection no faster than the exchange allows (WS-5). Without this, a
// client that reconnects with many channels would be closed.

import type { ClientMessages } from '../api/streams/channelMessages.ts';

export type Said = { readonly type: ClientMessages[keyof ClientMessages]['type'] } & Readonly<
  Record<string, unknown>
>;

export type PacedSpeaker = {
  /** Sends the message at once, or after those that wait. */
  readonly say: (message: Said) => void;
  /** The connection has ended: what waits is forgotten, and the next connection begins anew. */
  readonly end: () => void;
};

/** How many messages are sent at once, and how long each further message waits. */
const messagesAtOnce = 80;
const messageMs = 125;

export function createPacedSpeaker(send: (text: string) => void): PacedSpeaker {
  let waiting: Said[] = [];
  let sendable = messagesAtOnce;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const speak = (): void => {
    while (sendable > 0) {
      const message = waiting.shift();
      if (message === undefined) break;
      sendable -= 1;
      send(JSON.stringify(message));
    }
    if (sendable === messagesAtOnce) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      sendable += 1;
      speak();
    }, messageMs);
  };
  return {
    say: (message) => {
      waiting.push(message);
      speak();
    },
    end: () => {
      clearTimeout(timer);
      timer = undefined;
      waiting = [];
      sendable = messagesAtOnce;
    },
  };
}
