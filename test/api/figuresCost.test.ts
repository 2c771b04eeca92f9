// What the figures of an account cost that has positions on very many markets (WS-2, NAT-1).
// Method: every look at one of its positions is counted, not timed, while answers and messages are
// made.

import { expect, test } from 'vitest';
import type { Context } from '../../src/api/deployment.ts';
import { getAccountV2 } from '../../src/api/fapi/getAccountV2.ts';
import { getAccountV3 } from '../../src/api/fapi/getAccountV3.ts';
import { getBalanceV2 } from '../../src/api/fapi/getBalanceV2.ts';
import { positionRiskRows } from '../../src/api/fapi/positionRiskRows.ts';
import { accountRecords } from '../../src/api/native/accountRecords.ts';
import { getNativeAccount } from '../../src/api/native/getNativeAccount.ts';
import { listBalances } from '../../src/api/native/listBalances.ts';
import { listPositions } from '../../src/api/native/listPositions.ts';
import type { Account } from '../../src/engine/account.ts';
import { applyCommand } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { createMarginWatch } from '../../src/streams/fapi/createMarginWatch.ts';
import { createAccountFigures } from '../../src/streams/native/accountFigures.ts';
import { openPositionsOf } from '../../src/streams/openPositionsOf.ts';
import type { StreamContext } from '../../src/streams/streamContext.ts';
import type { MarketId, Ticks, Time } from '../../src/units/units.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { play } from '../scenarios/scenario.ts';
import { accountOf, createWorld, defaultTerms, grids } from '../scenarios/world.ts';

/** An account that is long on this many markets, against another one. */
function holderOfMany(markets: number): { readonly exchange: Exchange; readonly account: Account } {
  const world = play(createWorld(), 'credit anna 10000000\ncredit bert 10000000');
  const { exchange } = world;
  const apply = (command: Command): void => {
    expect(applyCommand(exchange, command, 0 as Time).kind).toBe('accepted');
  };
  for (let number = 0; number < markets; number += 1) {
    const baseAsset = `M${number}`;
    const terms = { ...grids.BTCUSDT!, terms: defaultTerms, status: 'TRADING' } as const;
    apply({ kind: 'listMarket', symbol: `${baseAsset}USDT`, baseAsset, ...terms });
  }
  const { time: observedAt } = exchange;
  const priced = exchange.markets.map(({ id: market }) => {
    return { market, source: 'sim', ticks: 600_000 as Ticks, observedAt };
  });
  apply({ kind: 'indexTick', prices: priced });
  const [anna, bert] = [accountOf(world, 'anna'), accountOf(world, 'bert')];
  for (let market = 0; market < markets; market += 1) {
    const deal = { market: market as MarketId, lots: 10, ticks: 600_000 };
    apply(orderCommand({ ...deal, account: bert.id, side: -1 }));
    apply(orderCommand({ ...deal, account: anna.id, side: 1 }));
  }
  return { exchange, account: anna };
}

/** Counts every read of an element of the account's positions by `work`. */
async function looksAt(account: Account, work: () => unknown): Promise<number> {
  const { positions } = account;
  let looks = 0;
  const counted = new Proxy(positions, {
    get: (target, name, receiver) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) looks += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  Object.assign(account, { positions: counted });
  await work();
  Object.assign(account, { positions });
  return looks;
}

/** Each answer and message with figures of the account. */
async function looksOf(markets: number): Promise<ReadonlyMap<string, number>> {
  const { exchange, account } = holderOfMany(markets);
  const archivist = { adlQuantiles: async () => [] };
  const context = { account, deployment: { exchange, archivist } } as unknown as Context;
  const records = accountRecords(exchange);
  const streams = { exchange, records } as unknown as StreamContext;
  const figures = createAccountFigures(streams, account);
  const none = { symbol: undefined };
  const works: Record<string, () => unknown> = {
    getAccountV2: () => getAccountV2.query(context, {}),
    getAccountV3: () => getAccountV3.query(context, {}),
    getBalanceV2: () => getBalanceV2.query(context, {}),
    getPositionRiskV2: () => positionRiskRows.getPositionRiskV2.query(context, none),
    getNativeAccount: () => getNativeAccount.query(context, {}),
    listBalances: () => listBalances.query(context, {}),
    listPositions: () => listPositions.procedure(context, none),
    'figures of the stream': () => figures.moved(),
    'snapshot of the stream': () => records.positions(account, openPositionsOf(account)),
    'margin call': createMarginWatch(streams, account),
  };
  const looks = new Map<string, number>();
  for (const [name, work] of Object.entries(works)) looks.set(name, await looksAt(account, work));
  return looks;
}

test('WS-2 NAT-1 the figures of an account cost its markets, not their square', async () => {
  const [ten, hundred, most] = [await looksOf(10), await looksOf(100), await looksOf(500)];
  for (const [name, looks] of most) {
    expect(looks, name).toBeGreaterThanOrEqual(500);
    expect(hundred.get(name)! / ten.get(name)!, name).toBeLessThan(10.5);
    expect(looks / hundred.get(name)!, name).toBeLessThan(5.5);
    // Each sum over the account looks at each market once.
    expect(looks / 500, name).toBeLessThan(12);
  }
});
