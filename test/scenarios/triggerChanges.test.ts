// TRG-9: a waiting trigger gets new prices or a new quantity.

import { expect, test } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import type { TriggerModified } from '../../src/engine/event.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import type { MarketId, Ticks, Time } from '../../src/units/units.ts';
import { stopCommand } from '../fixtures/orderCommands.ts';
import { play, scenario } from './scenario.ts';
import { triggerOf } from './triggerWords.ts';
import { accountOf, createWorld } from './world.ts';

const start = `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  credit mm 1000000
  index 60000
`;

scenario(
  'TRG-9 a changed trigger keeps its id and fires at its new price, with its new quantity',
  `${start}
  mm buy 1 @ 58900
  anna trigger sell 0.1 STOP stop 59500 @ 59400 id s -> NEW
  anna modifyTrigger s stop 59000 @ 58900 quantity 0.2 -> NEW
  anna trigger s status NEW stop 59000 price 58900 quantity 0.2 route order
  anna triggers s
  index 59500
  anna trigger s status NEW
  index 59000
  anna trigger s status FINISHED order same
  anna has position -0.2
  events triggerPlaced 1 triggerModified 1 triggerFired 1 triggerEnded 1
`,
);

scenario(
  'TRG-9 what is not sent stays as it is',
  `${start}
  anna trigger buy 0.1 TAKE_PROFIT stop 59000 @ 59100 id t algo gtd 600000
  anna modifyTrigger t @ 58000
  anna trigger t stop 59000 price 58000 quantity 0.1 mark 60000
  anna modifyTrigger t quantity 0.3
  anna trigger t stop 59000 price 58000 quantity 0.3
  after 600000
  anna trigger t status EXPIRED
`,
);

scenario(
  'TRG-9 FUND-3 at one price a changed trigger stands behind older ones, even without a change',
  `${start}
  anna trigger buy 0.1 STOP_MARKET stop 61000 id a
  ben trigger buy 0.1 STOP_MARKET stop 61000 id b
  anna modifyTrigger a stop 61000
  mm sell 0.1 @ 61000
  index 61000
  ben has position 0.1
  anna has position 0
`,
);

scenario(
  'TRG-9 wouldTrigger: the new condition already holds, and the trigger waits on as before',
  `${start}
  anna trigger sell 0.1 STOP_MARKET stop 59000 id s
  anna modifyTrigger s stop 60000 -> wouldTrigger
  anna modifyTrigger s stop 60000.1 -> wouldTrigger
  anna trigger s status NEW stop 59000
  anna modifyTrigger s stop 59999.9 -> NEW
`,
);

scenario(
  'TRG-9 every check of placing: size, market, position, equity',
  `${start}
  anna trigger sell 0.1 STOP_MARKET stop 59000 id s
  anna modifyTrigger s quantity 0 -> quantityBelowLot
  anna modifyTrigger s quantity 100 -> notionalAboveMax
  anna modifyTrigger s quantity 0.001 stop 100 -> notionalBelowMin
  ben buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  ben trigger sell 0.1 STOP_MARKET stop 59000 reduceOnly id r
  ben modifyTrigger r stop 58000 -> NEW
  ben sell 0.1 @ 60000
  mm buy 0.1 @ 60000
  ben modifyTrigger r stop 57000 -> reduceOnlyRejected
  ben trigger r stop 58000
  change status CLOSE
  anna modifyTrigger s stop 58000 -> marketReduceOnly
  change status HALT
  anna modifyTrigger s stop 58000 -> marketHalted
  anna trigger s stop 59000 quantity 0.1
`,
);

scenario(
  'TRG-9 TRG-7 equityInsufficient: the equity must support what waits, the changed one included',
  `${start}
  credit carl 60
  carl buy 0.01 @ 60000
  mm sell 0.01 @ 60000
  carl trigger buy 0.001 STOP_MARKET stop 61000 id one
  carl trigger buy 0.001 STOP_MARKET stop 61000 id two
  carl trigger sell 0.01 STOP_MARKET stop 55000 reduceOnly id guard
  drift 56035
  carl modifyTrigger one stop 61500 -> NEW
  drift 56000
  carl modifyTrigger one stop 62000 -> equityInsufficient 20000000
  carl trigger one stop 61500
  carl modifyTrigger guard stop 55500 -> NEW
`,
);

scenario(
  'TRG-9 TRG-4 a trailing trigger keeps its extreme; a callback that the mark has passed is refused',
  `${start}
  anna trigger sell 0.1 TRAILING_STOP_MARKET callback 2 id t algo
  index 61000
  anna trigger t extreme 61000
  index 60400
  anna modifyTrigger t callback 0.5 -> wouldTrigger
  anna modifyTrigger t callback 11 -> callbackRateInvalid
  anna modifyTrigger t callback 1.5 quantity 0.2 -> NEW
  anna trigger t callback 1.5 quantity 0.2 extreme 61000
  mm buy 1 @ 59000
  index 60085.1
  anna trigger t status NEW
  index 60085
  anna trigger t status FINISHED
  anna has position -0.2
`,
);

scenario(
  'TRG-9 TRG-3 a closePosition trigger is changed at its stop alone and still ends with its position',
  `${start}
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
  anna trigger sell close STOP_MARKET stop 59000 id s
  anna modifyTrigger s stop 58000
  anna trigger s stop 58000 status NEW
  anna sell 0.1 @ 60000
  mm buy 0.1 @ 60000
  anna trigger s status EXPIRED
`,
);

scenario(
  'TRG-9 TRG-8 one that was tried and finds no margin waits anew for its new price',
  `
  market ETHUSDT
  market BTCUSDT
  credit anna 1450
  credit mm 1000000
  index 3000 ETHUSDT
  index 60000 BTCUSDT
  anna leverage 50 ETHUSDT
  anna leverage 50 BTCUSDT
  anna buy 1 @ 3000 ETHUSDT
  mm sell 1 @ 3000 ETHUSDT
  anna buy 0.2 @ 60000 BTCUSDT
  mm sell 0.2 @ 60000 BTCUSDT
  mm buy 1 @ 2813 ETHUSDT
  anna trigger sell close STOP_MARKET stop 2900 id s ETHUSDT
  after 6000
  index 2900 ETHUSDT
  anna trigger s status NEW failure marginInsufficient
  anna modifyTrigger s stop 2900 ETHUSDT -> wouldTrigger
  anna modifyTrigger s stop 2850 ETHUSDT -> NEW
  anna trigger s status NEW failure none stop 2850
`,
);

scenario(
  'TRG-9 orderNotFound: it never was, has fired or ended, or belongs to another account',
  `${start}
  anna modifyTrigger s stop 59000 -> orderNotFound
  anna trigger sell 0.1 STOP_MARKET stop 59000 id s algo
  ben modifyTrigger s stop 58000 -> orderNotFound
  anna cancelTrigger s
  anna modifyTrigger s stop 58000 -> orderNotFound
`,
);

scenario(
  'TRG-2 ORD-13 one cancel ends the orders, or the triggers of both routes, of every market',
  `
  market BTCUSDT
  market ETHUSDT
  credit anna 10000
  index 60000 BTCUSDT
  index 3000 ETHUSDT
  anna buy 0.1 @ 59000 BTCUSDT
  anna buy 1 @ 2900 ETHUSDT
  anna trigger buy 0.1 STOP_MARKET stop 61000 id a BTCUSDT
  anna trigger buy 1 STOP_MARKET stop 3100 id b algo ETHUSDT
  anna trigger buy 1 STOP_MARKET stop 3100 id c ETHUSDT
  anna cancelAll every -> cancelled 4
  anna triggers b
  anna trigger buy 0.1 STOP_MARKET stop 61000 id a BTCUSDT
  anna cancelTriggers every -> cancelled 2
  anna triggers
  anna has orders 0
`,
);

test('TRG-9 a due trigger that is changed leaves its turn, also after a restore', () => {
  // 1,001 triggers of one price are due at once: the last one waits for the next tick (TRG-6).
  const world = play(createWorld(), start);
  const { exchange } = world;
  for (let i = 0; i < 6; i += 1) play(world, `credit crowd${i} 100000`);
  for (let i = 0; i < 1100; i += 1) {
    const account = accountOf(world, `crowd${i % 6}`).id;
    const stop = { account, market: 0, side: 1, lots: 1, stopTicks: 610_000 } as const;
    applyCommand(exchange, stopCommand({ ...stop, clientOrderId: `t${i}` }), 0 as Time);
  }
  play(world, 'index 61000');
  expect(triggerOf(world, 'crowd1', 't1099').status).toBe('NEW');
  play(world, 'crowd1 modifyTrigger t1099 stop 61500');
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => sections.push(Buffer.from(section)));
  const restored = decodeSnapshot(sections);
  expect(stateHash(restored)).toBe(stateHash(exchange));
  play(world, 'index 61000\nindex 61000');
  expect(triggerOf(world, 'crowd1', 't1099').status).toBe('NEW');
  expect(exchange.triggers.size).toBe(1);
  play(world, 'index 61500');
  expect(triggerOf(world, 'crowd1', 't1099').status).toBe('FINISHED');
});

test('TRG-9 the event carries the trigger with its new terms', () => {
  const world = play(createWorld(), `${start}\nanna trigger sell 0.1 STOP_MARKET stop 59000 id s`);
  const { exchange } = world;
  const { id, createdAt } = triggerOf(world, 'anna', 's');
  exchange.events = [];
  const kept = { lots: undefined, ticks: undefined, callbackRate: undefined };
  const outcome = applyCommand(
    exchange,
    {
      kind: 'modifyTrigger',
      account: accountOf(world, 'anna').id,
      market: 0 as MarketId,
      order: { id, createdAt },
      ...kept,
      stopTicks: 580_000 as Ticks,
    },
    0 as Time,
  );
  expect(outcome).toMatchObject({ kind: 'accepted', trigger: { id, stopTicks: 580_000 } });
  const [event] = exchange.events as unknown as readonly TriggerModified[];
  expect(event).toMatchObject({ kind: 'triggerModified', trigger: { id, stopTicks: 580_000 } });
});
