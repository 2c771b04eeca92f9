// What a process that followed does with the commands that it had passed on, once it writes itself.

import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createForwarder } from '../../src/bin/createForwarder.ts';
import { createOrderShare } from '../../src/bin/createOrderShare.ts';
import { buy } from '../../src/engine/orderTypes.ts';
import { pendingOfSenderMax } from '../../src/link/forwarding.ts';
import type { Replica, Waiter } from '../../src/replica/replica.ts';
import { createReplicaState } from '../../src/replica/replicaState.ts';
import { stopwatchMs, systemClock } from '../../src/std/clock.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { testEngines } from '../fixtures/testEngines.ts';

const command = orderCommand({ account: 1, market: 1, side: buy, lots: 1, ticks: 1 });

function openForwarder() {
  const { exchange } = createReplicaState(43113, testEngines);
  const orders = createOrderShare(systemClock);
  return createForwarder({ process: 'one', position: 0, exchange, orders });
}

test('a command that waits at a promotion keeps the deadline of its receipt', async () => {
  const forwarder = openForwarder();
  const began = stopwatchMs();
  const waiter: Waiter = { capture: () => {}, release: () => {} };
  expect(forwarder.forward(command, 'order', waiter)).toBeUndefined();
  await setTimeout(50);
  const submitted: (Waiter['beside'] | undefined)[] = [];
  const submit: Replica['submit'] = (_command, _lane, { beside }) => {
    submitted.push(beside);
    return true;
  };
  expect(forwarder.waiting()).toBe(1);
  forwarder.handOver({ submit, whyRefused: () => 'stopping' });
  expect(forwarder.waiting()).toBe(0);
  expect(submitted).toHaveLength(1);
  const ageMs = submitted[0]?.ageMs ?? 0;
  expect(ageMs).toBeGreaterThan(40);
  expect(ageMs).toBeLessThanOrEqual(stopwatchMs() - began + 1);
});

test('what the own lane refuses at a promotion is refused with its reason', () => {
  const forwarder = openForwarder();
  const refused: string[] = [];
  const waiter: Waiter = {
    capture: () => {},
    release: () => {},
    refuse: (reason) => refused.push(reason),
  };
  forwarder.forward(command, 'order', waiter);
  forwarder.handOver({ submit: () => false, whyRefused: () => 'overloaded' });
  expect(refused).toEqual(['overloaded']);
});

test('one account cannot fill what a process passes on while the holder is away', () => {
  const forwarder = openForwarder();
  let refused = 0;
  const waiter: Waiter = {
    capture: () => {},
    release: () => {},
    refuse: () => {
      refused += 1;
    },
  };
  const place = (account: number) =>
    forwarder.forward(
      orderCommand({ account, market: 1, side: buy, lots: 1, ticks: 1 }),
      'order',
      waiter,
    );
  for (let count = 0; count < pendingOfSenderMax; count += 1) expect(place(1)).toBeUndefined();
  expect(place(1)).toBe('overloaded');
  // Others are passed on, and the account again when its requests have ended.
  expect(place(2)).toBeUndefined();
  forwarder.handOver({ submit: () => false, whyRefused: () => 'overloaded' });
  expect(refused).toBe(pendingOfSenderMax + 1);
  expect(place(1)).toBeUndefined();
});
