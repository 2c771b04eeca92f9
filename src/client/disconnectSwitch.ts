// Cancel on disconnect of a client of channels (COD-7): one request after the other, and the last
// confirmed choice again on every new connection, because one that comes back is not armed.

import { ApiError } from './apiError.ts';
import type { DisconnectAnswer, DisconnectChoice, StreamFailure } from './streamClient.ts';

type Request = {
  readonly choice: DisconnectChoice;
  /** Missing when a new connection is armed again without a call. */
  readonly call?: {
    readonly resolve: (answer: DisconnectAnswer) => void;
    readonly reject: (error: Error) => void;
  };
};

export type DisconnectSwitch = {
  readonly choose: (choice: DisconnectChoice) => Promise<DisconnectAnswer>;
  /** The connection is open and logged in. */
  readonly begin: () => void;
  /** The connection has ended: what was not answered is sent again on the next one. */
  readonly end: () => void;
  readonly confirm: (answer: DisconnectAnswer) => void;
  /** Gives whether a call has heard of the refusal. */
  readonly refuse: (failure: StreamFailure) => boolean;
  /** No connection will come back. */
  readonly close: () => void;
};

type Say = (message: ClientMessage) => void;
type ClientMessage = DisconnectChoice & { readonly type: DisconnectAnswer['type'] };

export function createDisconnectSwitch(say: Say): DisconnectSwitch {
  let requests: readonly Request[] = [];
  let confirmed: DisconnectChoice | undefined;
  let isOpen = false;
  let isClosed = false;
  let isAsked = false;
  const ask = (): void => {
    const [first] = requests;
    if (!isOpen || isAsked || first === undefined) return;
    isAsked = true;
    say({ type: 'cancel_on_disconnect', ...first.choice });
  };
  /** Answers name no request; with one at a time each belongs to the first. */
  const settle = (): Request | undefined => {
    const [first, ...others] = requests;
    requests = others;
    isAsked = false;
    return first;
  };
  return {
    choose: (choice) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(closed());
          return;
        }
        requests = [...requests, { choice, call: { resolve, reject } }];
        ask();
      }),
    begin: () => {
      isOpen = true;
      isAsked = false;
      if (confirmed?.enabled === true) requests = [{ choice: confirmed }, ...requests];
      ask();
    },
    end: () => {
      isOpen = false;
      requests = requests.filter(({ call }) => call !== undefined);
    },
    confirm: (answer) => {
      const done = settle();
      confirmed = done?.choice;
      done?.call?.resolve(answer);
      ask();
    },
    refuse: (failure) => {
      const done = settle();
      done?.call?.reject(disconnectError(failure));
      ask();
      return done?.call !== undefined;
    },
    close: () => {
      isClosed = true;
      isOpen = false;
      for (const { call } of requests) call?.reject(closed());
      requests = [];
    },
  };
}

/** A refusal of the stream as those of requests are. */
export function disconnectError({ code, message }: StreamFailure): ApiError {
  const body = JSON.stringify({ error: { code, message } });
  return new ApiError({ operation: 'cancelOnDisconnect', status: 0, body });
}

const closed = (): Error => new Error('The client was closed before the exchange answered.');
