// Keeps a copy of an account from its native channel (WS-2): balance, positions, open orders,
// waiting triggers and fills, resumed after every dropped connection. Each message must be true at
// a step of the log, in the order of the messages.

import { openOrdersOf } from '../../../src/engine/views/openOrdersOf.ts';
import { placedTriggersOf } from '../../../src/engine/views/trigger.ts';
import { formatUuid } from '../../../src/units/uuid.ts';
import {
  type AccountCopy,
  applyAccount,
  createAccountCopy,
} from '../../../test/streams/localCopies.ts';
import {
  availableKey,
  balanceKey,
  collateralKey,
  fillKey,
  fillValue,
  orderKey,
  orderValue,
  positionKey,
} from '../oracles/keys.ts';
import type { Seen } from '../oracles/timelines.ts';
import type { ClientKey, LifeView, Violation } from '../ports.ts';
import { chance } from './actor.ts';
import type { Body } from './createCaller.ts';
import { createStreamLine } from './createStreamLine.ts';
import { noteReported } from './diary.ts';
import { type Feed, type FeedMeans, hasReadAll } from './feed.ts';

export function createAccountListener(means: FeedMeans, key: ClientKey): Feed {
  const { world, diary } = means;
  const copy = createAccountCopy();
  const floor = { step: 0 };
  const what = `listener to account ${key.account}`;
  const line = createStreamLine(world, {
    ...means,
    path: () => '/ws',
    dialect: 'native',
    onOpen: ({ send }) => {
      send({ type: 'auth', token: key.token });
      // Some of its sockets end the orders of the account when they drop (COD-1).
      if (chance(means.prng, 30)) send({ type: 'cancel_on_disconnect', enabled: true });
      const { seq, epoch } = copy.standing;
      if (seq < 0) send({ type: 'subscribe', channel: 'account' });
      else send({ type: 'resume', channel: 'account', epoch, seq });
    },
    onMessage: (message) => {
      world.count(`stream ${message.type}`);
      // Its account may have no room for one more armed connection (COD-3).
      if (message.type === 'error' && message.request === undefined) return line.close();
      if (message.type !== 'account') return;
      try {
        applyAccount(copy, message);
        noteReported(diary, floor, what, seenIn(key.account, message));
      } catch (error) {
        diary.wrong.push(`${what}: ${(error as Error).message}`);
        copy.standing.seq = -1;
        line.close();
      }
    },
  });
  return {
    open: line.open,
    calm: line.calm,
    check: (view, judge) => {
      if (!hasReadAll(world, line, judge) || copy.standing.seq < 0) return [];
      world.count('account copies compared');
      return compare(what, copy, view, key.account);
    },
  };
}

const order = (row: Body): Seen => ({
  key: orderKey(row.order_id),
  value: orderValue({
    status: row.status,
    executedQty: row.executed_qty,
    origQty: row.orig_qty,
    price: row.price,
    cancelReason: row.cancel_reason,
  }),
});

const position = (account: number, row: Body): Seen[] => [
  { key: positionKey(account, row.symbol), value: row.position_amt },
  { key: collateralKey(account, row.symbol), value: row.isolated_wallet },
];

const balance = (account: number, row: Body): Seen[] => [
  { key: balanceKey(account), value: row.balance },
  { key: availableKey(account), value: row.available_balance },
];

function seenIn(account: number, message: Body): Seen[] {
  if (message.snapshot) {
    return [
      ...balance(account, message.balances[0]),
      ...message.positions.flatMap((row: Body) => position(account, row)),
      ...message.orders.map(order),
    ];
  }
  const { event, data } = message;
  switch (event) {
    case 'order':
      return [order(data)];
    case 'position':
      return position(account, data);
    case 'balance':
      return balance(account, data);
    case 'figures':
      return [
        ...balance(account, data.balance),
        ...data.positions.flatMap((row: Body) => position(account, row)),
      ];
    case 'fill':
      return [
        {
          key: fillKey(account, data.symbol, data.id, data.maker),
          value: fillValue({ ...data, realizedPnl: data.realized_pnl }),
        },
      ];
    default:
      return [];
  }
}

function compare(
  what: string,
  { orders, positions, triggers }: AccountCopy,
  { exchange }: LifeView,
  id: number,
): Violation[] {
  const account = exchange.accounts[id]!;
  const resting = openOrdersOf(account).map((each) => formatUuid(each.createdAt, each.id));
  const waiting = placedTriggersOf(account).map((each) => formatUuid(each.createdAt, each.id));
  const held = account.positions.flatMap((each) =>
    each === undefined || each.lots === 0 ? [] : [exchange.markets[each.market]!.symbol],
  );
  const wrong: Violation[] = [];
  for (const [name, kept, due] of [
    ['orders', [...orders.keys()].sort().join(), resting.sort().join()],
    ['triggers', [...triggers.keys()].sort().join(), waiting.sort().join()],
    ['positions', [...positions.keys()].sort().join(), held.sort().join()],
  ] as const) {
    if (kept !== due) wrong.push(`${what} has ${name} ${kept}, there are ${due}`);
  }
  return wrong;
}
