// The decisions of a follower and of its forwarding, one by one: what is applied, read and refused,
// and when the fate of a request is certain.

import { expect, test } from 'vitest';
import { answerFollow, createFeed, recordBatch, takeDurable } from '../../src/link/feed.ts';
import {
  compareFigures,
  createFollowing,
  type FollowAct,
  onDurable,
  onFed,
  onFeedLost,
  onLead,
  onRead,
  onReadEnd,
  waitingBytesMax,
} from '../../src/link/following.ts';
import {
  actsDue,
  answerMs,
  createForwarding,
  type Forwarding,
  forward,
  onApplied,
  onLinked,
  onRefused,
  onSettled,
  onUnlinked,
  pendingMax,
} from '../../src/link/forwarding.ts';
import { LinkBreach } from '../../src/link/frameReader.ts';
import {
  createIntake,
  onBatched,
  onNotQueued,
  onSenderGone,
  onSenderLinked,
  takeRequests,
} from '../../src/link/intake.ts';
import type { FedBatch } from '../../src/link/linkMessage.ts';
import { decodeOrigins, encodeOrigins } from '../../src/link/origins.ts';
import { createPrng } from '../../src/std/prng.ts';

const hashOf = (position: number): Buffer => Buffer.alloc(32, position);
const placeOf = (position: number) => ({ position, hash: hashOf(position).toString('hex') });
const batchOf = (position: number, changed: Partial<FedBatch> = {}): FedBatch => ({
  ...{ kind: 'batch', epoch: 3, position, previousHash: hashOf(position - 1), time: 1 },
  ...{ hash: hashOf(position), engineHash: 'ab', count: 0, commands: Buffer.alloc(0) },
  ...{ origins: Buffer.alloc(0), figures: `after ${position}` },
  ...changed,
});
const told = (acts: readonly FollowAct[]): unknown[] =>
  acts.map((act) => {
    if (act.kind === 'apply') return act.batch.position;
    if (act.kind === 'read') return [act.after.position, act.to];
    return act.why;
  });

test('a follower reads what it has missed, and then applies what has been fed meanwhile', () => {
  const following = createFollowing(placeOf(0));
  expect(told(onLead(following, { epoch: 3, durable: placeOf(4) }))).toEqual([[0, 4]]);
  expect(onFed(following, batchOf(5))).toEqual([]);
  expect(onFed(following, batchOf(6))).toEqual([]);
  for (const position of [1, 2, 3]) {
    expect(told(onRead(following, batchOf(position)))).toEqual([position]);
  }
  // The read was cut: the rest is read again.
  expect(told(onReadEnd(following))).toEqual([[3, 4]]);
  expect(told(onRead(following, batchOf(4)))).toEqual([4]);
  expect(told(onReadEnd(following))).toEqual([5, 6]);
  expect(told(onFed(following, batchOf(7)))).toEqual([7]);
  onFeedLost(following);
  expect(told(onFed(following, batchOf(8)))).toEqual(['batch 8 came out of turn']);
  expect(told(onLead(following, { epoch: 4, durable: placeOf(9) }))).toEqual([[7, 9]]);
});

test('a feed that is faster than the read is forgotten and read, too', () => {
  const following = createFollowing(placeOf(0));
  onLead(following, { epoch: 3, durable: placeOf(1) });
  const commands = Buffer.alloc(waitingBytesMax / 2);
  for (const position of [2, 3, 4]) onFed(following, batchOf(position, { commands }));
  expect(following.waitingBytes).toBe(0);
  onFed(following, batchOf(5));
  onRead(following, batchOf(1));
  expect(told(onReadEnd(following))).toEqual([[1, 4]]);
  for (const position of [2, 3, 4]) onRead(following, batchOf(position));
  expect(told(onReadEnd(following))).toEqual([5]);
});

test.each<[string, (following: ReturnType<typeof createFollowing>) => FollowAct[]]>([
  [
    'it held the lease in epoch 2, which is over',
    (following) => onLead(following, { epoch: 2, durable: placeOf(5) }),
  ],
  [
    'it knows batch 4 as durable, and batch 5 is applied here',
    (following) => onLead(following, { epoch: 3, durable: placeOf(4) }),
  ],
  [
    'batch 5 is another one in the log than here',
    (following) => onLead(following, { epoch: 3, durable: { ...placeOf(5), hash: 'other' } }),
  ],
  ['batch 7 came out of turn', (following) => onFed(following, batchOf(7))],
  ['batch 6 came out of turn', (following) => onFed(following, batchOf(6, { epoch: 2 }))],
  [
    'batch 6 does not follow batch 5',
    (following) => onFed(following, batchOf(6, { previousHash: hashOf(9) })),
  ],
  [
    "this replica differs from the holder's after batch 6: mine instead of after 6",
    (following) =>
      onFed(following, batchOf(6)).flatMap((act) =>
        act.kind === 'apply' ? compareFigures(act, 'mine') : [],
      ),
  ],
])('a follower leaves or stops: %s', (why, act) => {
  const following = createFollowing(placeOf(5));
  expect(onLead(following, { epoch: 3, durable: placeOf(5) })).toEqual([]);
  expect(told(act(following))).toEqual([why]);
});

test('a holder that learns later than the database what is durable stops no follower', () => {
  const following = createFollowing(placeOf(4));
  onDurable(following, 5);
  onRead(following, batchOf(5));
  onReadEnd(following);
  const kinds = (acts: readonly FollowAct[]) => acts.map(({ kind }) => kind);
  expect(kinds(onLead(following, { epoch: 3, durable: placeOf(4) }))).toEqual(['leave']);
  expect(onLead(following, { epoch: 3, durable: placeOf(5) })).toEqual([]);
  expect(told(onFed(following, batchOf(6)))).toEqual([6]);
  // A log that has lost the batch has another one in its place.
  const lost = createFollowing(placeOf(5));
  onLead(lost, { epoch: 3, durable: placeOf(4) });
  onDurable(lost, 6);
  const other = batchOf(6, { previousHash: hashOf(9) });
  expect(kinds(onRead(lost, other))).toEqual(['stop']);
});

test('the holder feeds what is durable, and refuses a follower that is ahead or differs', () => {
  const feed = createFeed(3, placeOf(5));
  for (const position of [6, 7, 8]) recordBatch(feed, batchOf(position));
  expect(answerFollow(feed, { kind: 'follow', place: placeOf(6) })).toContain('5 is durable here');
  const head = { position: 7, hash: hashOf(7), time: 1 };
  expect(takeDurable(feed, head).map(({ position }) => position)).toEqual([6, 7]);
  expect(answerFollow(feed, { kind: 'follow', place: placeOf(6) })).toEqual({
    ...{ kind: 'lead', epoch: 3, durable: placeOf(7) },
  });
  expect(answerFollow(feed, { kind: 'follow', place: { ...placeOf(7), hash: 'x' } })).toBe(
    'batch 7 is another one there than here',
  );
});

const record = Buffer.from('order');
const numbersOf = (acts: readonly { kind: string; request?: { number: number } }[]) =>
  acts.map(({ kind, request }) => (kind === 'send' ? request!.number : kind));
const origin = (number: number) => [{ process: 'a', number }];

/** A process with one request, sent as attempt 1 over a link that is lost then. */
function inDoubt(): Forwarding {
  const forwarding = createForwarding('a', 10);
  onLinked(forwarding, 0);
  expect(numbersOf(onSettled(forwarding, 10, 0))).toEqual([]);
  expect(numbersOf(forward(forwarding, { id: 7, record }, 0))).toEqual([1]);
  onUnlinked(forwarding);
  return forwarding;
}

test('a request in doubt is sent again when it is in none of the settled batches, not before', () => {
  const forwarding = inDoubt();
  expect(onLinked(forwarding, 100)).toEqual([]);
  expect(onSettled(forwarding, 12, 100)).toEqual([]);
  expect(onApplied(forwarding, { position: 11, origins: [] }, 100)).toEqual([]);
  const sent = onApplied(forwarding, { position: 12, origins: [] }, 300);
  expect(sent).toEqual([{ kind: 'send', request: { number: 2, ageMs: 300, record } }]);
  const answered = onApplied(forwarding, { position: 13, origins: origin(2) }, 300);
  expect(answered).toEqual([{ kind: 'answer', id: 7, index: 0 }]);
  expect([forwarding.pending.size, forwarding.attempts.size, forwarding.bytes]).toEqual([0, 0, 0]);
});

test('a request in doubt that is in a batch is answered from the own replica', () => {
  const forwarding = inDoubt();
  const acts = onApplied(forwarding, { position: 11, origins: origin(1) }, 100);
  expect(acts).toEqual([{ kind: 'answer', id: 7, index: 0 }]);
  onLinked(forwarding, 200);
  expect(onSettled(forwarding, 11, 200)).toEqual([]);
});

test('requests keep their order: while one is in doubt, later ones wait', () => {
  const forwarding = inDoubt();
  const later = Buffer.from('end of the connection');
  expect(forward(forwarding, { id: 8, record: later }, 50)).toEqual([]);
  expect(onLinked(forwarding, 100)).toEqual([]);
  expect(forward(forwarding, { id: 9, record: later }, 150)).toEqual([]);
  // The next link is lost before anything is settled, and so is the doubt.
  onUnlinked(forwarding);
  expect(onLinked(forwarding, 200)).toEqual([]);
  expect(onSettled(forwarding, 11, 200)).toEqual([]);
  const sent = onApplied(forwarding, { position: 11, origins: [] }, 300);
  expect(sent.map((act) => act.kind === 'send' && act.request.record)).toEqual([
    ...[record, later, later],
  ]);
  expect(numbersOf(forward(forwarding, { id: 10, record }, 300))).toEqual([5]);
  // What was in doubt has come into the log: the others follow it.
  onUnlinked(forwarding);
  onLinked(forwarding, 400);
  forward(forwarding, { id: 11, record: later }, 400);
  onApplied(forwarding, { position: 12, origins: [2, 3, 4, 5].flatMap(origin) }, 400);
  expect(numbersOf(onSettled(forwarding, 12, 400))).toEqual([6]);
});

test('after its time a request is unknown, or refused when no attempt can be executed', () => {
  const doubtful = inDoubt();
  expect(actsDue(doubtful, answerMs - 1)).toEqual([]);
  expect(actsDue(doubtful, answerMs)).toEqual([{ kind: 'unknown', id: 7 }]);
  const idle = createForwarding('a', 10);
  expect(forward(idle, { id: 8, record }, 0)).toEqual([]);
  expect(actsDue(idle, answerMs)).toMatchObject([{ kind: 'refuse', id: 8 }]);
  // Certainly void, and too old to be sent again.
  const late = inDoubt();
  onLinked(late, answerMs);
  expect(onSettled(late, 10, answerMs)).toEqual([]);
  expect(actsDue(late, answerMs)).toMatchObject([{ kind: 'refuse', id: 7 }]);
});

test('the time that a request has waited here before counts', () => {
  const forwarding = createForwarding('a', 10);
  onLinked(forwarding, 0);
  expect(forward(forwarding, { id: 7, record, ageMs: 0 }, 10_000)).toMatchObject([
    { kind: 'send', request: { ageMs: 0 } },
  ]);
  expect(forward(forwarding, { id: 8, record, ageMs: answerMs - 1 }, 10_000)).toMatchObject([
    { kind: 'send', request: { ageMs: answerMs - 1 } },
  ]);
  const tooOld = { id: 9, record, ageMs: answerMs };
  expect(forward(forwarding, tooOld, 10_000)).toEqual([{ kind: 'refuse', id: 9, why: 'waiting' }]);
  // The second is older than the first, which came before it.
  expect(actsDue(forwarding, 10_001)).toEqual([{ kind: 'unknown', id: 8 }]);
  expect(actsDue(forwarding, 10_000 + answerMs)).toEqual([{ kind: 'unknown', id: 7 }]);
});

test('a refusal of the holder is certain, and too many requests are refused at once', () => {
  const forwarding = createForwarding('a', 10);
  onLinked(forwarding, 0);
  forward(forwarding, { id: 7, record }, 0);
  expect(onRefused(forwarding, 1, 'overloaded')).toMatchObject([{ kind: 'refuse', id: 7 }]);
  expect(onRefused(forwarding, 1, 'overloaded')).toEqual([]);
  for (let id = 0; id < pendingMax; id += 1) forward(forwarding, { id, record }, 0);
  expect(forward(forwarding, { id: pendingMax, record }, 0)).toMatchObject([{ kind: 'refuse' }]);
});

const request = (number: number) => ({ number, ageMs: 0, record });

test('the holder settles what came on former links, and ignores what still comes on them', () => {
  const intake = createIntake(10);
  expect(onSenderLinked(intake, 'a', 1)).toEqual([{ link: 1, position: 10 }]);
  const take = (link: number, ...numbers: number[]) =>
    takeRequests(intake, { process: 'a', link }, numbers.map(request)).length;
  expect(take(1, 1, 2)).toBe(2);
  expect(onSenderLinked(intake, 'a', 2)).toEqual([]);
  expect([take(1, 3), take(2, 4)]).toEqual([0, 1]);
  expect(onBatched(intake, { position: 11, origins: origin(1) })).toEqual([]);
  expect(onNotQueued(intake, origin(2)[0]!)).toEqual([{ link: 2, position: 11 }]);
  expect(() => take(2, 4)).toThrow(LinkBreach);
  expect(onBatched(intake, { position: 12, origins: [undefined, ...origin(4)] })).toEqual([]);
  onSenderGone(intake, 'a', 2);
  expect(intake.senders.size).toBe(0);
});

/**
 * The request is sent to the holder of epoch 5, the link is lost, and then the holder of epoch 4
 * answers, which does not know yet that it was deposed.
 */
function meetOldHolder(checksEpoch: boolean): number {
  const following = createFollowing(placeOf(10));
  const forwarding = createForwarding('a', 10);
  const newIntake = createIntake(10);
  let executed = 0;
  const meet = (epoch: number, intake: ReturnType<typeof createIntake>, link: number): number[] => {
    if (!checksEpoch) following.epoch = 0;
    const refused = onLead(following, { epoch, durable: placeOf(10) });
    if (refused.length > 0) return [];
    const acts = onLinked(forwarding, 0);
    for (const { position } of onSenderLinked(intake, 'a', link)) {
      acts.push(...onSettled(forwarding, position, 0));
    }
    return acts.flatMap((act) => (act.kind === 'send' ? act.request.number : []));
  };
  const give = (numbers: readonly number[], link: number): void => {
    takeRequests(newIntake, { process: 'a', link }, numbers.map(request));
  };
  forward(forwarding, { id: 7, record }, 0);
  give(meet(5, newIntake, 1), 1);
  onUnlinked(forwarding);
  // What goes there is lost: its holder can write nothing any more.
  meet(4, createIntake(10), 1);
  onUnlinked(forwarding);
  give(meet(5, newIntake, 2), 2);
  let position = 10;
  for (let turn = 0; turn < 3; turn += 1) {
    const origins = [...newIntake.senders.get('a')!.waiting].flatMap(origin);
    if (origins.length === 0) break;
    position += 1;
    executed += origins.length;
    const settlements = onBatched(newIntake, { position, origins });
    const acts = settlements.flatMap((each) => onSettled(forwarding, each.position, 0));
    acts.push(...onApplied(forwarding, { position, origins }, 0));
    give(
      acts.flatMap((act) => (act.kind === 'send' ? act.request.number : [])),
      2,
    );
  }
  return executed;
}

test('an old holder is not believed: else its word would let a request be executed twice', () => {
  expect(meetOldHolder(true)).toBe(1);
  expect(meetOldHolder(false)).toBe(2);
});

test('origins come back as they were, and other bytes are a breach', () => {
  const origins = [undefined, { process: 'a', number: 1 }, { process: 'b', number: 2 ** 40 }];
  expect(decodeOrigins(encodeOrigins(origins), 3)).toEqual(origins);
  expect(encodeOrigins([undefined, undefined]).length).toBe(0);
  expect(decodeOrigins(Buffer.alloc(0), 2)).toEqual([undefined, undefined]);
  const prng = createPrng(3);
  let breaches = 0;
  for (let index = 0; index < 3000; index += 1) {
    const bytes = Buffer.from(encodeOrigins(origins)).subarray(0, 1 + prng.below(30));
    bytes[prng.below(bytes.length)] = prng.below(256);
    try {
      decodeOrigins(bytes, 1 + prng.below(4));
    } catch (error) {
      expect(error).toBeInstanceOf(LinkBreach);
      breaches += 1;
    }
  }
  expect(breaches).toBeGreaterThan(2000);
});
