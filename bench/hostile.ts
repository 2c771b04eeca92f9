// What strangers and hostile customers can do to a trader: the whole program under every attack of
// hostileAttacks.ts at full rate, beside a trader at another address who places orders at one rate;
// then single requests (the fuzzer's target of cost) and the longest tick of an index with half a
// million waiting triggers. Limits are those of the interface.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { getPriority, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { targetOf } from '../fuzz/costStage.ts';
import { createCostTarget } from '../fuzz/costTarget.ts';
import { createClient } from '../src/client/createClient.ts';
import { quietFlags, type RunningServer, startServer } from '../test/fixtures/startServer.ts';
import { askProcess, forkHere } from './childProcess.ts';
import type { LoadPlan, LoadResult } from './gatewayLoad.ts';
import { type Attack, makeAttacks } from './hostileAttacks.ts';
import type { HostilePlan, HostileResult } from './hostileLoad.ts';
import { measureTicks } from './hostileTicks.ts';
import {
  type BenchAccount,
  type Key,
  makeRequests,
  openAccounts,
  symbol,
} from './orderRequests.ts';
import { readNumbers } from './readNumbers.ts';
import { check, grouped, median, percentile, say, sayConditions, sayResult } from './report.ts';
import { residentMegabytes } from './streams.ts';
import { readThreadTimes } from './threadTimes.ts';

type Options = {
  /** Seconds of each round. */
  seconds: number;
  /** Rounds of each attack; as many without it come before them. */
  rounds: number;
  /** Orders a second, and the number of their accounts. */
  rate: number;
  accounts: number;
  /** Accounts whose orders make the book deep, 200 orders each. */
  makers: number;
  /** Requests of the target of cost; 0: that part is left out. */
  requests: number;
  /** Triggers that wait in the engine; 0 leaves that part out. */
  triggers: number;
  /** The number of the only attack in the list; 0: all. */
  attack: number;
  /** 1: all clients share one core, where the platform allows it; the exchange has every core. */
  pin: number;
  /**
   * 1: the data directory is in memory, so that a pause of the disk does not count as an effect of
   * the attack.
   */
  memory: number;
};

const targets = { times: 3, megabytes: 100, tickMs: 50 } as const;
const traderConnections = 16;
const attackerAddress = '127.0.0.2';
/** Added to the niceness of the trader's client. */
const attackerNiceness = 10;
const stormAccounts = 4;
const triggersPerAccount = 200;
/** The trader's own process sends its first order after some 140 ms. */
const attackAfterMs = 300;
/** How long an exchange may take to become idle after an attack. */
const calmMs = 30_000;
/**
 * The number of samples in which the thread must sleep; a sample in which it works takes back a
 * fifth of them.
 */
const calmLooks = 50;

type Round = {
  /** Of each planned order, milliseconds; one without an answer counts as the whole round. */
  readonly latencies: readonly number[];
  /** Milliseconds of processor time of the trading thread a second. */
  readonly busyMs: number;
  /** Orders that were planned but had no answer when the round was over. */
  readonly late: number;
};

/** The percentiles are over all orders of all rounds: one pause weighs less than in one round. */
type Finding = {
  readonly name: string;
  readonly p50: number;
  readonly p99: number;
  /** p99 without an attack. */
  readonly usual: number;
  readonly busyMs: number;
  readonly late: number;
  readonly megabytes: number;
  readonly heard: string;
  readonly ratio: number;
  readonly ok: boolean;
};

/** Prints a line for each attack and the targets; the last line says which targets were met. */
export async function runHostileBench(args: readonly string[]): Promise<void> {
  const defaults = {
    seconds: 8,
    rounds: 3,
    rate: 600,
    accounts: 64,
    makers: 25,
    attack: 0,
    pin: 1,
    memory: 1,
  };
  const sizes = { requests: 2000, triggers: 500_000 };
  const options = readNumbers('hostile', args, { ...defaults, ...sizes }, [
    ...(['requests', 'triggers', 'attack', 'pin', 'memory'] as const),
  ]);
  check(options.seconds <= 25, 'a round is at most 25 seconds: timestamps are made before it');
  const pinned = options.pin > 0 && spawnSync('taskset', ['-V']).status === 0;
  sayConditions('hostile', {
    trader: `${options.rate} signed orders/s by plan, ${options.accounts} accounts, of other addresses`,
    load: 'half of what the limits of these accounts allow; latency from plan to answer',
    attacks:
      `8 connections of ${attackerAddress} at full rate, ` +
      `${options.rounds} rounds of ${options.seconds} s, in turn with rounds without it`,
    limits: 'those of the interface, for the trader, too',
    log: options.memory === 0 ? 'on the disk' : 'in memory: nothing waits for a disk',
    cores: pinned
      ? 'all clients share one (taskset), the exchange has every core'
      : 'the exchange and its clients share all of them, so that p99 is of both',
  });
  endWithUs();
  // First: what this process keeps of the attacks would be collected during a tick.
  const ticks = options.triggers === 0 ? undefined : measureTicks(options.triggers);
  const findings = await attackAll(options, pinned);
  const single = options.requests === 0 ? undefined : await trySingle(options.requests);
  const meets = {
    p99: findings.every(({ ratio }) => ratio <= targets.times),
    memory: findings.every(({ megabytes }) => megabytes <= targets.megabytes),
    ...(ticks === undefined ? {} : { ticks: ticks.longestMs <= targets.tickMs }),
    ...(single === undefined ? {} : { single: single.violations === 0 }),
  };
  sayResult({
    bench: 'hostile',
    ok: Object.values(meets).every(Boolean),
    meets,
    worst_p99_times: Math.max(...findings.map(({ ratio }) => ratio)),
    worst_megabytes: Math.max(...findings.map(({ megabytes }) => megabytes)),
    longest_tick_ms: ticks?.longestMs ?? 0,
    single_over_budget: single?.violations ?? 0,
    attacks: findings.map(({ name, usual, p50, p99, ratio, megabytes, late, ok }) => {
      return { name, usual_p99: usual, p50, p99, ratio, megabytes, late, ok };
    }),
  });
}

/** Processes that were started and may still run. */
const started = new Set<number>();

/** However this process ends, the processes that it started end with it. */
function endWithUs(): void {
  process.once('SIGTERM', () => process.exit(143)).once('SIGINT', () => process.exit(130));
  process.once('exit', () => {
    for (const pid of started) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process has already ended.
      }
    }
  });
}

/**
 * An exchange whose sizes come from the options: the trader, the book, the attacker and the stops.
 */
type Arena = {
  readonly server: RunningServer;
  readonly traders: readonly Key[];
  readonly attacker: readonly Key[];
  readonly stormers: readonly BenchAccount[];
  readonly close: () => Promise<void>;
};

async function attackAll(options: Options, pinned: boolean): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const names = makeAttacks({ keys: Array.from({ length: 30 }, () => ['none', 'none'] as const) });
  let arena: Arena | undefined;
  let descriptors: number | undefined;
  try {
    for (const [at, { descriptorsMax }] of names.entries()) {
      if (options.attack !== 0 && options.attack !== at + 1) continue;
      // An exchange that does not become idle is replaced, so that no attack suffers from the
      // previous one.
      const rested = arena !== undefined && (await calm(arena.server));
      if (arena === undefined || !rested || descriptors !== descriptorsMax) {
        await arena?.close();
        arena = await openArena(options, { pinned, descriptorsMax });
        descriptors = descriptorsMax;
      }
      const finding = await attackOnce(arena, options, { at, pinned });
      findings.push(finding);
      sayFinding(finding);
    }
  } finally {
    await arena?.close();
  }
  return findings;
}

type Place = { readonly pinned: boolean; readonly descriptorsMax: number | undefined };

async function openArena(options: Options, { pinned, descriptorsMax }: Place): Promise<Arena> {
  const place = options.memory === 0 ? tmpdir() : '/dev/shm';
  const directory = mkdtempSync(join(place, 'evermark-bench-'));
  const limit = descriptorsMax === undefined ? {} : { openFilesMax: descriptorsMax };
  const server = await startServer({ data: directory, flags: quietFlags, ...limit });
  started.add(server.pid);
  const close = async (): Promise<void> => {
    await server.kill();
    started.delete(server.pid);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const total = options.accounts + options.makers + stormAccounts + 1;
    const accounts = await openAccounts(server, total);
    for (const { key } of accounts.slice(1)) {
      await server.operator.changeApiKey({ api_key: key[0], rate_tier: 'house' });
    }
    const [attacker, ...others] = accounts as [BenchAccount, ...BenchAccount[]];
    const stormers = others.splice(0, stormAccounts);
    const makers = others.splice(0, options.makers);
    await Promise.all(makers.map((maker, at) => offer(server, maker, at)));
    const traders = others.map(({ key }) => key);
    const keys = [attacker.key, ...(await openKeys(server, attacker))];
    const arena = { server, traders, attacker: keys, stormers, close };
    // A round that does not count: the compiler must have seen an order.
    await trade(arena, options, pinned);
    return arena;
  } catch (error) {
    await close();
    throw error;
  }
}

const keysPerAccount = 30;

async function openKeys({ http }: RunningServer, { token }: BenchAccount): Promise<readonly Key[]> {
  const { native } = createClient({ baseUrl: http, token });
  const keys: Key[] = [];
  while (keys.length < keysPerAccount - 1) {
    const { api_key, secret_key } = await native.createApiKey({});
    keys.push([api_key, secret_key]);
  }
  return keys;
}

async function offer({ http }: RunningServer, { key }: BenchAccount, at: number): Promise<void> {
  const fapi = createClient({ baseUrl: http, apiKey: key[0], secretKey: key[1] }).fapi;
  for (let first = 0; first < triggersPerAccount; first += 5) {
    const batchOrders = Array.from({ length: 5 }, (_, i) => ({
      ...{ symbol, side: 'SELL', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001' },
      price: (60_100 + at + (first + i) / 10).toFixed(1),
    }));
    await fapi.placeBatchOrders({ batchOrders: batchOrders as never });
  }
}

/** Stops that fire together and cannot fill. */
async function placeStops({ http }: RunningServer, { key }: BenchAccount): Promise<void> {
  const fapi = createClient({ baseUrl: http, apiKey: key[0], secretKey: key[1] }).fapi;
  for (let i = 0; i < triggersPerAccount; i += 1) {
    await fapi.placeAlgoOrder({
      ...{ algoType: 'CONDITIONAL', symbol, side: 'BUY', type: 'STOP', timeInForce: 'FOK' },
      ...{ quantity: '9', price: '60900', triggerPrice: '60050', workingType: 'MARK_PRICE' },
    } as never);
  }
}

async function attackOnce(
  arena: Arena,
  options: Options,
  { at, pinned }: { readonly at: number; readonly pinned: boolean },
): Promise<Finding> {
  const attack = makeAttacks({ keys: arena.attacker })[at]!;
  const usual: Round[] = [];
  const attacked: Attacked[] = [];
  let alive = true;
  while (alive && attacked.length < options.rounds) {
    usual.push(await trade(arena, options, pinned));
    attacked.push(await tradeUnder(arena, options, { attack, pinned }));
    alive = await survived(arena.server);
  }
  const p99 = percentileOf(attacked, 0.99);
  const usualP99 = percentileOf(usual, 0.99);
  const ratio = alive ? tenths(p99 / usualP99) : Number.MAX_SAFE_INTEGER;
  const megabytes = Math.max(...attacked.map((round) => round.megabytes));
  return {
    name: attack.name,
    usual: usualP99,
    p50: percentileOf(attacked, 0.5),
    p99,
    ratio,
    busyMs: median(attacked.map(({ busyMs }) => busyMs)),
    late: attacked.reduce((sum, { late }) => sum + late, 0),
    megabytes,
    heard: attacked.map(({ heard }) => describe(heard)).join('\n  ') + (alive ? '' : '; IT ENDED'),
    ok: ratio <= targets.times && megabytes <= targets.megabytes,
  };
}

function percentileOf(rounds: readonly Round[], part: number): number {
  return tenths(
    percentile(
      rounds.flatMap(({ latencies }) => latencies),
      part,
    ),
  );
}

type Attacked = Round & { readonly megabytes: number; readonly heard: HostileResult };

/** One round of the trader's orders while the attack continues. */
async function tradeUnder(
  arena: Arena,
  options: Options,
  { attack, pinned }: { readonly attack: Attack; readonly pinned: boolean },
): Promise<Attacked> {
  const { server } = arena;
  if (attack.beside === 'price') {
    await Promise.all(arena.stormers.map((account) => placeStops(server, account)));
  }
  const before = residentMegabytes(server);
  let most = before;
  const watching = setInterval(() => {
    if (!server.ended()) most = Math.max(most, residentMegabytes(server));
  }, 50);
  const child = forkHere('hostileLoad.ts');
  started.add(child.pid!);
  try {
    await once(child, 'message');
    if (pinned) pinClient(child.pid!);
    // It shares the core with the trader's client, whose times must be those of the exchange.
    setPriority(child.pid!, getPriority() + attackerNiceness);
    const milliseconds = options.seconds * 1000;
    const round = trade(arena, options, pinned);
    // The beginning of the attack counts, too.
    await pause(attackAfterMs);
    const attacked = askProcess<HostileResult>(child, planOf(server, attack, milliseconds));
    if (attack.beside === 'price') setTimeout(() => setPrice(server, '60080'), milliseconds / 3);
    const [traded, heard] = await Promise.all([round, attacked]);
    return { ...traded, heard, megabytes: Math.round(most - before) };
  } finally {
    clearInterval(watching);
    child.kill();
    started.delete(child.pid!);
  }
}

function planOf({ port }: RunningServer, attack: Attack, milliseconds: number): HostilePlan {
  const { way, path, texts, connections } = attack;
  return { port, from: attackerAddress, connections, milliseconds, way, path, texts };
}

const tenths = (value: number): number => Number(value.toFixed(1));

function describe({ sent, heard, opened, ended }: HostileResult): string {
  const answers = Object.entries(heard).map(([what, times]) => `${grouped(times)} × ${what}`);
  return (
    `${grouped(sent)} sent, ${answers.join(', ') || 'nothing'} heard, ` +
    `${grouped(opened)} connections, ${grouped(ended)} of them ended by the server`
  );
}

/** Whether the exchange still runs and can write a snapshot, which opens files. */
async function survived(server: RunningServer): Promise<boolean> {
  if (server.ended()) return false;
  const late = pause(calmMs, undefined, { ref: false });
  await Promise.race([server.operator.takeSnapshot().catch(() => {}), late]);
  await pause(200);
  return !server.ended();
}

/** A refusal is ignored: prices are stated again soon. */
async function setPrice({ operator }: RunningServer, price: string): Promise<void> {
  await operator.setIndexPrice({ symbol, price }).catch(() => {});
}

/** Whether the trading thread becomes idle in the allowed time. */
async function calm(server: RunningServer): Promise<boolean> {
  const until = performance.now() + calmMs;
  const { sleeps } = targetOf(server);
  for (let quiet = 0; quiet < calmLooks; ) {
    if (server.ended() || performance.now() > until) return false;
    await pause(calmMs / 1000);
    quiet = sleeps() ? quiet + 1 : Math.max(0, quiet - calmLooks / 5);
  }
  return true;
}

/** One round of the trader's orders. An order without an answer counts as the whole round. */
async function trade(arena: Arena, options: Options, pinned: boolean): Promise<Round> {
  const { server, traders } = arena;
  const { rate, seconds } = options;
  const milliseconds = seconds * 1000;
  const child = forkHere('gatewayLoad.ts');
  started.add(child.pid!);
  const stating = setInterval(() => setPrice(server, '60000'), 1000);
  if (pinned) pinClient(child.pid!);
  const before = readThreadTimes(server.pid).trading;
  try {
    const requests = makeRequests(traders, rate * seconds + 100).map((text, i) => {
      const address = `198.18.0.${1 + (i % traders.length)}`;
      return text.replace('\r\n', `\r\nX-Forwarded-For: ${address}\r\n`);
    });
    const result = await askProcess<LoadResult>(child, {
      ...{ port: server.port, connections: traderConnections, milliseconds, rate },
      ...{ requests, stamps: false },
    } satisfies LoadPlan);
    const { answered, accepted, refusal, latencies } = result;
    if (accepted < answered)
      say(`  ${answered - accepted} orders were refused, one so: ${refusal}`);
    const late = Math.max(0, rate * seconds - answered);
    const busyMs = server.ended()
      ? 0
      : (readThreadTimes(server.pid).trading - before) / 1000 / seconds;
    const all = [...latencies, ...Array.from({ length: late }, () => milliseconds)];
    return { latencies: all, busyMs: Math.round(busyMs), late };
  } finally {
    clearInterval(stating);
    child.kill();
    started.delete(child.pid!);
  }
}

/**
 * The clients leave the first core alone. The exchange may use both: its log writer, its archivist
 * and the collector of garbage have threads of their own, which one core would make the trading
 * thread wait for.
 */
function pinClient(pid: number): void {
  spawnSync('taskset', ['-acp', '1', String(pid)]);
}

function sayFinding(finding: Finding): void {
  const { name, usual, p50, p99, ratio, megabytes, heard, late, busyMs, ok } = finding;
  say(`${ok ? 'holds' : 'FAILS'}: ${name}`);
  say(
    `  p50 ${p50} ms, p99 ${p99} ms, ${ratio} × undisturbed (${usual} ms); ${late} orders late; ` +
      `memory + ${megabytes} MB; trading thread ${busyMs} ms a second`,
  );
  say(`  ${heard}`);
}

/** Single requests, each compared with its budget. */
async function trySingle(count: number): Promise<{ violations: number }> {
  const target = createCostTarget({ margin: 1, makers: 15, violationsMax: 40 });
  const report = await target({ seed: 1, count, trying: () => {}, stopped: () => false });
  for (const { what } of report.violations) say(`over budget: ${what}`);
  say(`${grouped(count)} single requests: ${JSON.stringify(report.figures)}`);
  return { violations: report.violations.length };
}
