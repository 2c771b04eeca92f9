// Cancel on disconnect of this tab (COD-1): whether the person wants it for the account that is
// signed in, and whether the exchange has armed the tab's connection. The wish belongs to the tab,
// because each tab is a connection of its own: another tab that ends must end nothing.

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { disconnectError } from '../../client/disconnectSwitch.ts';
import type { StreamClient, StreamFailure } from '../../client/streamClient.ts';
import { disconnectMessages } from '../messages/disconnectMessages.ts';
import { failureText } from '../messages/failureText.ts';
import { keptSignal } from './keptSignal.ts';
import type { Notices } from './notices.ts';
import type { Store } from './store.ts';

export type DisconnectGuard = {
  readonly isWanted: ReadonlySignal<boolean>;
  readonly isArmed: ReadonlySignal<boolean>;
  /** Resolves when the exchange has answered; what it refuses is a notice. */
  readonly turn: (isOn: boolean) => Promise<void>;
  /** The account's connection is open, or will be soon. */
  readonly enter: (client: Armable) => void;
  /** That connection has ended. */
  readonly leave: () => void;
  readonly takeArmed: (isArmed: boolean) => void;
  /** The exchange has refused to arm a connection that came back. */
  readonly takeFailure: (failure: StreamFailure) => void;
};

type Armable = Pick<StreamClient, 'cancelOnDisconnect'>;

export type DisconnectGuardOptions = {
  /** Of this tab alone. */
  readonly store: Store;
  readonly notices: Pick<Notices, 'say'>;
  /** Of the account that is signed in; read as a signal. */
  readonly address: () => string | undefined;
};

export function createDisconnectGuard(options: DisconnectGuardOptions): DisconnectGuard {
  const { store, notices, address } = options;
  const wantedFor: Signal<string> = keptSignal(store, 'evermark.cancelOnDisconnect', (kept) =>
    typeof kept === 'string' ? kept : '',
  );
  const isArmed = signal(false);
  let client: Armable | undefined;
  const refuse = (text: string): void => {
    wantedFor.value = '';
    notices.say({ kind: 'bad', title: disconnectMessages().refused, text });
  };
  const ask = async (isOn: boolean): Promise<void> => {
    const asked = client;
    const owner = address();
    if (asked === undefined || owner === undefined) return;
    try {
      await asked.cancelOnDisconnect({ enabled: isOn });
      if (asked === client) wantedFor.value = isOn ? owner : '';
    } catch (error) {
      // After a logout nothing is armed, and no one waits for this.
      if (asked !== client) return;
      const text = failureText(error);
      if (isOn) refuse(text);
      else notices.say({ kind: 'bad', title: disconnectMessages().stillOn, text });
    }
  };
  return {
    isWanted: computed(() => wantedFor.value !== '' && wantedFor.value === address()),
    isArmed,
    turn: ask,
    enter: (next) => {
      client = next;
      if (wantedFor.peek() !== '' && wantedFor.peek() === address()) void ask(true);
    },
    leave: () => {
      client = undefined;
      isArmed.value = false;
    },
    takeArmed: (now) => {
      isArmed.value = now;
    },
    takeFailure: (failure) => {
      if (failure.request === undefined) return;
      refuse(failureText(disconnectError(failure)));
      // Later connections are not to be armed behind the person's back.
      void ask(false);
    },
  };
}
