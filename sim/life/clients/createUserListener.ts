// Listens to the user data of an account (WS-3) with listen keys that it makes again after every
// dropped connection. The changes of each order must come in order. Every reported fill must have
// been made, and TRADE_LITE must have reported it before. Between the first and the last reported
// fill none may be missing.

import type { Judge } from '../oracles/createJudge.ts';
import { fillIdsBetween } from '../oracles/fillIdsBetween.ts';
import { balanceKey, fillKey, fillValue, positionKey } from '../oracles/keys.ts';
import type { Seen } from '../oracles/timelines.ts';
import type { Violation } from '../ports.ts';
import type { Body, Caller } from './createCaller.ts';
import { createStreamLine } from './createStreamLine.ts';
import { noteReported } from './diary.ts';
import type { Feed, FeedMeans } from './feed.ts';

/** What one socket received. */
type Session = {
  /** The numbers of the fills by symbol, in the order of their messages. */
  readonly fills: Map<string, number[]>;
  /** By order: the filled quantity as text, and whether it has ended. */
  readonly orders: Map<string, { filled: number; ended: boolean }>;
  /** A fill in TRADE_LITE, whose full message comes next. */
  lite: Body | undefined;
};

const renewEveryMs = 20 * 60_000;

export function createUserListener(means: FeedMeans, caller: Caller): Feed {
  const { world, diary } = means;
  const { account } = caller.key;
  const what = `listener to user data of ${account}`;
  const floor = { step: 0 };
  const sessions: Session[] = [];
  let listenKey: string | undefined;
  const fetchKey = (): void => {
    const asked = {
      name: 'listen key',
      path: '/fapi/v1/listenKey',
      credential: 'keyOnly',
    } as const;
    caller.ask({ ...asked, method: 'POST' }, (received) => {
      if (received?.ok === true) listenKey = received.body.listenKey;
      else world.clock.after(1500, fetchKey);
    });
  };
  const line = createStreamLine(world, {
    ...means,
    path: () => (listenKey === undefined ? undefined : `/private/ws?listenKey=${listenKey}`),
    dialect: 'fapi',
    onHeard: () => {
      sessions.push({ fills: new Map(), orders: new Map(), lite: undefined });
    },
    onMessage: (message) => {
      world.count(`user ${message.e}`);
      const session = sessions.at(-1)!;
      diary.wrong.push(...hear(session, message).map((wrong) => `${what}: ${wrong}`));
      noteReported(diary, floor, what, seenIn(account, message));
    },
    onClose: () => {
      listenKey = undefined;
      fetchKey();
    },
  });
  const renew = (): void => {
    caller.ask({
      name: 'renew key',
      method: 'PUT',
      path: '/fapi/v1/listenKey',
      credential: 'keyOnly',
    });
    world.clock.after(renewEveryMs, renew);
  };
  return {
    open: () => {
      fetchKey();
      world.clock.after(renewEveryMs, renew);
      line.open();
    },
    calm: line.calm,
    check: (_view, judge) =>
      sessions.flatMap((session) => missed(session, judge, { account, what })),
  };
}

const ends = new Set(['FILLED', 'CANCELED', 'REJECTED']);

const inBoth = ['s', 'q', 'p', 'm', 'c', 'S', 'L', 'l', 't', 'i'] as const;

/** Every fill comes first in TRADE_LITE, and then in full, with the same members. */
function hearBoth(session: Session, message: Body): string[] {
  const { lite } = session;
  const { e, o } = message;
  session.lite = e === 'TRADE_LITE' ? message : undefined;
  if (lite === undefined) {
    const alone = e === 'ORDER_TRADE_UPDATE' && o.x === 'TRADE';
    return alone ? [`fill ${o.t} of order ${o.i} was not told in short`] : [];
  }
  if (e !== 'ORDER_TRADE_UPDATE') return [`after fill ${lite.t} in short came ${e}`];
  return inBoth
    .filter((member) => lite[member] !== o[member])
    .map((member) => `fill ${lite.t} in short has ${member} ${lite[member]}, in full ${o[member]}`);
}

function hear(session: Session, message: Body): string[] {
  const { orders, fills } = session;
  const { e, o } = message;
  const wrong = hearBoth(session, message);
  if (e !== 'ORDER_TRADE_UPDATE') return wrong;
  const known = orders.get(o.i);
  const received = `order ${o.i} ${o.x} ${o.X} ${o.z}/${o.q}`;
  if (known?.ended === true) wrong.push(`${received} after its end`);
  if (known !== undefined && o.x === 'NEW' && o.ot === o.o)
    wrong.push(`${received}, and was there before`);
  const filled = Number(o.z);
  if (known !== undefined) {
    const apart = Math.abs(filled - known.filled - Number(o.l));
    if (apart > 1e-9 * (1 + filled)) wrong.push(`${received} follows ${known.filled} and ${o.l}`);
  }
  orders.set(o.i, { filled, ended: ends.has(o.X) });
  if (o.t !== 0) {
    const list = fills.get(o.s) ?? [];
    list.push(o.t);
    fills.set(o.s, list);
  }
  return wrong;
}

/** Only at the end of a command: a message from its middle shows a state of no step. */
function seenIn(account: number, { e, o, a }: Body): Seen[] {
  if (e === 'ORDER_TRADE_UPDATE' && o.t !== 0) {
    const fill = { price: o.L, qty: o.l, realizedPnl: o.rp, commission: o.n ?? '0' };
    return [{ key: fillKey(account, o.s, o.t, o.m), value: fillValue(fill) }];
  }
  if (e !== 'ACCOUNT_UPDATE' || a.m === 'FUNDING_FEE') return [];
  return [
    ...a.B.map(({ wb }: Body) => ({ key: balanceKey(account), value: wb })),
    ...a.P.map(({ s, pa }: Body) => ({ key: positionKey(account, s), value: pa })),
  ];
}

function missed(
  { fills }: Session,
  { numbers }: Judge,
  { account, what }: { readonly account: number; readonly what: string },
): Violation[] {
  const wrong: Violation[] = [];
  for (const [symbol, heard] of fills) {
    const between = { first: heard[0]!, last: heard.at(-1)! };
    const made = fillIdsBetween(numbers, { account, symbol, ...between });
    if (heard.join() !== made.join()) {
      wrong.push(
        `${what} heard of the fills ${heard.join()} on ${symbol}, made were ${made.join()}`,
      );
    }
  }
  return wrong;
}
