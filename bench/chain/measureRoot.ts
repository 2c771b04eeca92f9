// The tree of what is owed to many wallets (VLT-8): how long the real program makes it beside
// trading, what orders feel of it, and what a proof takes. There is no chain: the vault's deposits
// are written into the log. So the first start has no snapshot and all of history to write, which
// no exchange has; the first tree after the next start is what an operator sees.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { depositHash } from '../../src/engine/depositHash.ts';
import type { CreditDeposit } from '../../src/engine/vaultCommand.ts';
import { listTrees } from '../../src/solvency/writeTree.ts';
import { fileDisk } from '../../src/std/disk.ts';
import type { Money } from '../../src/units/units.ts';
import { nativeOf } from '../../test/contracts/chainedExchange.ts';
import { bindVaultCommand } from '../../test/engine/depositChain.ts';
import { openBoundLog } from '../../test/fixtures/openBoundLog.ts';
import { quietFlags, type RunningServer, startServer } from '../../test/fixtures/startServer.ts';
import { createTemporaryDirectory } from '../../test/fixtures/temporaryDirectory.ts';
import type { ChainBench } from '../chain.ts';
import { askOnce } from '../childProcess.ts';
import type { LoadPlan, LoadResult } from '../gatewayLoad.ts';
import { benchWallet, makeRequests, openKeys } from '../orderRequests.ts';
import { check, grouped, median, percentile, say } from '../report.ts';
import { readThreadTimes, timesPerOrder } from '../threadTimes.ts';
import { untilHistoryFollows } from './untilHistoryFollows.ts';

/** Of a stretch; the tree must be made within half of it. */
const intervalSeconds = 60;
const traders = 64;
const rate = 1000;
const roundSeconds = 3;
/** One after a start, and three that are compared. */
const trees = 4;
/** Rounds without a tree follow each of them. */
const quietMs = 15_000;
const proofs = 1000;
const depositsPerBatch = 2000;

const wallet = (at: number): string => `0x${(at * 0x9e3779b1 + 1).toString(16).padStart(40, '0')}`;

export const measureRoot: ChainBench = async ({ accounts }) => {
  using temporary = createTemporaryDirectory();
  const data = join(temporary.path, 'data');
  const flags = [...quietFlags, '--rate-limit-scale', '1000000'];
  const anchored = ['--anchor-interval', String(intervalSeconds)];
  const first = await startServer({ data, flags });
  const {
    kind: _kind,
    chainId,
    address,
    token,
    tokenDecimals,
    codeHash,
    deployBlock,
  } = bindVaultCommand;
  await first.operator.bindVault({
    ...{ chain_id: chainId, address, token, token_decimals: tokenDecimals },
    ...{ code_hash: codeHash, deploy_block: deployBlock },
  });
  await first.stop();
  await writeDeposits(data, accounts);
  const begin = (): Promise<RunningServer> => startServer({ data, flags: [...flags, ...anchored] });
  const bare = await timeBareStart(await begin(), data);
  const server = await begin();
  try {
    const earlier = readTrees(data).length;
    const rounds = await trade(server, data, earlier + trees, quietMs);
    const made = readTrees(data).slice(earlier);
    const figures = compare(rounds, made);
    check(
      made.every(({ leaves }) => leaves > accounts),
      'each wallet has a leaf',
    );
    return { accounts, ...bare, ...figures, ...(await timeProofs(server, accounts)) };
  } finally {
    await server.stop();
  }
};

/** The first tree beside the writing of all history, which is done when it returns. */
async function timeBareStart(server: RunningServer, data: string) {
  try {
    await trade(server, data, 1, 0);
    const took = lengthOf(readTrees(data)[0]!);
    await untilHistoryFollows(server);
    say(`the first tree after a start without snapshot and history in ${took.toFixed(1)} s`);
    return { root_bare_s: rounded(took) };
  } finally {
    await server.stop();
  }
}

/** Those of traders first: each has enough for all its orders. */
async function writeDeposits(data: string, accounts: number): Promise<void> {
  const { writer } = await openBoundLog(data);
  const { vault } = writer.state.exchange;
  let [index, hash] = [vault.depositCount, vault.depositsHash];
  const next = (address: string, units: number): CreditDeposit => {
    index += 1;
    const placed = { index, address, units: units as Money };
    hash = depositHash(hash, placed);
    return { kind: 'creditDeposit', ...placed, hash };
  };
  const begun = performance.now();
  const rich = Array.from({ length: traders }, (_, at) => next(benchWallet(at).address, 10 ** 12));
  await writer.batch(rich);
  for (let from = 0; from < accounts; from += depositsPerBatch) {
    const count = Math.min(depositsPerBatch, accounts - from);
    await writer.batch(
      Array.from({ length: count }, (_, at) => next(wallet(from + at), 1_000_000)),
    );
  }
  check(vault.depositCount === traders + accounts, 'all deposits are in the log');
  say(`${grouped(accounts)} deposits written in ${seconds(performance.now() - begun)} s`);
  await writer.close();
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);

type Round = {
  readonly from: number;
  readonly to: number;
  readonly p99: number;
  readonly answered: number;
};

const ordersOfRound = rate * roundSeconds;

const placeOf = (data: string) => ({ disk: fileDisk, directory: join(data, 'trees') });

/** Orders at a steady rate, until so many trees are there and were followed by quiet rounds. */
async function trade(
  server: RunningServer,
  data: string,
  wanted: number,
  followedMs: number,
): Promise<Round[]> {
  const keys = await openKeys(server, traders);
  const rounds: Round[] = [];
  for (let isEnough = false; !isEnough; ) {
    const from = Date.now();
    const load = await askOnce<LoadPlan, LoadResult>('gatewayLoad.ts', {
      ...{ port: server.port, connections: traders, milliseconds: roundSeconds * 1000, rate },
      ...{ stamps: false, requests: makeRequests(keys, 2 * ordersOfRound) },
    });
    const { answered, accepted, refusal, latencies } = load;
    check(accepted === answered, `${answered - accepted} refused, one so: ${refusal}`);
    rounds.push({ from, to: Date.now(), p99: percentile(latencies, 0.99), answered });
    const [last] = listTrees(placeOf(data)).slice(wanted - 1);
    isEnough = last !== undefined && Date.now() > timesOf(data, last).to + followedMs;
    await wait(100);
  }
  return rounds;
}

type Made = { readonly from: number; readonly to: number; readonly leaves: number };

const lengthOf = ({ from, to }: Made): number => (to - from) / 1000;

/** From the batch at which a tree was made to the moment at which its file was in its place. */
function timesOf(data: string, position: number): Made {
  const path = join(data, 'trees', `tree-${String(position).padStart(12, '0')}.txt`);
  const text = readFileSync(path, 'latin1');
  const { time, leaves } = JSON.parse(text.slice(0, text.indexOf('\n'))) as {
    readonly time: number;
    readonly leaves: number;
  };
  // The rename is the last change.
  return { from: time, to: statSync(path).ctimeMs, leaves };
}

const readTrees = (data: string): Made[] =>
  listTrees(placeOf(data)).map((each) => timesOf(data, each));

/** The first tree comes while the start still compiles code and reads a snapshot. */
function compare(all: readonly Round[], found: readonly Made[]) {
  const [first, ...made] = found;
  const rounds = all.filter(({ from }) => from > first!.to);
  const overlap = ({ from, to }: Round): number =>
    made.reduce(
      (sum, tree) => sum + Math.max(0, Math.min(to, tree.to) - Math.max(from, tree.from)),
      0,
    ) /
    (to - from);
  const p99Of = (some: readonly Round[]): number => median(some.map(({ p99 }) => p99));
  const beside = rounds.filter((round) => overlap(round) > 0.5);
  const quiet = rounds.filter((round) => overlap(round) === 0);
  check(beside.length > 1 && quiet.length > 1, 'rounds beside trees and without');
  const longest = Math.max(...made.map(lengthOf));
  const firstTook = lengthOf(first!);
  const [without, withTree] = [p99Of(quiet), p99Of(beside)];
  say(
    `the first tree after the next start in ${firstTook.toFixed(1)} s, ${made.length} later, ` +
      `the longest in ${longest.toFixed(1)} s`,
  );
  say(
    `orders at ${grouped(rate)} /s: p99 ${without.toFixed(1)} ms in ${quiet.length} rounds ` +
      `without a tree, ${withTree.toFixed(1)} ms in ${beside.length} beside one`,
  );
  const least = Math.min(...rounds.map(({ answered }) => answered));
  const isEnough = least > 0.9 * ordersOfRound;
  check(isEnough, `${least} of ${ordersOfRound} orders in a round: latencies mean nothing`);
  return {
    root_restart_s: rounded(firstTook),
    root_s: rounded(longest),
    root_p99_ratio: rounded(withTree / without),
  };
}

const rounded = (value: number): number => Number(value.toFixed(2));

/** Each has a request beside it that asks for nothing but the time: what both cost is no proof. */
async function timeProofs(server: RunningServer, accounts: number) {
  const native = nativeOf(server);
  const times: number[] = [];
  const plain: number[] = [];
  const costs = await costOf(server, (at) => native.getProof({ address: wallet(at) }));
  for (let at = 0; at < proofs; at += 1) {
    const begun = performance.now();
    const { proof } = await native.getProof({ address: wallet((at * 7919) % accounts) });
    const proved = performance.now();
    times.push(proved - begun);
    check(proof?.units === '1000000', 'the wallet has its leaf');
    await (await fetch(`${server.http}/fapi/v1/time`)).text();
    plain.push(performance.now() - proved);
  }
  const percentiles = (some: readonly number[]) => [percentile(some, 0.5), percentile(some, 0.99)];
  const [[p50 = 0, p99 = 0], [plain50 = 0, plain99 = 0]] = [percentiles(times), percentiles(plain)];
  say(
    `a proof by HTTP, one after another: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms; ` +
      `a request for the time beside each: ${plain50.toFixed(2)} and ${plain99.toFixed(2)} ms`,
  );
  say(
    `processor time of a proof: ${costs.trading} µs of the trading thread, ` +
      `${costs.gateway} of the gateway, ${costs.archivist} of the archivist`,
  );
  return {
    ...{ proof_p50_ms: rounded(p50), proof_p99_ms: rounded(p99) },
    ...{ time_p50_ms: rounded(plain50), time_p99_ms: rounded(plain99) },
    ...{ proof_trading_us: costs.trading, proof_archivist_us: costs.archivist },
  };
}

/** Microseconds of processor time that each thread of an idle server spends on a request. */
async function costOf(server: RunningServer, ask: (at: number) => Promise<unknown>) {
  const before = readThreadTimes(server.pid);
  for (let at = 0; at < proofs; at += 1) await ask(at);
  const { trading, gateway, archivist } = timesPerOrder(
    before,
    readThreadTimes(server.pid),
    proofs,
  );
  const [inTrading, inGateway, inArchivist] = [trading, gateway, archivist].map(Math.round);
  return { trading: inTrading!, gateway: inGateway!, archivist: inArchivist! };
}
