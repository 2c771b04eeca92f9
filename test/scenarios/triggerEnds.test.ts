// How triggers end (TRG-2): by their owner, at their date (TRG-5), or with their position (TRG-3).

import { expect, test } from 'vitest';
import { play, scenario } from './scenario.ts';
import { createWorld } from './world.ts';

const start = `
  market BTCUSDT
  market ETHUSDT
  credit anna 10000
  credit ben 100000
  index 60000
  index ETHUSDT 3000
`;

const long = `
  ${start}
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
`;

scenario(
  'TRG-2 a trigger of the order route can be cancelled as an order or as a trigger',
  `
  ${start}
  anna trigger buy 0.1 STOP_MARKET stop 61000 id a
  anna trigger buy 0.1 STOP_MARKET stop 61000 id b
  anna cancel a -> CANCELED
  anna trigger a status CANCELED fired never
  anna cancelTrigger b -> CANCELED
  anna cancel a -> orderNotFound
  anna cancelTrigger b -> orderNotFound
  anna triggers
  index 61000
  anna has orders 0
  `,
);

scenario(
  'TRG-2 orderNotFound: a trigger of the algo route is no order, and only its owner can cancel it',
  `
  ${start}
  anna trigger buy 0.1 STOP_MARKET stop 61000 algo id a
  anna cancel a -> orderNotFound
  ben cancelTrigger a -> orderNotFound
  ben cancel a -> orderNotFound
  anna cancelTrigger never -> orderNotFound
  anna modify a 0.1 @ 61000 -> orderNotFound
  anna cancelTrigger a -> CANCELED
  `,
);

scenario(
  'TRG-2 after it has fired its order can be cancelled, but not the trigger',
  `
  ${start}
  anna trigger buy 0.1 TAKE_PROFIT stop 59000 @ 58000 id a
  anna trigger buy 0.1 TAKE_PROFIT stop 59000 @ 58000 algo id b
  index 59000
  anna trigger a status TRIGGERED
  anna trigger b status TRIGGERED
  anna triggers
  anna cancelTrigger a -> orderNotFound
  anna cancelTrigger b -> orderNotFound
  anna cancel b -> orderNotFound
  anna cancel a -> CANCELED USER
  anna trigger a status FINISHED
  anna cancelAll -> cancelled 1
  anna trigger b status FINISHED
  `,
);

scenario(
  'TRG-2 ORD-13 a mass cancel of a symbol also cancels its triggers of the order route',
  `
  ${start}
  anna buy 0.1 @ 59000 id resting
  anna trigger buy 0.1 STOP_MARKET stop 61000 id a
  anna trigger sell 0.1 STOP_MARKET stop 59000 id b
  anna trigger sell 0.1 STOP_MARKET stop 59000 algo id c
  anna trigger sell 1 ETHUSDT STOP_MARKET stop 2900 id e
  ben trigger sell 0.1 STOP_MARKET stop 59000 id other
  anna cancelAll -> cancelled 3
  anna order resting status CANCELED
  anna trigger a status CANCELED
  anna trigger b status CANCELED
  anna triggers c e
  anna triggers ETHUSDT e
  ben triggers other
  anna cancelTriggers -> cancelled 1
  anna cancelTriggers -> cancelled 0
  anna triggers e
  anna cancelTriggers ETHUSDT -> cancelled 0
  anna trigger c status CANCELED
  `,
);

scenario(
  'TRG-2 ORD-13 the only trigger of an account is cancelled by its route like one of many',
  `
  ${start}
  anna trigger buy 0.1 STOP_MARKET stop 61000 id a
  anna cancelTriggers -> cancelled 0
  anna cancelAll -> cancelled 1
  anna trigger a status CANCELED
  anna trigger buy 0.1 STOP_MARKET stop 61000 algo id b
  anna cancelAll -> cancelled 0
  anna cancelTriggers -> cancelled 1
  anna trigger b status CANCELED
  `,
);

scenario(
  'TRG-2 ORD-13 the countdown also cancels triggers of the order route, even without any order',
  `
  ${start}
  anna trigger buy 0.1 STOP_MARKET stop 61000 id a
  anna trigger buy 0.1 STOP_MARKET stop 61000 algo id b
  anna countdown 1000
  after 1000
  anna trigger a status CANCELED
  anna trigger b status NEW
  `,
);

scenario(
  'TRG-5 a waiting trigger expires at its date',
  `
  ${start}
  anna trigger buy 0.1 STOP_MARKET stop 61000 gtd 600000 algo id a
  anna trigger buy 0.1 STOP_MARKET stop 61000 id b
  after 599999
  anna trigger a status NEW
  after 1
  anna trigger a status EXPIRED fired never
  anna trigger b status NEW
  anna triggers b
  `,
);

scenario(
  'TRG-5 the rest of the order of a fired trigger is cancelled at the date',
  `
  ${long}
  anna trigger sell 0.2 STOP stop 59000 @ 59500 gtd 600000 algo id a
  anna trigger sell 0.1 STOP stop 59000 @ 59600 gtd 700000 id b
  index 59000
  anna trigger a status TRIGGERED
  anna order b status NEW tif GTC cover 0
  # 0.1 of the first is covered by the position: 5950 / 20 x 1.005, and 5960 of the second.
  anna has freezes 598.4775 orders 2
  after 599500
  anna trigger a status TRIGGERED
  after 500
  anna trigger a status FINISHED
  # What it covered now covers the other.
  anna order b status NEW cover 0.1 freeze 0
  anna has orders 1 freezes 0
  anna cancel b -> CANCELED USER
  anna trigger b status FINISHED
  after 100000
  anna trigger b status FINISHED
  `,
);

scenario(
  'TRG-5 the order ends CANCELED with the reason GTD at the date, in a halted market too',
  `
  ${start}
  anna trigger buy 0.1 TAKE_PROFIT stop 59000 @ 58000 gtd 600000 id a
  anna trigger buy 0.1 TAKE_PROFIT stop 57000 @ 58000 gtd 600000 id b
  index 59000
  ben sell 0.04 @ 58000
  change status HALT
  after 600000
  anna order a status CANCELED reason GTD filled 0.04
  anna trigger a status FINISHED
  anna trigger b status EXPIRED
  anna has freezes 0
  `,
);

scenario(
  'TRG-5 goodTillDateInvalid: the date is less than ten minutes or more than 90 days ahead',
  `
  ${start}
  anna trigger buy 0.1 STOP_MARKET stop 61000 gtd 599999 -> goodTillDateInvalid
  anna trigger buy 0.1 STOP_MARKET stop 61000 gtd -1 -> goodTillDateInvalid
  anna trigger buy 0.1 STOP_MARKET stop 61000 gtd 7776000001 -> goodTillDateInvalid
  anna trigger buy 0.1 STOP_MARKET stop 61000 gtd 7776000000 -> NEW
  anna trigger buy 0.1 STOP_MARKET stop 61000 gtd 600000 -> NEW
  `,
);

scenario(
  'TRG-3 closePosition closes the whole position as it is when it fires',
  `
  ${long}
  anna trigger sell close STOP_MARKET stop 59000 id c
  anna trigger c quantity 0
  anna buy 0.05 @ 60000
  ben sell 0.05 @ 60000
  ben buy 1 @ 58900
  # Not open to other orders that close: each alone may close all of it.
  anna sell 0.15 @ 65000 reduceOnly id target
  index 58850
  anna order c quantity 0.15 filled 0.15 status FILLED
  anna trigger c status FINISHED quantity 0
  anna order target status CANCELED reason REDUCE_ONLY
  anna has position 0
  `,
);

scenario(
  'TRG-3 closePosition buys for a short, and the part that the book cannot fill is cancelled',
  `
  ${start}
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000
  ben sell 0.06 @ 61000
  anna trigger buy close STOP_MARKET stop 60500 algo id stop
  anna trigger buy close TAKE_PROFIT_MARKET stop 59000 algo id target
  index 60500
  anna trigger stop status FINISHED order other
  anna has position -0.04
  # The position lives, and so does the other.
  anna trigger target status NEW
  `,
);

scenario(
  'TRG-2 TRG-3 closePosition expires when the position is flat, in whatever way it was closed',
  `
  ${long}
  anna trigger sell close STOP_MARKET stop 59000 id c
  anna trigger sell 0.1 STOP_MARKET stop 59000 reduceOnly id r
  anna trigger sell 0.1 STOP_MARKET stop 59000 id plain
  anna sell 0.1 @ 61000
  ben buy 0.06 @ 61000
  anna trigger c status NEW
  ben buy 0.04 @ 61000
  anna trigger c status EXPIRED fired never order none
  anna triggers r plain
  `,
);

scenario(
  'TRG-2 TRG-3 closePosition expires when the position flips, and those of other symbols stay',
  `
  ${long}
  anna buy ETHUSDT 1 @ 3000
  ben sell ETHUSDT 1 @ 3000
  anna trigger sell close STOP_MARKET stop 59000 id c
  anna trigger sell close ETHUSDT STOP_MARKET stop 2900 id e
  ben buy 0.3 @ 60000
  anna sell 0.3 @ 60000
  anna has position -0.2
  anna trigger c status EXPIRED
  anna trigger e status NEW
  anna trigger buy close STOP_MARKET stop 61000 id c -> NEW
  `,
);

scenario(
  'TRG-2 TRG-2a TRG-3 when two closePosition triggers fire at one tick, the second expires',
  `
  ${long}
  ben buy 1 @ 58900
  anna trigger sell close STOP_MARKET stop 59000 id first
  anna trigger sell close STOP_MARKET stop 59000 id second
  anna trigger sell close STOP_MARKET stop 58000 id third
  index 59000
  anna trigger first status FINISHED
  anna trigger second status EXPIRED fired never
  anna trigger third status EXPIRED
  anna has position 0
  `,
);

scenario(
  'TRG-2 TRG-3 an order whose tentative execution was undone expires no closePosition',
  `
  ${long}
  anna trigger sell close STOP_MARKET stop 59000 id c
  ben buy 0.1 @ 60000
  # It would close the position and more, but cannot fill whole.
  anna sell 0.2 @ 60000 FOK -> REJECTED
  anna trigger c status NEW
  `,
);

scenario(
  'TRG-2 TRG-3 closePosition expires with a position of a single lot too, long or short',
  `
  ${start}
  anna buy 0.001 @ 60000
  ben sell 0.001 @ 60000
  anna trigger sell close STOP_MARKET stop 59000 id a
  ben trigger buy close STOP_MARKET stop 61000 id b
  ben buy 0.001 @ 60000 id bid
  anna sell 0.002 @ 60000 FOK -> REJECTED
  ben cancel bid
  anna sell 0.001 @ 60000 id ask
  ben buy 0.002 @ 60000 FOK -> REJECTED
  anna trigger a status NEW
  ben trigger b status NEW
  `,
);

test('TRG-2 SYM-2 when a market is settled its waiting triggers expire, and those of other markets wait on', () => {
  const world = play(createWorld(), start);
  play(
    world,
    `
    anna trigger sell 0.1 TRAILING_STOP_MARKET callback 1 algo id a
    ben trigger sell 0.1 STOP_MARKET stop 59000 algo id b
    anna trigger buy 0.1 STOP_MARKET stop 61000 id c
    anna trigger sell 1 ETHUSDT STOP_MARKET stop 2900 id e
    change status CLOSE deliveryTime 1760000040000
    after 60000
    index 60000
    anna trigger a status EXPIRED
    ben trigger b status EXPIRED
    anna trigger c status EXPIRED
    anna triggers e
    `,
  );
  // By number, whatever their kind.
  const ended = world.events.flatMap((event) =>
    event.kind === 'triggerEnded' ? [event.trigger.clientOrderId] : [],
  );
  // By account, then by number (SYM-2b).
  expect(ended).toEqual(['a', 'c', 'b']);
});
