// Cancel on disconnect of a tab: on only when the exchange has confirmed it, for the account that
// wanted it, again after a reload, and off with a notice when it is refused.

import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { disconnectError } from '../../src/client/disconnectSwitch.ts';
import type { DisconnectChoice, StreamFailure } from '../../src/client/streamClient.ts';
import { createDisconnectGuard } from '../../src/page/state/disconnectGuard.ts';
import type { Notice } from '../../src/page/state/notices.ts';
import { memoryStore } from '../../src/page/state/store.ts';

const failure: StreamFailure = {
  type: 'error',
  code: 'LIMIT_REACHED',
  message: 'Too little equity.',
  request: 'cancel_on_disconnect',
};

function open(store = memoryStore()) {
  const address = signal<string | undefined>('0x1');
  const said: Omit<Notice, 'id'>[] = [];
  const asked: DisconnectChoice[] = [];
  const refusals: Error[] = [];
  const guard = createDisconnectGuard({
    store,
    notices: { say: (notice) => said.push(notice) },
    address: () => address.value,
  });
  const client = {
    cancelOnDisconnect: async (choice: DisconnectChoice) => {
      asked.push(choice);
      const refusal = refusals.shift();
      if (refusal !== undefined) throw refusal;
      guard.takeArmed(choice.enabled);
      return { type: 'cancel_on_disconnect', enabled: choice.enabled } as const;
    },
  };
  const state = () => [guard.isWanted.value, guard.isArmed.value];
  return { store, address, said, asked, refusals, guard, client, state };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
};

test('COD-7 a tab arms nothing by itself, and is on when the exchange has confirmed it', async () => {
  const { guard, client, asked, state } = open();
  guard.enter(client);
  await turns();
  expect(asked).toEqual([]);
  const turned = guard.turn(true);
  expect(guard.isWanted.value).toBe(false);
  await turned;
  expect([asked, state()]).toEqual([[{ enabled: true }], [true, true]]);
  guard.takeArmed(false);
  expect(state()).toEqual([true, false]);
  await guard.turn(false);
  expect([asked.length, state()]).toEqual([2, [false, false]]);
});

test('COD-7 a tab that is loaded again arms its account, and no other', async () => {
  const first = open();
  first.guard.enter(first.client);
  await first.guard.turn(true);
  const second = open(first.store);
  second.address.value = '0x2';
  second.guard.enter(second.client);
  await turns();
  expect([second.asked, second.state()]).toEqual([[], [false, false]]);
  second.guard.leave();
  second.address.value = '0x1';
  second.guard.enter(second.client);
  await turns();
  expect([second.asked, second.state()]).toEqual([[{ enabled: true }], [true, true]]);
});

test('COD-3 COD-7 what the exchange refuses is off, with a notice, and is not tried again', async () => {
  const { guard, client, said, refusals, asked, state } = open();
  guard.enter(client);
  refusals.push(disconnectError(failure));
  await guard.turn(true);
  expect([said.length, state()]).toEqual([1, [false, false]]);
  expect(said[0]).toMatchObject({ kind: 'bad', title: 'Cancel on disconnect is off' });
  await guard.turn(true);
  guard.takeArmed(false);
  // The connection came back, and the account has too little now.
  guard.takeFailure(failure);
  await turns();
  expect([said.length, state()]).toEqual([2, [false, false]]);
  expect(asked.at(-1)).toEqual({ enabled: false });
  guard.takeFailure({ type: 'error', code: 'TOO_MANY_REQUESTS', message: '', channel: 'account' });
  expect(said.length).toBe(2);
});

test('COD-7 a refusal to disarm leaves it on and says so; an answer after a logout says nothing', async () => {
  const { guard, client, said, refusals, state } = open();
  guard.enter(client);
  await guard.turn(true);
  refusals.push(disconnectError({ ...failure, code: 'TOO_MANY_REQUESTS' }));
  await guard.turn(false);
  expect([said.map(({ title }) => title), state()]).toEqual([
    ['Cancel on disconnect is still on'],
    [true, true],
  ]);
  refusals.push(new Error('The client was closed before the exchange answered.'));
  const late = guard.turn(false);
  guard.leave();
  await late;
  expect([said.length, guard.isArmed.value]).toEqual([1, false]);
});
