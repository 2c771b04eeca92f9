// How many durable orders a second the whole program takes over HTTP, against a bare fastify
// server that parses, checks the same HMAC and answers as many bytes; then how long an order takes
// at half of that rate. The load is a process of its own (gatewayLoad.ts).

import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, startServer } from '../test/fixtures/startServer.ts';
import type { BareSetup } from './bareServer.ts';
import { askOnce, askProcess, forkHere } from './childProcess.ts';
import type { LoadPlan, LoadResult } from './gatewayLoad.ts';
import { makeRequests, openAccounts } from './orderRequests.ts';
import { readNumbers } from './readNumbers.ts';
import { check, grouped, median, percentile, say, sayConditions, sayResult } from './report.ts';

const requestsMade = 8192;
/** The HTTP head that the bare server's answer has besides its body, about. */
const bareHeadBytes = 155;

type Options = { seconds: number; rounds: number; connections: number; accounts: number };

function readOptions(args: readonly string[]): Options {
  const options = readNumbers('gateway', args, {
    seconds: 6,
    rounds: 5,
    connections: 64,
    accounts: 64,
  });
  check(options.seconds <= 30, 'a round is at most 30 seconds: timestamps are made before it');
  return options;
}

/** Runs both servers in turn, prints everything, fails when an answer is wrong. */
export async function runGatewayBench(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  sayConditions('gateway', {
    seconds: `${options.seconds} a round, after one that does not count`,
    rounds: `${options.rounds} of each server, in turn`,
    load: `${options.connections} keep-alive connections of one other process, one order out on each`,
    orders: `signed POST /fapi/v1/order, JSON body, LIMIT around the mid, ${options.accounts} accounts`,
    latency: 'open loop at half the durable rate, from planned time to answer, sent within 0.2 ms',
    server: 'the whole program: gateway, engine, log on files with fdatasync, archivist',
    limits: 'every rate limit raised by --rate-limit-scale; all are still counted',
    bare: 'fastify, raw body, the same HMAC function, JSON.parse, an answer of as many bytes',
  });
  const directory = mkdtempSync(join(tmpdir(), 'evermark-bench-'));
  const server = await startServer({
    data: directory,
    flags: ['--feed', 'manual', '--no-market-maker', '--no-demo', '--rate-limit-scale', '1000000'],
  });
  try {
    await measure(server, options);
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(server: RunningServer, options: Options): Promise<void> {
  const accounts = await openAccounts(server, options.accounts);
  const keys = accounts.map(({ key }) => key);
  const port = Number(new URL(server.http).port);
  const closed = {
    connections: options.connections,
    milliseconds: options.seconds * 1000,
    rate: 0,
  };
  const ask = (at: number, plan = closed): Promise<LoadResult> =>
    askOnce<LoadPlan, LoadResult>('gatewayLoad.ts', {
      ...plan,
      port: at,
      stamps: false,
      requests: makeRequests(keys, requestsMade),
    });
  const warm = await ask(port);
  checkLoad(warm);
  const bare = await startBare({ keys, bodyBytes: warm.answerBytes - bareHeadBytes });
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  let orders = warm.answered;
  try {
    checkLoad(await ask(bare.port));
    for (let round = 0; round < options.rounds; round += 1) {
      const ours = await ask(port);
      orders += ours.answered;
      rates.ours.push(rateOf(ours));
      rates.bare.push(rateOf(await ask(bare.port)));
    }
  } finally {
    bare.child.kill();
  }
  const durable = median(rates.ours);
  const bareRate = median(rates.bare);
  say(`durable orders: ${rates.ours.map(grouped).join(', ')} /s`);
  say(`bare fastify: ${rates.bare.map(grouped).join(', ')} /s`);
  const open = await ask(port, { ...closed, rate: durable / 2 });
  orders += open.answered;
  checkLoad(open);
  await checkExchange(server, orders);
  sayLatencies(open, durable / 2);
  sayResult({
    bench: 'gateway',
    orders_per_s: Math.round(durable),
    bare_per_s: Math.round(bareRate),
    ratio: Number((durable / bareRate).toFixed(3)),
    p50_ms: Number(percentile(open.latencies, 0.5).toFixed(2)),
    p99_ms: Number(percentile(open.latencies, 0.99).toFixed(2)),
  });
}

function rateOf(result: LoadResult): number {
  checkLoad(result);
  return (result.answered * 1000) / result.milliseconds;
}

function checkLoad({ answered, accepted, refusal }: LoadResult): void {
  check(answered > 0, 'no order was answered');
  check(accepted === answered, `${answered - accepted} orders were refused, one so: ${refusal}`);
}

function sayLatencies({ latencies, answered, milliseconds }: LoadResult, planned: number): void {
  const reached = (answered * 1000) / milliseconds;
  say(`open loop at ${grouped(planned)} /s: reached ${grouped(reached)} /s, from plan to answer`);
  const parts = [0.5, 0.9, 0.99, 0.999, 1].map(
    (part) => `p${part * 100} ${percentile(latencies, part).toFixed(2)} ms`,
  );
  say(`  ${parts.join(', ')}`);
  check(reached > planned * 0.9, 'the planned rate was not reached: the latencies mean nothing');
}

/** Every invariant holds, and the exchange has applied at least the orders that were answered. */
async function checkExchange({ operator, http }: RunningServer, orders: number): Promise<void> {
  const { ok, failures } = await operator.getInvariants();
  check(ok, failures.join('; '));
  const metrics = await (await fetch(`${http}/metrics`)).text();
  const placed = /^evermark_commands_total\{kind="placeOrder"\} (\d+)$/m.exec(metrics);
  const applied = Number(placed?.[1]);
  check(applied >= orders, `${orders} orders were answered, ${applied} applied`);
  say(`${grouped(orders)} orders answered, each with 200; every invariant holds`);
}

async function startBare(setup: BareSetup): Promise<{ child: ChildProcess; port: number }> {
  const child = forkHere('bareServer.ts');
  return { child, port: await askProcess<number>(child, setup) };
}
