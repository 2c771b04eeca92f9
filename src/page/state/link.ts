// The page's connections to the streams of the exchange: one for public channels, and one with a
// login for the account. It says whether what is shown is live, and how old the last message is.

import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import {
  createStreamClient,
  type SocketEvents,
  type StreamSocket,
} from '../../client/createStreamClient.ts';
import type { DisconnectAnswer, StreamClient, StreamFailure } from '../../client/streamClient.ts';
import type { Clock } from '../../std/clock.ts';

export type LinkState =
  /** Messages arrive. */
  | 'live'
  /** Before the first message. */
  | 'connecting'
  /** Open, but silent for longer than it should be. */
  | 'silent'
  /** Closed; the client tries again. */
  | 'lost';

export type Link = {
  readonly client: StreamClient;
  readonly state: ReadonlySignal<LinkState>;
  /** Milliseconds since the last message, as of the last look; undefined before the first. */
  readonly age: ReadonlySignal<number | undefined>;
  readonly close: () => void;
};

export type OpenSocket = (url: string, events: SocketEvents) => StreamSocket;

export type OpenLink = {
  readonly url: string;
  readonly clock: Clock;
  readonly openSocket: OpenSocket;
  readonly onError: (failure: StreamFailure) => void;
  /** Only of the account's link: the token of the login. */
  readonly token?: () => Promise<string>;
  /** Only of the account's link: whether the connection is armed (COD-1), whenever that changes. */
  readonly onArmed?: (isArmed: boolean) => void;
};

/** Prices come twice a second: a public link that is silent for so much longer is not live. */
const silentMs = 6000;
const lookMs = 500;

export function openLink(options: OpenLink): Link {
  const { url, clock, openSocket, onError, token, onArmed = () => {} } = options;
  const state: Signal<LinkState> = signal('connecting');
  const age = signal<number | undefined>(undefined);
  let heardAt: number | undefined;
  const client = createStreamClient({
    url,
    onError,
    onArmed: ({ enabled }: DisconnectAnswer) => onArmed(enabled),
    ...(token === undefined ? {} : { token }),
    openSocket: (address, events) =>
      openSocket(address, {
        onOpen: events.onOpen,
        onText: (text) => {
          heardAt = clock.now();
          if (state.value !== 'live') state.value = 'live';
          events.onText(text);
        },
        onClose: () => {
          state.value = 'lost';
          onArmed(false);
          events.onClose();
        },
      }),
  });
  // The account's channel may be quiet for hours; only public channels have a rhythm.
  const isRhythmic = token === undefined;
  const looking = setInterval(() => {
    age.value = heardAt === undefined ? undefined : Math.max(0, clock.now() - heardAt);
    if (isRhythmic && state.value === 'live' && (age.value ?? 0) > silentMs) state.value = 'silent';
  }, lookMs);
  return {
    client,
    state,
    age,
    close: () => {
      clearInterval(looking);
      client.close();
    },
  };
}

/** The platform's WebSocket. */
export const openPlatformSocket: OpenSocket = (url, events) => {
  const socket = new WebSocket(url);
  socket.addEventListener('open', events.onOpen);
  socket.addEventListener('message', ({ data }) => events.onText(String(data)));
  socket.addEventListener('close', events.onClose);
  // A close event follows.
  socket.addEventListener('error', () => {});
  return { send: (text) => socket.send(text), close: () => socket.close() };
};
