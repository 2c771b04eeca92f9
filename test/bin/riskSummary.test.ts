// What liquidations and deleveragings close is one line a market and look, however many rows there
// are; a price that jumps is one more.

import { expect, test } from 'vitest';
import { createRiskSummary } from '../../src/bin/createRiskSummary.ts';
import type { Command } from '../../src/engine/command.ts';
import { countsOf } from '../../src/market-data/riskCounts.ts';
import { rememberRow } from '../../src/market-data/rowRing.ts';
import type { Time } from '../../src/units/units.ts';
import { openingCommands } from '../engine/commandStream.ts';
import { createSteppedReplica } from '../fixtures/steppedReplica.ts';

function opened() {
  const { replica, state, clock, send, turn } = createSteppedReplica();
  const observedAt = clock.now() as Time;
  for (const command of openingCommands()) {
    const timely: Command =
      command.kind === 'indexTick'
        ? { ...command, prices: command.prices.map((price) => ({ ...price, observedAt })) }
        : command;
    send('opening', timely);
  }
  turn();
  return { replica, views: state.views };
}

test('LIQ-1 LIQ-4 many closed positions are one line per market, with accounts and notional', () => {
  const { replica, views } = opened();
  let id = 0;
  const close = (account: number, market: number, autoCloseType: 'LIQUIDATION' | 'ADL'): void => {
    const notional = 1_500_000;
    id += 1;
    const row = { id, account, market, side: -1, autoCloseType, ticks: 1, lots: 1, filled: 1 };
    rememberRow(views.forceOrders, { ...row, notional, time: 1 } as never);
  };
  close(3, 0, 'LIQUIDATION');
  const heard: string[] = [];
  const { check } = createRiskSummary({ replica, report: (message) => heard.push(message) });
  check();
  expect(heard).toEqual([]);
  for (let account = 1; account <= 500; account += 1) {
    close(account, 0, 'LIQUIDATION');
    close(account, 0, 'LIQUIDATION');
    close(account, 1, 'ADL');
  }
  check();
  expect(heard.splice(0).sort()).toEqual([
    'BTCUSDT: liquidated 500 accounts in 1000 steps, 1500 USDT',
    'ETHUSDT: deleveraged 500 accounts in 500 steps, 750 USDT',
  ]);
  check();
  expect(heard).toEqual([]);
  countsOf(views.riskCounts, 1 as never).breakerTrips += 1;
  check();
  check();
  expect(heard).toEqual([expect.stringContaining('ETHUSDT: the mark moved more than 10 %')]);
});
