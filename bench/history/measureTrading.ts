// What history costs trading, and how far it falls behind: the whole program under the gateway's
// closed loop, with history in SQLite, in PostgreSQL, and without history. Without history its
// database is an address where no server listens, so no row is made.

import { setTimeout as wait } from 'node:timers/promises';
import { quietFlags, type RunningServer, startServer } from '../../test/fixtures/startServer.ts';
import { createTemporaryDirectory } from '../../test/fixtures/temporaryDirectory.ts';
import { askOnce } from '../childProcess.ts';
import type { LoadPlan, LoadResult } from '../gatewayLoad.ts';
import { type Key, makeRequests, openAccounts } from '../orderRequests.ts';
import { check, grouped, median, say } from '../report.ts';

export type Trading = {
  readonly databaseUrl: () => Promise<string>;
  /** Seconds of one load. The lag is measured over `loads` of them without a pause. */
  readonly seconds: number;
  readonly loads: number;
  readonly rounds: number;
};

type Kind = 'sqlite' | 'postgres' | 'off';
const kinds: readonly Kind[] = ['off', 'sqlite', 'postgres'];
const nobody = 'postgres://nobody@127.0.0.1:9/nothing';
const accounts = 64;
const connections = 64;
/** Made before a load begins; when they are used up, they are sent again from the first. */
const requestsMade = 8192;
const pollMs = 250;
const catchUpMsMax = 600_000;
const flags = [...quietFlags, '--log-level', 'error'];
flags.push('--rate-limit-scale', '1000000');

export type TradingFigures = Readonly<Record<string, number>>;

/** Orders per second of each kind, in turn, and how history follows a long load. */
export async function measureTrading(trading: Trading): Promise<TradingFigures> {
  const loads: Record<Kind, Load[]> = { off: [], sqlite: [], postgres: [] };
  for (let round = 0; round < trading.rounds; round += 1) {
    for (const kind of kinds) {
      loads[kind].push(await withServer(trading, kind, (server) => loadOnce(server, trading)));
    }
  }
  const rateOf = (kind: Kind): number => median(loads[kind].map(({ rate }) => rate));
  const cpuOf = (kind: Kind): number => median(loads[kind].map(({ cpu }) => cpu));
  for (const kind of kinds) {
    const rates = loads[kind].map(({ rate }) => grouped(rate)).join(', ');
    say(`history ${kind}: ${rates} orders/s, ${cpuOf(kind).toFixed(0)} µs of processors each`);
  }
  const lags = {
    ...(await withServer(trading, 'sqlite', (server) => measureLag(server, trading, 'sqlite'))),
    ...(await withServer(trading, 'postgres', (server) => measureLag(server, trading, 'postgres'))),
  };
  return {
    orders_per_s_off: Math.round(rateOf('off')),
    sqlite_ratio: Number((rateOf('sqlite') / rateOf('off')).toFixed(3)),
    postgres_ratio: Number((rateOf('postgres') / rateOf('off')).toFixed(3)),
    cpu_us_off: Math.round(cpuOf('off')),
    cpu_us_sqlite: Math.round(cpuOf('sqlite')),
    cpu_us_postgres: Math.round(cpuOf('postgres')),
    ...lags,
  };
}

async function withServer<T>(
  { databaseUrl }: Trading,
  kind: Kind,
  measure: (server: Loaded) => Promise<T>,
): Promise<T> {
  using directory = createTemporaryDirectory();
  const url = kind === 'off' ? nobody : await databaseUrl();
  const environment: Record<string, string> = kind === 'sqlite' ? {} : { DATABASE_URL: url };
  const server = await startServer({ data: directory.path, flags, environment });
  try {
    const keys = (await openAccounts(server, accounts)).map(({ key }) => key);
    return await measure({ server, keys });
  } finally {
    await server.stop();
  }
}

type Loaded = {
  readonly server: RunningServer;
  readonly keys: readonly Key[];
};

/** Orders per second, and microseconds of the server's processor time for each. */
type Load = { readonly rate: number; readonly cpu: number };

async function cpuSeconds({ http }: RunningServer): Promise<number> {
  const text = await (await fetch(`${http}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
}

async function load({ server, keys }: Loaded, seconds: number): Promise<Load> {
  const before = await cpuSeconds(server);
  const { answered, accepted, milliseconds, refusal } = await askOnce<LoadPlan, LoadResult>(
    'gatewayLoad.ts',
    {
      port: server.port,
      connections,
      milliseconds: seconds * 1000,
      rate: 0,
      stamps: false,
      requests: makeRequests(keys, requestsMade),
    },
  );
  check(answered > 0 && accepted === answered, `an order was refused: ${refusal}`);
  const cpu = (((await cpuSeconds(server)) - before) * 1_000_000) / answered;
  return { rate: (answered * 1000) / milliseconds, cpu };
}

/** The second of two loads: the first one warms the program. */
async function loadOnce(loaded: Loaded, { seconds }: Trading): Promise<Load> {
  await load(loaded, seconds);
  return load(loaded, seconds);
}

type Lag = { readonly batches: number; readonly seconds: number; readonly rows: number };

async function lagOf({ http }: RunningServer): Promise<Lag> {
  const text = await (await fetch(`${http}/metrics`)).text();
  const lines = new Map(text.split('\n').map((line) => line.split(' ') as [string, string]));
  const metric = (name: string): number => Number(lines.get(`evermark_${name}`));
  return {
    batches: metric('reader_lag_batches{reader="history"}'),
    seconds: metric('reader_lag_seconds{reader="history"}'),
    rows: metric('history_rows_total'),
  };
}

async function measureLag(loaded: Loaded, trading: Trading, kind: Kind): Promise<TradingFigures> {
  const { server } = loaded;
  const lags: Lag[] = [];
  let ended = false;
  const watching = (async () => {
    while (!ended) {
      lags.push(await lagOf(server));
      await wait(pollMs);
    }
  })();
  const rates: number[] = [];
  for (let part = 0; part < trading.loads; part += 1) {
    rates.push((await load(loaded, trading.seconds)).rate);
  }
  const begun = performance.now();
  let lag = await lagOf(server);
  while (lag.batches > 0) {
    check(performance.now() - begun < catchUpMsMax, 'history does not catch up');
    await wait(5);
    lag = await lagOf(server);
  }
  const catchUpMs = Math.round(performance.now() - begun);
  ended = true;
  await watching;
  const seconds = lags.map((seen) => seen.seconds);
  say(
    `lag of ${kind} under ${rates.map(grouped).join(', ')} orders/s: median ` +
      `${median(seconds).toFixed(2)} s, worst ${Math.max(...seconds).toFixed(2)} s; ` +
      `${catchUpMs} ms to none after it; ${grouped(lag.rows)} rows`,
  );
  return {
    [`${kind}_lag_median_s`]: Number(median(seconds).toFixed(2)),
    [`${kind}_lag_worst_s`]: Number(Math.max(...seconds).toFixed(2)),
    [`${kind}_catch_up_ms`]: catchUpMs,
  };
}
