// In which order the checks of cancel on disconnect come (COD-3).

import { positionIn } from '../../../src/engine/account.ts';
import {
  armedConnectionsMax,
  armedPerAccountMax,
  armedWithEquityMax,
  equityPerWaiting,
} from '../../../src/engine/limits.ts';
import type { MarketId, Money } from '../../../src/units/units.ts';
import { accountUnknown, late } from './commonSpoilers.ts';
import { type Precedence, pretendSize, type Situation } from './situation.ts';

type Arming = Situation<'armConnection'>;

const isIdle = ({ account, market }: Arming): boolean =>
  (account.positions[market.id]?.orderCount ?? 0) === 0;

/** Carol's first connection, with or without something to cancel. */
const pays = (s: Arming): boolean => isIdle(s) || s.account.armedConnections > 0;

export const armConnectionPrecedence: Precedence<'armConnection'> = {
  owner: 'carol',
  command: ({ account }) => ({
    kind: 'armConnection',
    account: account.id,
    connection: 7,
    markets: [],
  }),
  spoilers: [
    late,
    accountUnknown,
    {
      name: 'marketUnknown',
      spoil: ({ command }) => {
        command.markets = [99 as MarketId];
      },
      holds: ({ command }) => command.markets.length > 0,
    },
    {
      name: 'capacityReached: all places',
      spoil: ({ exchange, account, market }) => {
        pretendSize(exchange.connections.armed, armedConnectionsMax);
        positionIn(account, market.id).orderCount = 1;
      },
      holds: (s) => s.exchange.connections.armed.size >= armedConnectionsMax && !pays(s),
    },
    {
      name: 'capacityReached: places that need equity',
      spoil: ({ exchange }) => pretendSize(exchange.connections.armed, armedWithEquityMax),
      holds: (s) => s.exchange.connections.armed.size === armedWithEquityMax && pays(s),
    },
    {
      name: 'connectionsLimit',
      spoil: ({ account }) => {
        account.armedConnections = armedPerAccountMax;
      },
      holds: ({ account }) => account.armedConnections >= armedPerAccountMax,
    },
    {
      name: 'equityInsufficient',
      spoil: ({ account }) => {
        account.available = (equityPerWaiting - 1) as Money;
      },
      holds: (s) => s.account.available < equityPerWaiting && pays(s),
    },
  ],
  impossible: [
    [
      ['capacityReached: all places'],
      ['capacityReached: places that need equity', 'connectionsLimit', 'equityInsufficient'],
      'a first connection with something to cancel needs no equity and is within the limit',
    ],
  ],
};

export const disarmConnectionPrecedence: Precedence<'disarmConnection'> = {
  owner: 'carol',
  command: ({ account }) => ({ kind: 'disarmConnection', account: account.id, connection: 7 }),
  spoilers: [late, accountUnknown],
};

export const endConnectionsPrecedence: Precedence<'endConnections'> = {
  owner: 'carol',
  command: () => ({ kind: 'endConnections', connections: [7] }),
  spoilers: [late],
};
