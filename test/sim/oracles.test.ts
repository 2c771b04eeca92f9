// The oracles of the simulated life, themselves put to the test: each accepts a true record, and
// refuses the same record with one wrong thing in it.

import { beforeAll, describe, expect, test } from 'vitest';
import { createBookAuditor } from '../../sim/life/oracles/createBookAuditor.ts';
import { createLedgerAuditor } from '../../sim/life/oracles/createLedgerAuditor.ts';
import { createOnceAuditor } from '../../sim/life/oracles/createOnceAuditor.ts';
import { createTimelineAuditor } from '../../sim/life/oracles/createTimelineAuditor.ts';
import { fillIdsBetween } from '../../sim/life/oracles/fillIdsBetween.ts';
import { collateralKey, fillsKey, ledgerKey, orderKey } from '../../sim/life/oracles/keys.ts';
import {
  checkHistory,
  createHistory,
  type Floor,
  type History,
} from '../../sim/life/oracles/linearizability.ts';
import { noteValue, type Seen, type Timelines, valueAt } from '../../sim/life/oracles/timelines.ts';
import type { Auditor, Step } from '../../sim/life/oracles/witness.ts';
import type { Event } from '../../src/engine/event.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import { formatUuid } from '../../src/units/uuid.ts';
import { type Recorded, recordSteps } from './recordSteps.ts';

/**
 * An order that rests at step 3, is filled in part at 6, cancelled at 9; a balance that follows.
 */
function lifeOfAnOrder(): Timelines {
  const timelines: Timelines = new Map();
  noteValue(timelines, 'order', 3, 'NEW 0/5');
  noteValue(timelines, 'order', 6, 'PARTIALLY_FILLED 2/5');
  noteValue(timelines, 'order', 9, 'CANCELED 2/5');
  noteValue(timelines, 'balance', 1, '100');
  noteValue(timelines, 'balance', 6, '98');
  return timelines;
}

const end = 12;

const order = (value: string): Seen => ({ key: 'order', value });
const balance = (value: string): Seen => ({ key: 'balance', value });

const ask = (history: History): Floor => {
  const floor = { step: 0 };
  history.happenings.push({ kind: 'asked', floor });
  return floor;
};

const see = (history: History, floor: Floor, seen: readonly Seen[], inOrder = false): void => {
  history.happenings.push({ kind: 'seen', observation: { what: 'it', seen, floor, inOrder } });
};

const check = (history: History, at = end): number =>
  checkHistory(history, lifeOfAnOrder(), at).length;

describe('linearizability', () => {
  test('sequential answers never go back in time', () => {
    const history = createHistory();
    for (const value of ['', 'NEW 0/5', 'NEW 0/5', 'PARTIALLY_FILLED 2/5', 'CANCELED 2/5']) {
      see(history, ask(history), [order(value)]);
    }
    expect(check(history)).toBe(0);
  });

  test.each([
    ['an earlier state', 'PARTIALLY_FILLED 2/5', 'NEW 0/5'],
    ['an order that is open again', 'CANCELED 2/5', 'PARTIALLY_FILLED 2/5'],
    ['an acknowledged order that is missing', 'NEW 0/5', ''],
    ['a fill that is missing', 'PARTIALLY_FILLED 2/5', 'CANCELED 0/5'],
  ])('%s is refused', (_what, before, after) => {
    const history = createHistory();
    see(history, ask(history), [order(before)]);
    see(history, ask(history), [order(after)]);
    expect(check(history)).toBe(1);
  });

  test('concurrent requests may be answered in any order', () => {
    const history = createHistory();
    const [one, other] = [ask(history), ask(history)];
    see(history, one, [order('CANCELED 2/5')]);
    see(history, other, [order('NEW 0/5')]);
    expect(check(history)).toBe(0);
  });

  test('one key bounds another: a balance from before a fill that was seen is refused', () => {
    const history = createHistory();
    see(history, ask(history), [order('PARTIALLY_FILLED 2/5')]);
    see(history, ask(history), [balance('100')]);
    expect(check(history)).toBe(1);
  });

  test('values that were shown together were true together', () => {
    const history = createHistory();
    see(history, ask(history), [order('NEW 0/5'), balance('100')]);
    expect(check(history)).toBe(0);
    see(history, ask(history), [order('CANCELED 2/5'), balance('98')]);
    expect(check(history)).toBe(0);
    const torn = createHistory();
    see(torn, ask(torn), [order('NEW 0/5'), balance('98')]);
    expect(check(torn)).toBe(1);
  });

  test('a request without an answer is no constraint', () => {
    const history = createHistory();
    ask(history);
    see(history, ask(history), [order('NEW 0/5')]);
    expect(check(history)).toBe(0);
  });

  test('an answer shows nothing that is not in the log', () => {
    const history = createHistory();
    see(history, ask(history), [order('CANCELED 2/5')]);
    expect(check(history, 8)).toBe(1);
  });

  test('after a restart everything durable is still there', () => {
    const history = createHistory();
    expect(check(history)).toBe(0);
    see(history, ask(history), [order('NEW 0/5')]);
    expect(check(history)).toBe(1);
  });

  test('messages of a stream may be late but come in order', () => {
    const history = createHistory();
    const stream = { step: 0 };
    see(history, ask(history), [order('CANCELED 2/5')]);
    see(history, stream, [order('NEW 0/5')], true);
    see(history, stream, [order('PARTIALLY_FILLED 2/5')], true);
    expect(check(history)).toBe(0);
    see(history, stream, [order('NEW 0/5')], true);
    expect(check(history)).toBe(1);
  });

  test('after a message of a stream no read shows an older state', () => {
    const history = createHistory();
    see(history, { step: 0 }, [order('CANCELED 2/5')], true);
    see(history, ask(history), [order('NEW 0/5')]);
    expect(check(history)).toBe(1);
  });
});

let steps: readonly Recorded[];

beforeAll(() => {
  steps = recordSteps(11, 2500);
});

/**
 * Shows the recorded steps to an auditor, the first that `spoil` changes changed, and no further.
 */
function audit(auditor: Auditor, spoil?: (recorded: Recorded) => Partial<Step> | undefined) {
  const found: string[] = [];
  for (const [index, recorded] of steps.entries()) {
    const changed = spoil?.(recorded);
    recorded.at((exchange) => {
      found.push(...auditor({ index: index + 1, exchange, ...recorded, ...changed }));
    });
    if (found.length > 0 || changed !== undefined) break;
  }
  return found;
}

type Kind = Event['kind'];

/** The events of a step with the first of a kind replaced, or left out; of an order that rests. */
const change =
  <K extends Kind>(kind: K, by: (event: Extract<Event, { kind: K }>) => Event | undefined) =>
  ({ events }: Recorded): Partial<Step> | undefined => {
    const ended = events.flatMap((event) => (event.kind === 'orderEnded' ? [event.order.id] : []));
    const rests = (event: Event): boolean =>
      event.kind !== 'orderModified' || !ended.includes(event.id);
    const at = events.findIndex((event) => event.kind === kind && rests(event));
    if (at < 0) return undefined;
    const other = by(events[at] as Extract<Event, { kind: K }>);
    return { events: [...events.slice(0, at), ...(other ? [other] : []), ...events.slice(at + 1)] };
  };

const plus = <N extends number>(number: N, more: number): N => (number + more) as N;

describe('the slow book', () => {
  test('equals the book of the engine', () => {
    expect(audit(createBookAuditor())).toEqual([]);
  });

  test.each([
    ['a trade without an event', change('traded', () => undefined)],
    [
      'more than was traded',
      change('traded', (event) => ({ ...event, lots: plus(event.lots, 1) })),
    ],
    ['a trade at another price', change('traded', (e) => ({ ...e, ticks: plus(e.ticks, 1) }))],
    ['an end without an order', change('orderPlaced', () => undefined)],
    ['an order that continues after its end', change('orderEnded', () => undefined)],
    [
      'a modification with a wrong event',
      change('orderModified', (e) => ({ ...e, lots: plus(e.lots, 1) })),
    ],
  ])('%s is refused', (_what, spoil) => {
    expect(audit(createBookAuditor(), spoil)).not.toEqual([]);
  });

  test('a trade with an order that was not first is refused (ORD-1)', () => {
    const auditor = createBookAuditor();
    const placed = { kind: 'orderPlaced', market: 0, side: 1, ticks: 100, lots: 5 } as const;
    const resting = [1, 2].map((id) => ({ ...placed, id, account: id, clientOrderId: '' }));
    const taker = { ...placed, side: -1, id: 3, account: 3, clientOrderId: '' };
    const traded = (maker: number) => ({
      ...{ kind: 'traded', market: 0, tradeId: 1, ticks: 100, lots: 5, takerSide: -1 },
      ...{ taker: { account: 3, order: 3 }, maker: { account: maker, order: maker } },
    });
    const exchange = { orders: new Map() } as never;
    const reported = (maker: number): readonly string[] =>
      auditor({
        ...{ index: 1, exchange, command: undefined, outcome: undefined },
        events: [...resting, taker, traded(maker)] as never,
      });
    expect(reported(2).join()).toMatch('order 2 at 100 traded before 1 at 100');
  });
});

describe('the ledger', () => {
  test('rows sum up to balances, and all money has an owner', () => {
    expect(audit(createLedgerAuditor(64, new Map()))).toEqual([]);
  });

  test.each([
    ['a credit without an event', change('credited', () => undefined)],
    ['a credit of another size', change('credited', (e) => ({ ...e, amount: plus(e.amount, 1) }))],
    ['a trade without its rows', change('traded', () => undefined)],
    [
      'a wrong fee',
      change('traded', (event) => ({
        ...event,
        taker: { ...event.taker, fee: plus(event.taker.fee, 1) },
      })),
    ],
    [
      'a wrong amount of funding',
      change('fundingPaid', (event) => ({ ...event, amount: plus(event.amount, 1) })),
    ],
  ])('%s is refused', (_what, spoil) => {
    expect(audit(createLedgerAuditor(64, new Map()), spoil)).not.toEqual([]);
  });
});

describe('at most once', () => {
  test('names, keys and deposits of a long record are accepted', () => {
    expect(audit(createOnceAuditor())).toEqual([]);
  });

  const reported = (auditor: Auditor, step: Partial<Step>): readonly string[] =>
    auditor({
      ...{ index: 1, exchange: undefined as never, events: [] },
      ...{ command: undefined, outcome: undefined, ...step },
    });

  test('a deposit that counts twice is refused (OPS-1)', () => {
    const auditor = createOnceAuditor();
    const events = [{ kind: 'credited', reference: 'one' }] as never;
    expect(reported(auditor, { events })).toEqual([]);
    expect(reported(auditor, { events })).toHaveLength(1);
  });

  test('a key that makes two orders is refused, one that repeats is not (ID-3)', () => {
    const command = { kind: 'placeOrder', account: 1, idempotencyKey: 'k' } as never;
    const accepted = (id: number, repeated: boolean): Partial<Step> => ({
      command,
      outcome: { kind: 'accepted', [repeated ? 'repeated' : 'order']: { id } } as never,
    });
    const auditor = createOnceAuditor();
    expect(reported(auditor, accepted(5, false))).toEqual([]);
    expect(reported(auditor, accepted(5, true))).toEqual([]);
    expect(reported(auditor, accepted(6, false))).toHaveLength(1);
    expect(reported(createOnceAuditor(), accepted(5, true))).toHaveLength(1);
  });

  test('a name of two active orders is refused (ID-2)', () => {
    const placed = (id: number) => ({ kind: 'orderPlaced', id, account: 1, clientOrderId: 'n' });
    const ended = { kind: 'orderEnded', order: { id: 1, account: 1, clientOrderId: 'n' } };
    const auditor = createOnceAuditor();
    expect(reported(auditor, { events: [placed(1), ended, placed(2)] as never })).toEqual([]);
    expect(reported(auditor, { events: [placed(3)] as never })).toHaveLength(1);
  });
});

test('timelines have each state of an order, and every fill', () => {
  const timelines: Timelines = new Map();
  const numbers = new Map<string, number[]>();
  audit(createTimelineAuditor(timelines, numbers));
  let orders = 0;
  let fills = 0;
  for (const [index, { events }] of steps.entries()) {
    for (const event of events) {
      if (event.kind === 'orderEnded') {
        const { id, createdAt, status, updatedAt } = event.order;
        const key = orderKey(formatUuid(createdAt, id));
        // Its last word, and of its end.
        expect(valueAt(timelines, key, index + 1)).toMatch(new RegExp(`^${status} `));
        expect(valueAt(timelines, key, steps.length)).toBe(valueAt(timelines, key, index + 1));
        expect(updatedAt).toBeGreaterThanOrEqual(createdAt);
        orders += 1;
      }
      if (event.kind === 'traded') fills += 2;
    }
  }
  expect(orders).toBeGreaterThan(250);
  expect(fills).toBeGreaterThan(250);
  const reported = [...numbers.values()].reduce((sum, ids) => sum + ids.length, 0);
  expect(reported).toBeGreaterThanOrEqual(fills);
});

test('timelines have the last collateral of each position, and every row of the ledger', () => {
  const timelines: Timelines = new Map();
  audit(createTimelineAuditor(timelines, new Map()));
  audit(createLedgerAuditor(64, timelines));
  let bound = 0;
  let counted = 0;
  steps.at(-1)!.at((exchange) => {
    const { markets } = exchange;
    for (const { id, positions } of liveAccounts(exchange)) {
      counted += Number(valueAt(timelines, ledgerKey(id), steps.length).split(' ')[0]);
      for (const market of markets) {
        const due = positions[market.id]?.collateral ?? 0;
        bound += due;
        const noted = valueAt(timelines, collateralKey(id, market.symbol), steps.length);
        expect(Number(noted)).toBe(due / 1e6);
      }
    }
  });
  expect(bound).toBeGreaterThan(0);
  const rows = [...timelines.keys()].filter((key) => key.startsWith('row of a ledger'));
  expect(rows).toHaveLength(counted);
  expect(counted).toBeGreaterThan(100);
});

test('the fills between two numbers include both sides of a self-trade', () => {
  const numbers = new Map([[fillsKey(1, 'BTCUSDT'), [3, 5, 5, 9]]]);
  const asked = { account: 1, symbol: 'BTCUSDT' };
  expect(fillIdsBetween(numbers, { ...asked, first: 4, last: 9 })).toEqual([5, 5, 9]);
  expect(fillIdsBetween(numbers, { ...asked, account: 2, first: 4, last: 9 })).toEqual([]);
});
