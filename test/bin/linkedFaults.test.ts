// What becomes of commands and reads of a process that follows when the link to the holder of the
// lease, or one of its ends, fails. Goal: no command is executed twice, every answer is true, and
// one process harms no other. Method: the real parts of both processes, over a link that the test
// cuts.

import { expect, onTestFinished, test } from 'vitest';
import type { PlaceOrder } from '../../src/engine/command.ts';
import { buy } from '../../src/engine/orderTypes.ts';
import { accountById } from '../../src/engine/views/exchange.ts';
import { requestsMax } from '../../src/link/linkMessage.ts';
import type { Caller } from '../../src/replica/replica.ts';
import { defaultReplicaBounds } from '../../src/replica/replicaBounds.ts';
import type { AccountId, OrderId } from '../../src/units/units.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { type LinkedReplicas, openLinkedReplicas } from './linkedReplicas.ts';

async function open(): Promise<LinkedReplicas> {
  const linked = await openLinkedReplicas();
  onTestFinished(linked.close);
  return linked;
}

/** An order of an account with money, or a rejected one: what counts is that it is in the log. */
const orderOf = (clientOrderId: string): PlaceOrder =>
  orderCommand({ ...{ account: 1, market: 1, side: buy, lots: 1, ticks: 1 }, clientOrderId });

test('a command is passed on, and its answer comes from the own replica', async () => {
  const { follower, turn, executed, waiter, seen, holder } = await open();
  expect(follower.submit(orderOf('passed-on'), 'order', waiter('a'))).toBe(true);
  await turn();
  expect(executed('passed-on')).toBe(1);
  expect(seen).toEqual([expect.stringMatching(/^a (accepted|rejected)$/), 'a out']);
  expect(follower.figures()).toEqual(holder.figures());
});

test('ORD-8 a batch of orders is passed on, with the wallet of the account of its items', async () => {
  const { follower, followerState, turn, executed, waiter, seen, recordOf } = await open();
  const batch = { kind: 'batch', items: ['first', 'second'].map(orderOf) } as const;
  const { address } = accountById(followerState.exchange, 1 as AccountId)!;
  expect(recordOf(batch).toString('latin1')).toContain(address);
  expect(follower.submit(batch, 'order', waiter('batch'))).toBe(true);
  await turn();
  expect(seen).toContain('batch out');
  expect([executed('first'), executed('second')]).toEqual([1, 1]);
});

test('a command of a caller that is another one at the holder is not executed', async () => {
  const { follower, turn, executed, waiter, seen } = await open();
  const passOn = async (name: string, caller: Caller): Promise<void> => {
    const onChanged = (): number => seen.push(`${name} changed`);
    const passedOn = { caller, onChanged };
    expect(follower.submit(orderOf(name), 'order', { ...waiter(name), passedOn })).toBe(true);
    await turn();
  };
  await passOn('other-key', { key: 99, profile: 'p' });
  await passOn('other-session', { session: 99 as OrderId });
  expect(seen).toEqual(['other-key changed', 'other-session changed']);
  expect([executed('other-key'), executed('other-session')]).toEqual([0, 0]);
  // A token from before there were sessions.
  await passOn('early-token', { session: 0 as OrderId });
  expect(seen.at(-1)).toBe('early-token out');
  expect(executed('early-token')).toBe(1);
});

test('answers leave before the messages of their batch, at the process that follows too', async () => {
  const { follower, holder, turn, waiter, seen } = await open();
  for (const [name, replica] of Object.entries({ follower, holder })) {
    let events = 0;
    replica.listen({
      onEvents: () => {
        events += 1;
        if (events === 1) replica.whenDurable(() => seen.push(`${name}: message of an event`));
      },
      onApplied: () => replica.whenDurable(() => seen.push(`${name}: message of the batch`)),
    });
  }
  for (const name of ['a', 'b']) follower.submit(orderOf(name), 'order', waiter(name));
  holder.submit(orderOf('c'), 'order', waiter('c'));
  await turn();
  const left = seen.filter((each) => each.endsWith(' out') || each.includes('message'));
  const ofHolder = (each: string): boolean => each.startsWith('holder') || each.startsWith('c');
  const messages = (name: string): string[] => [
    `${name}: message of an event`,
    `${name}: message of the batch`,
  ];
  expect(left.filter((each) => !ofHolder(each))).toEqual([
    'a out',
    'b out',
    ...messages('follower'),
  ]);
  expect(left.filter(ofHolder)).toEqual(['c out', ...messages('holder')]);
});

test('a link that is cut before the batch came back: the answer comes late, from the log', async () => {
  const { follower, wire, turn, look, executed, waiter, seen } = await open();
  wire.lose('toFollower', 'batch');
  follower.submit(orderOf('cut-behind'), 'order', waiter('a'));
  await turn();
  wire.cut();
  expect(executed('cut-behind')).toBe(1);
  expect(seen).toEqual([]);
  wire.lose('toFollower', undefined);
  wire.mend();
  // The link is there before the database shows the batch: now it could be sent again.
  await turn();
  expect(seen).toEqual([]);
  await look();
  expect(seen).toEqual([expect.stringMatching(/^a (accepted|rejected)$/), 'a out']);
  await turn();
  expect(executed('cut-behind')).toBe(1);
});

test('a link that is cut before the command arrived: it is sent again, once', async () => {
  const { follower, wire, turn, look, executed, waiter, seen } = await open();
  wire.lose('toHolder', 'requests');
  follower.submit(orderOf('cut-before'), 'order', waiter('a'));
  await turn();
  wire.cut();
  wire.lose('toHolder', undefined);
  wire.mend();
  await look();
  await turn();
  expect(executed('cut-before')).toBe(1);
  expect(seen.at(-1)).toBe('a out');
});

test('a read that is behind another one is carried out without a further sign of the log', async () => {
  const { follower, holder, wire, turn, look, waiter } = await open();
  wire.cut();
  holder.submit(orderOf('first'), 'order', waiter('a'));
  await turn();
  // The holder says that the first batch is durable, and the database shows it later.
  wire.mend();
  await turn();
  wire.cut();
  holder.submit(orderOf('second'), 'order', waiter('b'));
  await turn();
  await look();
  expect(follower.figures()).toEqual(holder.figures());
});

test('five seconds without a link: unknown is said only of what may have been executed', async () => {
  const { follower, wire, turn, look, pass, executed, waiter, seen, barrier } = await open();
  wire.lose('toFollower', 'batch');
  follower.submit(orderOf('sent'), 'order', waiter('sent'));
  await turn();
  wire.cut();
  follower.submit(orderOf('never-sent'), 'order', waiter('never sent'));
  barrier.whenCurrent(
    () => seen.push('read'),
    (reason) => seen.push(`read ${reason}`),
  );
  pass(4900);
  expect(seen).toEqual([]);
  pass(200);
  expect(seen.toSorted()).toEqual(['never sent waiting', 'read waiting', 'sent fateUnknown']);
  // What a reader without a key asks is answered all the time.
  follower.whenDurable(() => seen.push('public'));
  expect(seen.at(-1)).toBe('public');
  wire.lose('toFollower', undefined);
  wire.mend();
  await look();
  await turn();
  expect([executed('sent'), executed('never-sent')]).toEqual([1, 0]);
  // Neither is answered a second time.
  expect(seen).toHaveLength(4);
});

test('a process that floods the holder gets its quarter of the lane, and others go on', async () => {
  const { follower, holder, wire, turn, executed, waiter, seen, recordOf } = await open();
  const flooding = wire.join('flooding');
  flooding.send({
    kind: 'follow',
    place: { position: holder.head().position, hash: holder.head().hash },
  });
  const record = recordOf(orderOf('flood'));
  const { orderLaneMax } = defaultReplicaBounds;
  for (let number = 1; number <= orderLaneMax; number += requestsMax) {
    const requests = Array.from({ length: requestsMax }, (_, at) => ({
      ...{ number: number + at, ageMs: 0, record },
    }));
    flooding.send({ kind: 'requests', requests });
  }
  for (let round = 0; round < 20; round += 1) await new Promise((next) => setImmediate(next));
  const taken = holder.waiting();
  expect(taken).toBeGreaterThanOrEqual(orderLaneMax / 4);
  expect(taken).toBeLessThanOrEqual(orderLaneMax / 4 + 1);
  const refused = flooding.got.filter(({ kind }) => kind === 'refused');
  expect(refused).toHaveLength(orderLaneMax - taken);
  expect(new Set(refused.map((each) => 'why' in each && each.why))).toEqual(
    new Set(['overloaded']),
  );
  follower.submit(orderOf('beside-flood'), 'order', waiter('a'));
  expect(holder.submit(orderOf('own-client'), 'order', waiter('own'))).toBe(true);
  await turn();
  expect([executed('beside-flood'), executed('own-client')]).toEqual([1, 1]);
  expect(seen).toContain('a out');
});

test('a process with another engine is refused with a sentence', async () => {
  const { wire } = await open();
  expect(wire.join('newer', 'cd').ends).toEqual([
    'the holder of the lease runs another engine; this process cannot follow it',
  ]);
});

test('a replica that differs stops with a sentence', async () => {
  const { holder, followerState, following, turn, waiter } = await open();
  followerState.events += 1;
  holder.submit(orderOf('differs'), 'order', waiter('a'));
  await turn();
  const late = Promise.reject(new Error('it goes on'));
  await expect(Promise.race([following, late])).rejects.toThrow(
    /^this replica differs from the holder's after batch \d+: .* Start this process again$/,
  );
});

test.each([
  ['in another version of its form', 0, 'a request came in version'],
  ['with a lane that is none', 1, 'a request names an unknown lane'],
])('a record %s ends the link, and nothing of it is executed', async (_, at, why) => {
  const { holder, wire, recordOf, turn, executed } = await open();
  const foreign = wire.join('foreign');
  foreign.send({
    kind: 'follow',
    place: { position: holder.head().position, hash: holder.head().hash },
  });
  const record = Buffer.from(recordOf(orderOf('altered')));
  record[at] = 99;
  foreign.send({ kind: 'requests', requests: [{ number: 1, ageMs: 0, record }] });
  await turn();
  expect(foreign.ends).toEqual([expect.stringContaining(why)]);
  expect(executed('altered')).toBe(0);
});

test('a batch of two accounts ends the link, and what came with it is settled', async () => {
  const { holder, wire, recordOf, turn, executed } = await open();
  const { position, hash } = holder.head();
  const foreign = wire.join('foreign');
  foreign.send({ kind: 'follow', place: { position, hash } });
  const items = [1, 2].map((id) => ({ ...orderOf('mixed'), account: id as AccountId }));
  const records = [recordOf({ kind: 'batch', items }), recordOf(orderOf('behind'))];
  const requests = records.map((record, at) => ({ number: at + 1, ageMs: 0, record }));
  foreign.send({ kind: 'requests', requests });
  await turn();
  expect(foreign.ends).toEqual(['a batch is not of one account']);
  expect([executed('mixed'), executed('behind')]).toEqual([0, 0]);
  // Its next link hears that nothing of the former one can still be executed.
  const again = wire.join('foreign');
  const place = { position: holder.head().position, hash: holder.head().hash };
  again.send({ kind: 'follow', place });
  await turn();
  expect(again.got.map(({ kind }) => kind)).toContain('settled');
});

test('an order for the wallet of another account is refused', async () => {
  const { holder, wire, recordOf, turn, executed, followerState } = await open();
  const foreign = wire.join('foreign');
  foreign.send({
    kind: 'follow',
    place: { position: holder.head().position, hash: holder.head().hash },
  });
  const [one, other] = [1, 2].map((id) => accountById(followerState.exchange, id as AccountId));
  const record = Buffer.from(recordOf({ ...orderOf('wallet'), account: one!.id }));
  const swapped = Buffer.from(
    record.toString('latin1').replace(one!.address, other!.address),
    'latin1',
  );
  expect(swapped.equals(record)).toBe(false);
  foreign.send({ kind: 'requests', requests: [{ number: 1, ageMs: 0, record: swapped }] });
  await turn();
  expect(foreign.got).toContainEqual({ kind: 'refused', number: 1, why: 'tokenInvalid' });
  expect(executed('wallet')).toBe(0);
});

test('a batch is on its way to the others before its answer leaves the holder', async () => {
  const { holder, wire, turn, waiter, seen } = await open();
  wire.watch((direction, { kind }) => {
    if (direction === 'toFollower' && kind === 'batch') seen.push('fed');
  });
  holder.submit(orderOf('first-fed'), 'order', waiter('a'));
  await turn();
  expect(seen.slice(-2)).toEqual(['fed', 'a out']);
});
