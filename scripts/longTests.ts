// The test files that take longest: simulated runs, recorded crashes, kills of the whole program,
// damaged directories, worker threads, most stock clients, databases that fail, clusters.
// `npm test` leaves them out, `npm run test:long` runs them. `npm run test:page` runs those that
// need a browser.

export const longTests: readonly string[] = [
  'test/bin/descriptors.test.ts',
  'test/clients/deployments.test.ts',
  'test/clients/stockCopies.test.ts',
  'test/clients/stockErrors.test.ts',
  'test/clients/stockHistory.test.ts',
  'test/clients/stockRisk.test.ts',
  'test/clients/stockStreams.test.ts',
  'test/clients/stockTrading.test.ts',
  'test/clients/stockTriggers.test.ts',
  'test/fuzz/costFinds.test.ts',
  'test/gateway/workers/program.test.ts',
  'test/gateway/workers/workers.test.ts',
  'test/history/crashDayHistory.test.ts',
  'test/history/postgresFailures.test.ts',
  'test/history/programHistory.test.ts',
  'test/history/projectorCrashDay.test.ts',
  'test/log/everyCrash.test.ts',
  'test/log/postgres/clusterSeeds.test.ts',
  'test/log/tryDamage.test.ts',
  'test/maker/crowd.test.ts',
  'test/packages/client.test.ts',
  'test/packages/documentTools.test.ts',
  'test/packages/gettingStarted.test.ts',
  'test/recovery/access.test.ts',
  'test/recovery/disconnect.test.ts',
  'test/recovery/kill.test.ts',
  'test/recovery/program.test.ts',
  'test/recovery/risk.test.ts',
  'test/recovery/upgrade.test.ts',
  'test/replica/upgrade.test.ts',
  'test/sim/attackSearch.test.ts',
  'test/sim/crashDay.test.ts',
  'test/sim/lifeSeeds.test.ts',
];

/** In a real browser (Chromium). */
export const pageTests: readonly string[] = [
  'test/page/account.test.ts',
  'test/page/bookReconnects.test.ts',
  'test/page/disconnect.test.ts',
  'test/page/documents.test.ts',
  'test/page/openOrders.test.ts',
  'test/page/opening.test.ts',
  'test/page/orderTypes.test.ts',
  'test/page/pictures.test.ts',
  'test/page/screens.test.ts',
  'test/page/trading.test.ts',
];
