// The meaning of each setting, with its unit: the words of `evermark start --help`. config.ts has
// the accepted values of a setting, and its default.

import type { Config } from './config.ts';

export const settingMeanings: Readonly<Record<keyof Config, string>> = {
  data: 'directory of log, snapshots, history, secret store and secrets',
  chain: 'id of the chain: 43114, 42161, 56 (mainnets), 43113, 421614 (testnets); never changes',
  host: 'address where clients come',
  port: 'TCP port where clients come; 0 takes a free one',
  operatorHost: 'address where the operator comes; keep it on this machine',
  operatorPort: 'TCP port where the operator comes; 0 takes a free one',
  feed: 'own prices: sim, manual or replay:SYMBOL=FILE,…; only manual on a mainnet',
  feedSpeed: 'seconds of a recording that pass in one second',
  feedSeed: 'whole number; the same one gives the same simulated prices',
  sources: 'JSON file with external index sources; without it the exchange contacts none',
  marketMaker: 'whether the house quotes every market; the crowd needs it; testnets only',
  demo: 'whether a testnet has a demo account, a crowd and money in the insurance fund',
  faucet: 'USDT that a wallet of a testnet gets once a day; 0: none; demo: 10000 with a demo',
  markets: 'JSON file with records of markets to list at the start',
  trustedProxies: 'IP addresses, with commas, whose X-Forwarded-For is believed',
  metricsFrom: 'networks, with commas, whose clients are served /metrics; none: only the operator',
  operatorToken: '16 to 256 characters that open the operator’s surface; made if not given',
  masterKey: '64 hex digits that seal the secret store; made if not given',
  jwtSecret: '32 to 1024 characters that sign logins; made if not given',
  logLevel: 'the least important lines of the journal: trace, debug, info, warn, error, silent',
  rateLimitScale: 'factor of every rate limit; only for measuring',
  snapshotEvery: 'commands between two snapshots',
  freeDiskMin: 'megabytes of free disk below which new orders are refused',
  segmentSize: 'megabytes of one file of the log',
  archiveLog: 'whether files of the log that no start needs are compressed',
  cluster: 'postgres://HOST:PORT/DATABASE, several with commas, that hold the log; else files',
  replicatedStorage: 'the storage of these servers is itself replicated: no standby is needed',
  linkHost: 'address where the other processes on the same log reach this one',
  linkPort: 'TCP port for these processes; 0 takes a free one',
  databaseUrl: 'postgres://USER:PASSWORD@HOST:PORT/DATABASE for history; else a file in --data',
  heapSize: 'megabytes of memory for trading; 0 takes 40 % of the machine’s memory',
  workers: 'threads that speak HTTP with clients; 0: the trading thread does. Linux only',
};
