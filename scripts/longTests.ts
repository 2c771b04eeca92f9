// The test files that take longest: simulated runs, recorded crashes, kills of the whole program,
// damaged directories, worker threads, stock clients over hours of streams. `npm test` leaves them
// out, `npm run test:long` runs them.

export const longTests: readonly string[] = [
  'test/clients/stockCopies.test.ts',
  'test/clients/stockStreams.test.ts',
  'test/clients/stockTriggers.test.ts',
  'test/gateway/workers/program.test.ts',
  'test/gateway/workers/workers.test.ts',
  'test/history/crashDayHistory.test.ts',
  'test/history/programHistory.test.ts',
  'test/history/projectorCrashDay.test.ts',
  'test/log/everyCrash.test.ts',
  'test/log/tryDamage.test.ts',
  'test/page/documents.test.ts',
  'test/page/screens.test.ts',
  'test/page/trading.test.ts',
  'test/packages/client.test.ts',
  'test/recovery/kill.test.ts',
  'test/recovery/program.test.ts',
  'test/recovery/risk.test.ts',
  'test/recovery/upgrade.test.ts',
  'test/replica/upgrade.test.ts',
  'test/sim/attackSearch.test.ts',
  'test/sim/crashDay.test.ts',
  'test/sim/lifeSeeds.test.ts',
];
