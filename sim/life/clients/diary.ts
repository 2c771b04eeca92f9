// What the clients of a run have seen and received, for the judge; and what they found wrong
// themselves, because it contradicts something that they knew.

import type { Testimony } from '../oracles/createJudge.ts';
import { createHistory, type Floor } from '../oracles/linearizability.ts';
import type { Seen } from '../oracles/timelines.ts';
import type { Violation } from '../ports.ts';

export type Diary = Testimony & {
  wrong: Violation[];
  /** How often each order name was sent. */
  readonly sent: Map<string, number>;
  /** By account and Idempotency-Key the id that was answered. */
  readonly made: Map<string, string>;
  /** The latest fifty orders that a client has received messages about: attackers listen. */
  readonly orders: {
    readonly account: number;
    readonly symbol: string;
    readonly orderId: string;
  }[];
};

const ordersMax = 50;

export function noteOrder({ orders }: Diary, order: Diary['orders'][number]): void {
  orders.push(order);
  if (orders.length > ordersMax) orders.shift();
}

export function createDiary(): Diary {
  return {
    history: createHistory(),
    refused: [],
    wrong: [],
    sent: new Map(),
    made: new Map(),
    orders: [],
  };
}

/** Notes that a request is sent now; the floor belongs to its answer. */
export function noteAsked({ history }: Diary): Floor {
  const floor = { step: 0 };
  history.happenings.push({ kind: 'asked', floor });
  return floor;
}

/** Notes what an answer showed, all of one moment. */
export function noteSeen(diary: Diary, floor: Floor, what: string, seen: readonly Seen[]): void {
  if (seen.length === 0) return;
  const observation = { what, seen, floor, inOrder: false };
  diary.history.happenings.push({ kind: 'seen', observation });
}

/** Notes what a message of a stream showed; messages that share a floor are in order. */
export function noteReported(
  diary: Diary,
  floor: Floor,
  what: string,
  seen: readonly Seen[],
): void {
  if (seen.length === 0) return;
  const observation = { what, seen, floor, inOrder: true };
  diary.history.happenings.push({ kind: 'seen', observation });
}
