// The user data stream of a listen key (conventions, 12): the events of one account, under the
// names of the convention. A fill sends TRADE_LITE, ORDER_TRADE_UPDATE, ACCOUNT_UPDATE in this
// order.

import type { Event } from '../../engine/event.ts';
import type { Account } from '../../engine/views/account.ts';
import { accountById, marketById } from '../../engine/views/exchange.ts';
import { must } from '../../std/assert.ts';
import type { AccountId } from '../../units/units.ts';
import { type AccountStep, followAccount } from '../accountFeed.ts';
import { type Opening, publish } from '../fanout.ts';
import { addRhythm } from '../rhythm.ts';
import type { StreamContext } from '../streamContext.ts';
import { accountUpdates, createAccountMemory } from './accountUpdates.ts';
import { algoUpdates } from './algoUpdates.ts';
import { createMarginWatch } from './createMarginWatch.ts';
import type { ListenKey } from './listenKeys.ts';
import { orderUpdates } from './orderUpdates.ts';
import { type SilentLegs, silentLegsOf } from './silentLegs.ts';

/** A user event without the time when it was made. */
export type UserEvent = { readonly e: string; readonly [member: string]: unknown };

const marginMs = 1000;

export const userStreamKey = (listenKey: string): string => `user:${listenKey}`;

export function userStream(context: StreamContext, { key, account: id }: ListenKey): Opening {
  const { fanout, clock, exchange, rhythms } = context;
  const account = must(accountById(exchange, id), 'a listen key is of an account');
  return {
    key: userStreamKey(key),
    name: key,
    resumable: false,
    urgent: true,
    open: (channel) => {
      const send = ({ e, ...rest }: UserEvent): void => {
        const text = JSON.stringify({ e, E: clock.now(), ...rest });
        publish(fanout, channel(), () => text, e);
      };
      const memory = createAccountMemory(account);
      const silent = silentLegsOf(exchange, account);
      const end = followAccount(context.accounts, id, (step) => {
        for (const event of userEvents(context, { account, step, silent })) send(event);
        for (const event of accountUpdates(context, { account, memory, step })) send(event);
      });
      const watch = createMarginWatch(context, account);
      const run = (): boolean => {
        const call = watch();
        if (call !== undefined) send(call);
        return true;
      };
      const stop = addRhythm(rhythms, { everyMs: marginMs, run });
      return {
        snapshot: () => undefined,
        close: () => {
          stop();
          end();
        },
      };
    },
  };
}

type UserStep = {
  readonly account: Account;
  readonly step: AccountStep;
  readonly silent: SilentLegs;
};

function userEvents(context: StreamContext, { account, step, silent }: UserStep): UserEvent[] {
  const tellOrders = orderUpdates(context, account, step);
  return step.events.flatMap((event) => [
    ...tellOrders(event),
    ...algoUpdates(context, { event, step, silent }),
    ...configUpdates(context, account.id, event),
  ]);
}

function configUpdates({ exchange }: StreamContext, account: AccountId, event: Event): UserEvent[] {
  if (event.kind !== 'leverageSet' || event.account !== account) return [];
  const { symbol } = must(marketById(exchange, event.market), 'leverage is of a market');
  return [{ e: 'ACCOUNT_CONFIG_UPDATE', T: exchange.time, ac: { s: symbol, l: event.leverage } }];
}
