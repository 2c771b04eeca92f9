// The views beside the engine's state: fed by timers and commands alike, the same after a restart
// from a snapshot, and the same in every replica of the log.

import { expect, test } from 'vitest';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import { candlesIn } from '../../src/market-data/candles.ts';
import { deleveragingsIn } from '../../src/market-data/deleveragings.ts';
import { forceOrdersOf } from '../../src/market-data/forceOrders.ts';
import { lastTradeId } from '../../src/market-data/recentTrades.ts';
import { countsOf } from '../../src/market-data/riskCounts.ts';
import { rowsInOrder } from '../../src/market-data/rowRing.ts';
import { settledFundingIn } from '../../src/market-data/settledFunding.ts';
import { withdrawalsOf } from '../../src/market-data/withdrawals.ts';
import type { ReplicaState } from '../../src/replica/replicaState.ts';
import { writeSnapshot } from '../../src/replica/snapshotFile.ts';
import { fileDisk } from '../../src/std/disk.ts';
import type { AccountId, MarketId } from '../../src/units/units.ts';
import { openFileReplica, snapshotDirectoryOf } from '../fixtures/fileReplica.ts';
import { riskyAccounts, riskyHour } from '../fixtures/riskyHour.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { viewContents } from '../fixtures/viewContents.ts';

const window = { limit: 1000 };
const accountOf = (name: keyof typeof riskyAccounts) => riskyAccounts[name] as AccountId;

/** What everybody is answered. */
function answers({ exchange, views }: ReplicaState): unknown {
  return [
    viewContents(views),
    deleveragingsIn(views.deleveragings, window),
    settledFundingIn(views.settledFunding, window),
    liveAccounts(exchange).map(({ id }) => [
      forceOrdersOf(views.forceOrders, id, window),
      withdrawalsOf(views.withdrawals, id, window),
    ]),
  ];
}

test('every view gets the events with the time of the batch', async () => {
  using directory = createTemporaryDirectory();
  const trading = await openFileReplica(directory.path);
  await riskyHour(trading);
  expect(trading.fatal).toEqual([]);
  const { views, exchange } = trading.state;
  const statuses = withdrawalsOf(views.withdrawals, accountOf('large'), window);
  expect(statuses.map(({ status }) => status)).toEqual(['completed', 'released']);
  expect(views.withdrawals.pending.size).toBe(exchange.withdrawals.size);
  const ofLarge = [...rowsInOrder(views.endedTriggers)].filter(
    (trigger) => trigger.account === accountOf('large'),
  );
  expect(ofLarge.map(({ clientOrderId, status }) => [clientOrderId, status])).toEqual([
    ['one', 'CANCELED'],
  ]);
  const [settled] = settledFundingIn(views.settledFunding, { ...window, market: 1 as MarketId });
  expect(settled).toMatchObject({ market: 1, mark: 3000 });
  const kinds = new Set(
    liveAccounts(exchange).flatMap(({ id }) =>
      forceOrdersOf(views.forceOrders, id, window).map((row) => row.autoCloseType),
    ),
  );
  expect([...kinds].sort()).toEqual(['ADL', 'LIQUIDATION']);
  for (const row of forceOrdersOf(views.forceOrders, accountOf('small'), window)) {
    expect(row.time).toBeGreaterThan(1_760_000_000_000);
    expect(row.time).toBeLessThanOrEqual(exchange.time);
    expect(row.filled).toBeLessThanOrEqual(row.lots);
  }
  const counts = views.riskCounts.markets.slice(0, 2);
  for (const name of ['liquidations', 'takeovers', 'deleveragings', 'breakerTrips'] as const) {
    expect(counts.reduce((sum, one) => sum + one[name], 0)).toBeGreaterThan(0);
  }
  expect(countsOf(views.riskCounts, 1 as MarketId).indexRefusals).toBe(1);
  // PRC-1, NAT-2a: fills of the exchange's own closing orders are in the candles like other trades.
  expect(counts.reduce((sum, one) => sum + one.liquidations, 0)).toBeGreaterThan(0);
  for (const { id, figures } of exchange.markets) {
    const { candles, recent } = views.markets[id]!;
    const [month] = candlesIn(candles.trade, '1M', { limit: 1 }, exchange.time);
    // ID-1: takeovers and deleveragings have numbers of the same sequence.
    const { takeovers, deleveragings } = countsOf(views.riskCounts, id);
    expect(month?.count ?? 0).toBe(figures.tradeId - takeovers - deleveragings);
    if (month === undefined) continue;
    expect(month.lastId).toBe(lastTradeId(recent));
    expect(month.close).toBe(figures.last);
  }
  const flags = liveAccounts(exchange).filter(({ flagged }) => flagged).length;
  expect(views.riskCounts.flagged).toBe(flags);
  await trading.close();
});

test('a replica that restarts from a snapshot, or from the log alone, gives the same answers', async () => {
  using directory = createTemporaryDirectory();
  const first = await openFileReplica(directory.path);
  await riskyHour(first);
  const place = { disk: fileDisk, directory: snapshotDirectoryOf(directory.path) };
  const replayed = await openAgain(directory.path, first);
  expect(replayed.recovered.snapshot).toBe(0);
  writeSnapshot(place, replayed.state, replayed.replica.head().hash);
  await replayed.trade(3, 400);
  const at = replayed.state.position;
  const restored = await openAgain(directory.path, replayed);
  expect(restored.recovered.snapshot).toBeGreaterThan(0);
  expect(restored.recovered.snapshot).toBeLessThan(at);
  await restored.close();
});

/** Stops the replica and recovers it; its answers must not have changed. */
async function openAgain(
  directory: string,
  running: Awaited<ReturnType<typeof openFileReplica>>,
): ReturnType<typeof openFileReplica> {
  const before = answers(running.state);
  await running.close();
  const again = await openFileReplica(directory);
  expect(answers(again.state)).toEqual(before);
  return again;
}
