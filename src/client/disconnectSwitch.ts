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
  /** Arms again what was armed and is not any more. Cost: nothing when nothing was lost. */
  readonly again: () => void;
  /** No connection will come back. */
  readonly close: () => void;
};

type Say = (message: ClientMessage) => void;
type ClientMessage = DisconnectChoice & { readonly type: DisconnectAnswer['type'] };

type Switch = {
  readonly say: Say;
  requests: readonly Request[];
  confirmed: DisconnectChoice | undefined;
  isOpen: boolean;
  isClosed: boolean;
  /** Whether the first request was sent and is not answered. */
  isAsked: boolean;
  /** Whether the exchange has ended the confirmed choice, or has refused to repeat it. */
  isLost: boolean;
};

export function createDisconnectSwitch(say: Say): DisconnectSwitch {
  const flags = { isOpen: false, isClosed: false, isAsked: false, isLost: false };
  const run: Switch = { say, requests: [], confirmed: undefined, ...flags };
  return {
    choose: (choice) => choose(run, choice),
    begin: () => {
      run.isOpen = true;
      run.isAsked = false;
      repeat(run);
    },
    end: () => {
      run.isOpen = false;
      run.requests = run.requests.filter(({ call }) => call !== undefined);
    },
    confirm: (answer) => {
      const done = settle(run);
      run.confirmed = done?.choice;
      run.isLost = false;
      done?.call?.resolve(answer);
      ask(run);
    },
    refuse: (failure) => {
      // Without a request the login has ended, and with it what was armed (COD-4).
      const done = run.isAsked ? settle(run) : undefined;
      run.isLost ||= done?.call === undefined;
      done?.call?.reject(disconnectError(failure));
      ask(run);
      return done?.call !== undefined;
    },
    again: () => {
      if (run.isLost && run.isOpen && run.requests.length === 0) repeat(run);
    },
    close: () => {
      run.isClosed = true;
      run.isOpen = false;
      for (const { call } of run.requests) call?.reject(closed());
      run.requests = [];
    },
  };
}

function choose(run: Switch, choice: DisconnectChoice): Promise<DisconnectAnswer> {
  return new Promise((resolve, reject) => {
    if (run.isClosed) {
      reject(closed());
      return;
    }
    run.requests = [...run.requests, { choice, call: { resolve, reject } }];
    ask(run);
  });
}

/** Sends the confirmed choice again, before everything that waits. */
function repeat(run: Switch): void {
  const { confirmed: choice, requests } = run;
  run.isLost = false;
  if (choice?.enabled === true) run.requests = [{ choice }, ...requests];
  ask(run);
}

function ask(run: Switch): void {
  const [first] = run.requests;
  if (!run.isOpen || run.isAsked || first === undefined) return;
  run.isAsked = true;
  run.say({ type: 'cancel_on_disconnect', ...first.choice });
}

/** Answers name no request; with one at a time each belongs to the first. */
function settle(run: Switch): Request | undefined {
  const [first, ...others] = run.requests;
  run.requests = others;
  run.isAsked = false;
  return first;
}

/** A refusal of the stream as those of requests are. */
export function disconnectError({ code, message }: StreamFailure): ApiError {
  const body = JSON.stringify({ error: { code, message } });
  return new ApiError({ operation: 'cancelOnDisconnect', status: 0, body });
}

const closed = (): Error => new Error('The client was closed before the exchange answered.');
