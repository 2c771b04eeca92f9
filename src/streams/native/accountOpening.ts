// The channel `account` of one account (WS-2): its balance, positions, open orders and waiting
// triggers, then their changes in the order of the log. Rows are absolute: a client that keeps the
// last version of each row has the present account. What moves with the mark alone comes in
// messages without a number (accountFigures.ts).

import type { Account } from '../../engine/views/account.ts';
import { accountById } from '../../engine/views/exchange.ts';
import { openOrdersOf } from '../../engine/views/openOrdersOf.ts';
import { placedTriggersOf } from '../../engine/views/trigger.ts';
import { must } from '../../std/assert.ts';
import type { AccountId } from '../../units/units.ts';
import { followAccount } from '../accountFeed.ts';
import { type Opening, publish, publishInPassing } from '../fanout.ts';
import { addFigureTurn } from '../figureTurns.ts';
import { openPositionsOf } from '../openPositionsOf.ts';
import type { StreamContext } from '../streamContext.ts';
import { createAccountFigures } from './accountFigures.ts';
import { createAccountRows } from './accountRows.ts';

export const accountStreamKey = (account: AccountId): string => `account:${account}`;

export function accountOpening(context: StreamContext, id: AccountId): Opening {
  const { fanout, exchange, figureTurns, clock, bounds } = context;
  const account = must(accountById(exchange, id), 'a channel is of an account');
  return {
    key: accountStreamKey(id),
    name: 'account',
    resumable: true,
    urgent: true,
    // The messages of one account must not continue the copy of another account.
    holder: String(id),
    open: (channel) => {
      const figures = createAccountFigures(context, account);
      const rowsOf = createAccountRows(context, account, figures);
      const end = followAccount(context.accounts, id, (step) => {
        for (const [event, data] of rowsOf(step)) {
          publish(
            fanout,
            channel(),
            (place) => `{"type":"account",${place},"event":"${event}","data":${data}}`,
          );
        }
      });
      const run = (): number => {
        // Who comes later gets a snapshot.
        const { subscriptions } = channel();
        if (subscriptions.size === 0) return 0;
        const { data, rows } = figures.moved();
        const head = '{"type":"account","channel":"account","event":"figures"';
        if (data !== undefined) publishInPassing(fanout, channel(), `${head},"data":${data}}`);
        // A reader that is still getting what it missed does not get this message.
        if ([...subscriptions].some(({ replaying }) => replaying)) figures.forget();
        return rows;
      };
      const stop = addFigureTurn(figureTurns, { run, dueAt: clock.now() + bounds.figuresMs });
      return {
        snapshot: (place) => snapshotText(context, account, place),
        repeat: figures.forget,
        close: () => {
          stop();
          end();
        },
      };
    },
  };
}

function snapshotText({ records }: StreamContext, account: Account, place: string): string {
  const positions = records.positions(account, openPositionsOf(account));
  const orders = openOrdersOf(account).map((order) => records.order(order));
  // What waits has placed no order yet.
  const triggers = placedTriggersOf(account).map((each) => records.trigger(each, undefined));
  return (
    `{"type":"account",${place},"snapshot":true` +
    `,"balances":[${records.balance(account)}],"positions":[${positions.join(',')}]` +
    `,"orders":[${orders.join(',')}],"triggers":[${triggers.join(',')}]}`
  );
}
