// What moves with the mark alone (WS-2): the figures of open positions and of the balance, and the
// stops of trailing triggers. It remembers what was sent, so that only what moved is sent again.

import type { Account } from '../../engine/views/account.ts';
import { marketById } from '../../engine/views/exchange.ts';
import type { Position } from '../../engine/views/position.ts';
import { placedTriggersOf } from '../../engine/views/trigger.ts';
import { must } from '../../std/assert.ts';
import type { MarketId, OrderId } from '../../units/units.ts';
import { formatUuid } from '../../units/uuid.ts';
import { stopText } from '../fapi/triggerMembers.ts';
import { openPositionsOf } from '../openPositionsOf.ts';
import type { StreamContext } from '../streamContext.ts';

export type AccountFigures = {
  /**
   * The data of a message with everything that moved since the last one, undefined without any;
   * and how many rows it made to find out.
   */
  readonly moved: () => { readonly data: string | undefined; readonly rows: number };
  /** These rows were sent, with their figures. */
  readonly sentPosition: (position: Position, text: string) => void;
  readonly sentBalance: (text: string) => void;
  /** Nothing counts as sent: the next message has everything. */
  readonly forget: () => void;
};

type Sent = {
  balance: string;
  readonly positions: Map<MarketId, string>;
  /** Of trailing triggers. */
  stops: ReadonlyMap<OrderId, string>;
};

export function createAccountFigures(context: StreamContext, account: Account): AccountFigures {
  const { records } = context;
  const sent: Sent = {
    balance: records.balance(account),
    positions: new Map(),
    stops: stopsOf(context, account),
  };
  const open = openPositionsOf(account);
  const texts = records.positions(account, open);
  for (const [index, { market }] of open.entries()) sent.positions.set(market, texts[index]!);
  return {
    moved: () => movedSince(context, account, sent),
    sentPosition: ({ market, lots }, text) => {
      if (lots === 0) sent.positions.delete(market);
      else sent.positions.set(market, text);
    },
    sentBalance: (text) => {
      sent.balance = text;
    },
    forget: () => {
      sent.balance = '';
      sent.positions.clear();
      sent.stops = new Map();
    },
  };
}

function movedSince(
  context: StreamContext,
  account: Account,
  sent: Sent,
): ReturnType<AccountFigures['moved']> {
  const { records } = context;
  const open = openPositionsOf(account);
  const texts = records.positions(account, open);
  const positions: string[] = [];
  for (const [index, { market }] of open.entries()) {
    const text = texts[index]!;
    if (sent.positions.get(market) === text) continue;
    sent.positions.set(market, text);
    positions.push(text);
  }
  const stops = stopsOf(context, account);
  const triggers = [...stops]
    .filter(([id, text]) => sent.stops.get(id) !== text)
    .map(([, text]) => text);
  sent.stops = stops;
  const balance = records.balance(account);
  const rows = open.length + stops.size + 1;
  if (positions.length === 0 && triggers.length === 0 && balance === sent.balance) {
    return { data: undefined, rows };
  }
  sent.balance = balance;
  const data =
    `{"balance":${balance},"positions":[${positions.join(',')}]` +
    `,"triggers":[${triggers.join(',')}]}`;
  return { data, rows };
}

/** The trailing triggers that wait, each with the mark that would fire it. */
function stopsOf({ exchange }: StreamContext, account: Account): ReadonlyMap<OrderId, string> {
  const stops = new Map<OrderId, string>();
  for (const trigger of placedTriggersOf(account)) {
    if (trigger.type !== 'TRAILING_STOP_MARKET') continue;
    const { id, createdAt } = trigger;
    const market = must(marketById(exchange, trigger.market), 'a trigger is on a market');
    const price = stopText(trigger, market);
    stops.set(id, `{"algo_id":"${formatUuid(createdAt, id)}","trigger_price":"${price}"}`);
  }
  return stops;
}
