// Cancel on disconnect: what ends when an armed connection ends, and what stays (COD-1 … COD-6).

import { expect, test } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import { armedMarketsMax } from '../../src/engine/limits.ts';
import type { AccountId, MarketId, Time } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { twoMarkets } from './stages.ts';
import { accountOf, createWorld } from './world.ts';

scenario(
  'COD-1 the end of an armed connection ends the orders of its account on every market',
  `
  ${twoMarkets}
  anna arm 1
  # However they were placed, also before the connection was armed and over others.
  anna buy 0.1 @ 59000 id x
  anna sell ETHUSDT 1 @ 3100 id e
  ben buy 0.1 @ 59000 id b
  disconnect 1 -> cancelled 1
  anna order x status CANCELED reason DISCONNECT
  anna order e status CANCELED reason DISCONNECT
  anna has freezes 0 orders 0
  ben order b status NEW
  # Once: what comes later belongs to no connection.
  anna buy 0.1 @ 59000 id y
  disconnect 1 -> cancelled 0
  anna order y status NEW
  `,
);

scenario(
  'COD-1 only the symbols that were named end, and a new choice replaces them',
  `
  ${twoMarkets}
  anna arm 1 BTCUSDT
  anna buy 0.1 @ 59000 id x
  anna buy ETHUSDT 1 @ 2900 id e
  anna arm 1 ETHUSDT
  disconnect 1
  anna order x status NEW
  anna order e status CANCELED reason DISCONNECT
  anna arm 2 DOGEUSDT -> marketUnknown
  `,
);

scenario(
  'COD-1 a connection that was disarmed ends nothing, and each connection of an account counts alone',
  `
  ${twoMarkets}
  anna arm 1
  anna arm 2 BTCUSDT
  anna buy 0.1 @ 59000 id x
  anna buy ETHUSDT 1 @ 2900 id e
  anna disarm 1
  anna disarm 1
  disconnect 1 -> cancelled 0
  anna order x status NEW
  disconnect 2 -> cancelled 1
  anna order x status CANCELED reason DISCONNECT
  anna order e status NEW
  `,
);

scenario(
  'COD-1 another account can neither disarm a connection nor end orders that are not its own',
  `
  ${twoMarkets}
  anna arm 1
  ben arm 2
  anna buy 0.1 @ 59000 id x
  ben disarm 1
  disconnect 2 -> cancelled 1
  anna order x status NEW
  disconnect 1 -> cancelled 1
  anna order x status CANCELED reason DISCONNECT
  `,
);

scenario(
  'COD-2 opening triggers of both routes end, and triggers that only reduce stay',
  `
  ${twoMarkets}
  anna arm 1
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna trigger buy 0.1 STOP_MARKET stop 61000 id opens
  anna trigger buy 0.1 STOP_MARKET stop 61000 algo id alsoOpens
  anna trigger buy 0.1 TRAILING_STOP_MARKET callback 1 algo id trails
  anna trigger sell 0.1 STOP_MARKET stop 58000 reduceOnly id stop
  anna trigger sell close STOP_MARKET stop 57000 algo id close
  disconnect 1
  anna triggers stop close
  anna trigger opens status CANCELED
  anna trigger alsoOpens status CANCELED
  anna trigger trails status CANCELED
  # What stays still protects the position.
  ben buy 1 @ 57900
  index 58000
  anna trigger stop status FINISHED
  anna has position 0
  anna trigger close status EXPIRED
  `,
);

scenario(
  'COD-2 reduceOnly orders end, but the order that a reducing trigger has placed stays with it',
  `
  ${twoMarkets}
  anna arm 1
  anna buy 0.2 @ 60000
  ben sell 0.2 @ 60000
  anna sell 0.1 @ 62000 reduceOnly id target
  anna trigger sell 0.2 STOP stop 59000 @ 58990 reduceOnly algo id stop
  anna trigger buy 0.1 STOP stop 61000 @ 58500 id opens
  index 59000
  anna trigger stop status TRIGGERED
  index 61000
  anna trigger opens status TRIGGERED
  anna has orders 3
  disconnect 1
  anna order target status CANCELED reason DISCONNECT
  anna trigger opens status FINISHED
  anna trigger stop status TRIGGERED
  anna has orders 1
  book bids asks 0.2@58990
  `,
);

scenario(
  'COD-2 ATT-3 legs that wait stay, and those that are pending end with their parent',
  `
  ${twoMarkets}
  anna arm 1
  anna buy 0.2 @ 60000 profit 61000 loss 59000 id part
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 58000 profit 61000 loss 57000 id none
  anna trigger buy 0.1 STOP_MARKET stop 62000 loss 59000 id later
  disconnect 1
  anna order part status CANCELED reason DISCONNECT filled 0.1
  anna order none status CANCELED reason DISCONNECT
  anna trigger later status CANCELED
  anna trigger none.profit status EXPIRED
  anna trigger none.loss status EXPIRED
  anna trigger later.loss status EXPIRED
  anna triggers part.profit part.loss
  anna trigger part.loss status NEW quantity 0.1
  `,
);

scenario(
  'COD-2 ATT-9 the protection of a position stays',
  `
  ${twoMarkets}
  anna arm 1
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna protect loss 59000
  disconnect 1
  anna triggers protection.loss
  `,
);

scenario(
  'COD-2 SYM-1 orders end in a halted market too',
  `
  ${twoMarkets}
  anna arm 1
  anna buy 0.1 @ 59000 id x
  change status HALT
  disconnect 1
  anna order x status CANCELED reason DISCONNECT
  `,
);

scenario(
  'COD-2 MAR-1 an order that stays takes the cover that becomes free',
  `
  ${twoMarkets}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  anna arm 1
  anna sell 0.1 @ 61000 id covered
  disconnect 1
  anna sell 0.1 @ 62000 id later
  anna order later cover 0.1 freeze 0
  anna has freezes 0
  `,
);

scenario(
  'COD-3 equityInsufficient: the first needs something to cancel or 10 USDT, each further one 10 USDT',
  `
  ${twoMarkets}
  credit cleo 9.999999
  cleo arm 1 -> equityInsufficient 10000000
  cleo leverage 50
  cleo buy 0.001 @ 59000 id c
  cleo arm 1
  # Another choice of symbols takes no more room.
  cleo arm 1 BTCUSDT
  cleo arm 2 -> equityInsufficient 10000000
  cleo arm 2 ETHUSDT -> equityInsufficient 20000000
  credit cleo 0.5
  cleo arm 2
  cleo arm 3 -> equityInsufficient 20000000
  cleo disarm 1
  cleo arm 3
  `,
);

scenario(
  'COD-3 a position or a waiting trigger is something to cancel',
  `
  ${twoMarkets}
  credit cleo 10
  cleo leverage 50
  ben sell 0.001 @ 60000
  cleo buy 0.001 @ 60000
  cleo arm 1
  credit dora 10
  dora trigger buy 0.001 STOP_MARKET stop 61000 id d
  dora withdraw 5
  dora arm 2 -> equityInsufficient 10000000
  credit dora 5
  dora trigger buy 0.001 STOP_MARKET stop 61000 id e
  dora arm 2 BTCUSDT
  `,
);

scenario(
  'COD-3 connectionsLimit: an account has at most eight armed connections',
  `
  ${twoMarkets}
  anna arm 1
  anna arm 2
  anna arm 3
  anna arm 4
  anna arm 5
  anna arm 6
  anna arm 7
  anna arm 8
  anna arm 9 -> connectionsLimit
  anna arm 8 BTCUSDT
  disconnect 3 4 -> cancelled 2
  anna arm 9
  `,
);

test('COD-3 AUTH-5a an account that was never credited arms nothing, so that none is forgotten armed', () => {
  const world = play(createWorld(), `${twoMarkets}\nlogin eve nonce one`);
  play(world, 'eve arm 1 -> equityInsufficient 10000000');
  play(world, 'after 90000000');
  expect(world.exchange.accountByAddress.has(world.names.get('eve')!)).toBe(false);
});

scenario(
  'COD-5 what was placed before the end of the connection ends, what comes after it stays',
  `
  ${twoMarkets}
  anna arm 1
  anna buy 0.1 @ 59000 id before
  disconnect 1
  anna buy 0.1 @ 59000 id after
  anna order before status CANCELED reason DISCONNECT
  anna order after status NEW
  # The client comes back before its old connection is noticed to be dead.
  anna arm 2
  anna arm 3
  anna buy 0.1 @ 58000 id again
  disconnect 2
  anna order again status CANCELED reason DISCONNECT
  anna buy 0.1 @ 58000 id more
  disconnect 3
  anna order more status CANCELED reason DISCONNECT
  `,
);

scenario(
  'COD-6 a start ends every connection of the process before it, once',
  `
  ${twoMarkets}
  anna arm 1
  ben arm 2 ETHUSDT
  anna buy 0.1 @ 59000 id x
  ben buy ETHUSDT 1 @ 2900 id e
  ben buy 0.1 @ 59000 id b
  restart -> cancelled 2
  anna order x status CANCELED reason DISCONNECT
  ben order e status CANCELED reason DISCONNECT
  ben order b status NEW
  restart -> cancelled 0
  # The numbers of the new process begin anew.
  ben arm 1
  disconnect 1 -> cancelled 1
  ben order b status CANCELED reason DISCONNECT
  `,
);

scenario(
  'COD-6 the connections of a process that is gone end, and those of another one stand',
  `
  ${twoMarkets}
  # Anna has one at each process, Ben one at the process that stays.
  anna arm 4194305 BTCUSDT
  anna arm 8388609 ETHUSDT
  ben arm 8388610
  anna buy 0.1 @ 59000 id x
  anna buy ETHUSDT 1 @ 2900 id e
  ben buy 0.1 @ 59000 id b
  disconnect 4194305 -> cancelled 1
  anna order x status CANCELED reason DISCONNECT
  anna order e status NEW
  ben order b status NEW
  # The process says it once more when it is back.
  disconnect 4194305 -> cancelled 0
  disconnect 8388609 8388610 -> cancelled 2
  anna order e status CANCELED reason DISCONNECT
  ben order b status CANCELED reason DISCONNECT
  `,
);

test('COD-1 a connection has one account, and names few markets, each once', () => {
  const world = play(createWorld(), `${twoMarkets}\nanna arm 1`);
  const { exchange } = world;
  const arm = (account: AccountId, connection: number, markets: number[]): unknown =>
    applyCommand(
      exchange,
      { kind: 'armConnection', account, connection, markets: markets as MarketId[] },
      0 as Time,
    );
  const fault = { rejection: { reason: 'fault' } };
  const [anna, ben] = ['anna', 'ben'].map((name) => accountOf(world, name).id);
  expect(arm(ben!, 1, [])).toMatchObject(fault);
  expect(arm(anna!, 2, [1, 0])).toMatchObject(fault);
  expect(arm(anna!, 2, [1, 1])).toMatchObject(fault);
  expect(arm(anna!, 0, [])).toMatchObject(fault);
  const many = Array.from({ length: armedMarketsMax + 1 }, (_, at) => at % 2);
  expect(arm(anna!, 2, many)).toMatchObject(fault);
  expect(accountOf(world, 'anna').armedConnections).toBe(1);
});
