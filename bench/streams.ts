// What streams cost: how long after the answer to a durable order its private stream reports it,
// the memory of idle sockets, and the effect of one market's depth for a thousand readers on
// orders. The load and the readers are separate processes (gatewayLoad.ts, streamReaders.ts).

import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createClient } from '../src/client/createClient.ts';
import { quietFlags, type RunningServer, startServer } from '../test/fixtures/startServer.ts';
import { createTemporaryDirectory } from '../test/fixtures/temporaryDirectory.ts';
import { askOnce, askProcess, forkHere } from './childProcess.ts';
import type { LoadPlan, LoadResult } from './gatewayLoad.ts';
import { type BenchAccount, makeRequests, openAccounts, symbol } from './orderRequests.ts';
import { readNumbers } from './readNumbers.ts';
import {
  check,
  grouped,
  median,
  percentile,
  percentiles,
  say,
  sayConditions,
  sayResult,
} from './report.ts';
import type { CrowdCount, Heard, PrivatePlan, ReaderPlan } from './streamReaders.ts';

const connections = 64;
/** Seconds of the private round whose figures do not count. */
const warmSeconds = 2;

type Options = {
  seconds: number;
  rounds: number;
  accounts: number;
  /** Orders a second while private streams are timed. */
  rate: number;
  idle: number;
  readers: number;
  /** Orders a second while readers receive depth. */
  'depth-rate': number;
};

function readOptions(args: readonly string[]): Options {
  const options = readNumbers('streams', args, {
    seconds: 8,
    rounds: 5,
    accounts: 32,
    rate: 2000,
    idle: 5000,
    readers: 1000,
    'depth-rate': 500,
  });
  check(options.seconds <= 25, 'a round is at most 25 seconds: timestamps are made before it');
  return options;
}

/** Prints everything; fails when an answer or a count is wrong. */
export async function runStreamsBench(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  sayConditions('streams', {
    seconds: `${options.seconds} a round`,
    server: 'the whole program: gateway, engine, log on files with fdatasync, archivist',
    load: `signed orders by plan over ${connections} connections of one other process`,
    private: `${options.accounts} accounts, half by the channel account, half by listen key, read by a third process; ${options.rate} orders/s`,
    idle: `${options.idle} sockets, each subscribed to a channel that says nothing`,
    depth: `${options.readers} readers of one depth; ${options['depth-rate']} orders/s; ${options.rounds} rounds with and without, in turn`,
    clock: 'of private streams the monotonic clock of the machine, the same in every process',
  });
  const idle = await inServer((server) => measureIdle(server, options));
  const timed = await inServer((server) => measurePrivate(server, options));
  const depth = await inServer((server) => measureDepth(server, options));
  sayResult({ bench: 'streams', ...timed, ...idle, ...depth });
}

async function inServer<T>(measure: (server: RunningServer) => Promise<T>): Promise<T> {
  using directory = createTemporaryDirectory();
  const server = await startServer({
    data: directory.path,
    flags: [...quietFlags, '--rate-limit-scale', '1000000'],
  });
  try {
    const measured = await measure(server);
    const { ok, failures } = await server.operator.getInvariants();
    check(ok, failures.join('; '));
    return measured;
  } finally {
    await server.stop();
  }
}

/** Runs the readers' process as long as the work takes. */
export async function withReaders<T>(work: (ask: AskReaders) => Promise<T>): Promise<T> {
  const child: ChildProcess = forkHere('streamReaders.ts');
  try {
    return await work(<Answer>(plan: ReaderPlan) => askProcess<Answer>(child, plan));
  } finally {
    child.kill();
  }
}

export type AskReaders = <Answer>(plan: ReaderPlan) => Promise<Answer>;

const wsOf = ({ http }: RunningServer): string => http.replace('http:', 'ws:');
const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));

/**
 * Planned orders; with `stamps` order n has the name `b<n>`, and the time of its answer is
 * reported.
 */
export async function sendOrders(
  server: RunningServer,
  accounts: readonly BenchAccount[],
  plan: { readonly rate: number; readonly seconds: number; readonly stamps: boolean },
): Promise<LoadResult> {
  const { rate, seconds, stamps } = plan;
  const count = stamps ? Math.ceil(rate * seconds * 1.2) : 4096;
  const keys = accounts.map(({ key }) => key);
  const result = await askOnce<LoadPlan, LoadResult>('gatewayLoad.ts', {
    port: server.port,
    connections,
    milliseconds: seconds * 1000,
    rate,
    requests: makeRequests(keys, count, stamps),
    stamps,
  });
  const { answered, accepted, refusal, milliseconds } = result;
  check(accepted === answered, `${answered - accepted} orders were refused, one so: ${refusal}`);
  const reached = (answered * 1000) / milliseconds;
  if (reached < rate * 0.9)
    say(`the machine was too busy: ${grouped(reached)} of ${rate} orders/s`);
  return result;
}

/** A stream for each account: every other one by listen key. */
export async function privatePlan(
  server: RunningServer,
  accounts: readonly BenchAccount[],
): Promise<PrivatePlan> {
  const streams = accounts.map(async ({ key, token }, index) => {
    if (index % 2 === 0) {
      const says = [
        { type: 'auth', token },
        { type: 'subscribe', channel: 'account' },
      ];
      return { address: `${wsOf(server)}/ws`, says: says.map((each) => JSON.stringify(each)) };
    }
    const [apiKey, secretKey] = key;
    const { fapi } = createClient({ baseUrl: server.http, apiKey, secretKey });
    const { listenKey } = await fapi.startListenKey();
    return { address: `${wsOf(server)}/ws/${listenKey}`, says: [] };
  });
  return { do: 'private', streams: await Promise.all(streams) };
}

async function measurePrivate(server: RunningServer, options: Options): Promise<object> {
  const accounts = await openAccounts(server, options.accounts);
  return await withReaders(async (ask) => {
    await ask(await privatePlan(server, accounts));
    const seconds = options.seconds + warmSeconds;
    const cpuBeforeMs = tradingThreadMs(server);
    const sent = await sendOrders(server, accounts, { rate: options.rate, seconds, stamps: true });
    const cpuMs = tradingThreadMs(server) - cpuBeforeMs;
    await new Promise((resolve) => setTimeout(resolve, 500));
    const heard = await ask<Heard>({ do: 'heard' });
    const behind: number[] = [];
    for (let n = options.rate * warmSeconds; n < sent.answeredAt.length; n += 1) {
      const answeredAt = sent.answeredAt[n];
      // The load ended before the answer came.
      if (answeredAt === undefined || answeredAt === null) continue;
      const heardAt = heard[n];
      check(typeof heardAt === 'number', `no private stream told of order b${n}`);
      behind.push((heardAt - answeredAt) / 1e6);
    }
    const { latencies } = sent;
    say(`private streams behind the answer: ${percentiles(behind, 'ms')}`);
    const { messages } = await figuresOf(server);
    say(`  ${grouped(sent.answered)} orders, every one heard of; ${grouped(messages)} messages`);
    say(`  the trading thread: ${((cpuMs * 1000) / sent.answered).toFixed(0)} µs an order`);
    say(`  the answer behind its plan: ${percentiles(latencies, 'ms')}`);
    return {
      private_orders_per_s: Math.round((sent.answered * 1000) / sent.milliseconds),
      private_p50_ms: rounded(percentile(behind, 0.5)),
      private_p99_ms: rounded(percentile(behind, 0.99)),
      answer_p50_ms: rounded(percentile(latencies, 0.5)),
      answer_p99_ms: rounded(percentile(latencies, 0.99)),
    };
  });
}

/** The memory that the operating system counts for the process. */
export function residentMegabytes({ pid }: RunningServer): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

async function measureIdle(server: RunningServer, options: Options): Promise<object> {
  await server.operator.setIndexPrice({ symbol, price: '60000' });
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5000));
  return await withReaders(async (ask) => {
    await settle();
    const before = residentMegabytes(server);
    await ask({
      do: 'crowd',
      port: server.port,
      path: '/ws',
      sockets: options.idle,
      says: `{"type":"subscribe","channel":"trades:${symbol}"}`,
    });
    await settle();
    const after = residentMegabytes(server);
    const figures = await figuresOf(server);
    check(figures.readers === options.idle, `${figures.readers} sockets are open`);
    check(figures.subscriptions === options.idle, `${figures.subscriptions} are subscribed`);
    const taken = after - before;
    say(`${grouped(options.idle)} idle sockets: ${taken.toFixed(0)} MB resident`);
    say(
      `  from ${before.toFixed(0)} to ${after.toFixed(0)} MB, ${((taken * 1024) / options.idle).toFixed(1)} kB each`,
    );
    return { idle_sockets_mb: rounded(taken, 0) };
  });
}

type Figures = Readonly<Record<'readers' | 'subscriptions' | 'messages' | 'sends', number>>;

async function figuresOf({ http }: RunningServer): Promise<Figures> {
  const text = await (await fetch(`${http}/metrics`)).text();
  const read = (name: string): number =>
    Number(new RegExp(`^evermark_stream_${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return {
    readers: read('readers'),
    subscriptions: read('subscriptions'),
    messages: read('messages_total'),
    sends: read('sends_total'),
  };
}

type Latency = { readonly mean: number; readonly p50: number; readonly p99: number };

function latencyOf({ latencies }: LoadResult): Latency {
  return {
    mean: latencies.reduce((sum, each) => sum + each, 0) / latencies.length,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  };
}

/** Processor time that the trading thread has used, in milliseconds; steps of ten. */
function tradingThreadMs({ pid }: RunningServer): number {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

type DepthRound = {
  readonly messages: number;
  readonly sends: number;
  readonly received: number;
  /** Of the trading thread. */
  readonly cpuMs: number;
};

/** One round of orders while the crowd reads; every message goes to each reader once. */
async function depthRound(
  server: RunningServer,
  ask: AskReaders,
  send: () => Promise<LoadResult>,
): Promise<{ readonly latency: Latency; readonly counted: DepthRound }> {
  const read = async (): Promise<Figures & CrowdCount & { readonly cpuMs: number }> => {
    for (let sent = -1, tries = 0; ; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      const figures = await figuresOf(server);
      const counted = await ask<CrowdCount>({ do: 'count' });
      const cpuMs = tradingThreadMs(server);
      if (figures.sends === sent || tries === 20) return { ...figures, ...counted, cpuMs };
      sent = figures.sends;
    }
  };
  const before = await read();
  const latency = latencyOf(await send());
  const after = await read();
  check(after.readers === before.readers, `${before.readers - after.readers} readers were lost`);
  const counted = {
    messages: after.messages - before.messages,
    sends: after.sends - before.sends,
    received: after.frames - before.frames,
    cpuMs: after.cpuMs - before.cpuMs,
  };
  return { latency, counted };
}

async function measureDepth(server: RunningServer, options: Options): Promise<object> {
  const accounts = await openAccounts(server, options.accounts);
  const plan = { rate: options['depth-rate'], seconds: options.seconds, stamps: false };
  const send = (): Promise<LoadResult> => sendOrders(server, accounts, plan);
  await send();
  const without: Latency[] = [];
  const withReading: Latency[] = [];
  const counted = { messages: 0, sends: 0, received: 0, cpuMs: 0 };
  let cpuWithoutMs = 0;
  for (let round = 0; round < options.rounds; round += 1) {
    const cpuBeforeMs = tradingThreadMs(server);
    without.push(latencyOf(await send()));
    cpuWithoutMs += tradingThreadMs(server) - cpuBeforeMs;
    await withReaders(async (ask) => {
      const says = `{"type":"subscribe","channel":"depth:${symbol}"}`;
      const crowd = { port: server.port, path: '/ws', sockets: options.readers, says };
      await ask({ do: 'crowd', ...crowd });
      const done = await depthRound(server, ask, send);
      withReading.push(done.latency);
      for (const name of ['messages', 'sends', 'received', 'cpuMs'] as const)
        counted[name] += done.counted[name];
    });
  }
  const perSecond = counted.messages / (options.rounds * options.seconds);
  check(
    counted.sends === counted.messages * options.readers,
    'each message was sent to each reader',
  );
  check(counted.received === counted.sends, `${counted.received} frames came of ${counted.sends}`);
  check(perSecond > 8, `there were ${perSecond} updates a second`);
  const slower = (of: keyof Latency): number =>
    median(withReading.map((each) => each[of])) / median(without.map((each) => each[of])) - 1;
  for (const [name, rounds] of [
    ['without readers', without],
    ['with readers', withReading],
  ] as const) {
    const texts = rounds.map(
      ({ mean, p50, p99 }) => `${mean.toFixed(2)}/${p50.toFixed(2)}/${p99.toFixed(2)}`,
    );
    say(`orders ${name}, mean/p50/p99 ms: ${texts.join(', ')}`);
  }
  say(
    `  ${grouped(counted.messages)} messages serialised, ${grouped(counted.sends)} sent and received`,
  );
  const perSendUs = ((counted.cpuMs - cpuWithoutMs) * 1000) / counted.sends;
  say(`  the trading thread: ${cpuWithoutMs} ms without, ${counted.cpuMs} ms with`);
  say(`  ${perSendUs.toFixed(2)} µs for each that was sent`);
  return {
    depth_updates_per_s: rounded(perSecond, 1),
    sends_per_serialisation: counted.sends / counted.messages,
    send_cpu_us: rounded(perSendUs),
    depth_mean_slower: rounded(slower('mean'), 3),
    depth_p50_slower: rounded(slower('p50'), 3),
    depth_p99_slower: rounded(slower('p99'), 3),
  };
}
