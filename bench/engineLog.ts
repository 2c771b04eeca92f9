// A stream of orders as the bytes of a log: markets, accounts and prices first, then every
// operation as a command. An engine runs once to make it, because a cancel must contain the id and
// the time that the engine gave its order.

import { applyCommand, beginBatch } from '../src/engine/apply.ts';
import {
  decodeCommand,
  encodeCommand,
  type TimedCommand,
} from '../src/engine/codec/commandCodec.ts';
import type { Command } from '../src/engine/command.ts';
import { createExchange, type Exchange } from '../src/engine/exchange.ts';
import type { MarketTerms } from '../src/engine/marketTerms.ts';
import type { Side } from '../src/engine/orderTypes.ts';
import { hashEvent } from '../src/engine/snapshot/eventHash.ts';
import { readAhead } from '../src/replica/readAhead.ts';
import {
  type ByteReader,
  type ByteWriter,
  createByteReader,
  createByteWriter,
  writtenBytes,
} from '../src/std/bytes.ts';
import { createHash64, type Hash, hashHex } from '../src/std/hash.ts';
import type { AccountId, MarketId, Money, OrderId, Rate, Ticks, Time } from '../src/units/units.ts';
import { orderCommand } from '../test/fixtures/orderCommands.ts';
import { riskTerms } from '../test/fixtures/riskTerms.ts';
import {
  midTicks,
  type Stream,
  type StreamResult,
  streamAccounts,
  streamMarkets,
} from './orderStreams.ts';
import { check } from './report.ts';

export type LogBatch = {
  readonly time: Time;
  readonly bytes: Buffer;
  readonly commands: number;
  /** Whether it belongs to the timed part. */
  readonly timed: boolean;
};

export type EngineLog = {
  readonly stream: Stream;
  readonly batches: readonly LogBatch[];
  /** The hash of every event, in order, from the engine that made the log. */
  readonly eventHash: string;
};

const chainId = 43113;
const commandsPerBatch = 100;
const batchMs = 1;
/** Every market gets a new price after this many batches. */
const batchesPerIndexTick = 250;
/** The usual time before the first batch. */
const beginning = 1_760_000_000_000;
const deadlineAfterMs = 5000;
const creditEach = 500_000_000_000 as Money;

/** Terms under which no order of a stream is rejected: the benchmark measures trading. */
const terms: MarketTerms = {
  maxLeverage: 20,
  maintenanceMarginRate: 2_500_000 as Rate,
  liquidationFeeRate: 500_000 as Rate,
  minOrderSize: 100_000 as Money,
  maxOrderSize: 1_000_000_000_000 as Money,
  openInterestCap: 1_000_000_000_000_000 as Money,
  fundingFactor: 10_000 as Rate,
  maxFundingRate: 75_000 as Rate,
  minFundingRate: -75_000 as Rate,
  fundingIntervalHours: 8,
  maxMarketSlippage: 5_000_000 as Rate,
  markClamp: 625_000 as Rate,
  markBand: 2_000_000 as Rate,
  makerFee: 20_000 as Rate,
  takerFee: 50_000 as Rate,
  selfTradePrevention: 'EXPIRE_MAKER',
  indexSources: [{ source: 'bench', weight: 1 }],
  underlyingType: 'COIN',
  deliveryTime: 0 as Time,
  ...riskTerms(2_500_000 as Rate),
};

type Making = {
  readonly stream: Stream;
  readonly exchange: Exchange;
  readonly writer: ByteWriter;
  readonly batches: LogBatch[];
  readonly hash: Hash;
  /** Id and time of the order that each operation placed. */
  readonly ids: Float64Array;
  readonly times: Float64Array;
  readonly result: StreamResult;
  commands: number;
  time: number;
};

/**
 * Runs an engine through the stream and keeps the bytes; checks its trades. A start long after the
 * last batch would run the funding of all the time between.
 */
export function createEngineLog(stream: Stream, firstTime = beginning): EngineLog {
  const making: Making = {
    stream,
    exchange: createExchange(chainId),
    writer: createByteWriter(65_536),
    batches: [],
    hash: createHash64(),
    ids: new Float64Array(stream.length),
    times: new Float64Array(stream.length),
    result: { trades: 0, tradedLots: 0, resting: 0, depth: [] },
    commands: 0,
    time: firstTime,
  };
  openBatch(making);
  for (const command of openingCommands()) append(making, command);
  closeBatch(making, false);
  for (let i = 0; i < stream.length; i += 1) {
    if (making.commands === 0) openBatch(making);
    appendOperation(making, i);
    const timed = i >= stream.shape.preload;
    const last = i === stream.length - 1 || i === stream.shape.preload - 1;
    if (last || making.commands >= commandsPerBatch) closeBatch(making, timed);
  }
  const { trades, tradedLots } = making.result;
  check(trades === stream.result.trades, `the engine made ${trades} trades`);
  check(tradedLots === stream.result.tradedLots, `the engine traded ${tradedLots} lots`);
  return { stream, batches: making.batches, eventHash: hashHex(making.hash) };
}

function openBatch(making: Making): void {
  making.time += batchMs;
  beginBatch(making.exchange, making.time as Time);
  making.writer.length = 0;
  if (making.batches.length % batchesPerIndexTick === 1) append(making, indexTick(making));
}

function closeBatch(making: Making, timed: boolean): void {
  const { time, commands, batches, writer } = making;
  batches.push({ time: time as Time, bytes: writtenBytes(writer), commands, timed });
  making.commands = 0;
}

function append(making: Making, command: Command): ReturnType<typeof applyCommand> {
  const { exchange, hash, result } = making;
  const deadline = (making.time + deadlineAfterMs) as Time;
  encodeCommand(making.writer, command, deadline);
  making.commands += 1;
  const outcome = applyCommand(exchange, command, deadline);
  const reason = outcome.kind === 'rejected' ? outcome.rejection.reason : 'none';
  check(outcome.kind === 'accepted', `${command.kind} was rejected: ${reason}`);
  for (const event of exchange.events) {
    hashEvent(hash, event);
    if (event.kind !== 'traded') continue;
    result.trades += 1;
    result.tradedLots += event.lots;
  }
  exchange.events.length = 0;
  return outcome;
}

function appendOperation(making: Making, index: number): void {
  const { stream } = making;
  if (stream.side[index] === 0) {
    append(making, cancelOf(making, index));
    return;
  }
  const outcome = append(making, placeOf(stream, index));
  check(outcome.kind === 'accepted' && outcome.order !== undefined, 'an order was placed');
  making.ids[index] = outcome.order.id;
  making.times[index] = outcome.order.createdAt;
}

/** Account 0 is the insurance fund. */
const accountOf = (stream: Stream, index: number): AccountId =>
  (stream.account[index]! + 1) as AccountId;

function cancelOf({ stream, ids, times }: Making, index: number): Command {
  const target = stream.target[index]!;
  return {
    kind: 'cancelOrder',
    account: accountOf(stream, index),
    market: stream.market[index] as MarketId,
    order: { id: ids[target] as OrderId, createdAt: times[target] as Time },
  };
}

function placeOf(stream: Stream, index: number): Command {
  return orderCommand({
    account: accountOf(stream, index),
    market: stream.market[index]!,
    side: stream.side[index] as Side,
    lots: stream.lots[index]!,
    ticks: stream.ticks[index]!,
  });
}

function openingCommands(): Command[] {
  const markets = Array.from({ length: streamMarkets }, (_, i): Command => {
    const baseAsset = `BENCH${i}`;
    const tick = { decimals: 2, step: 1 };
    const lot = { decimals: 3, step: 1 };
    const symbol = `${baseAsset}USDT`;
    return { kind: 'listMarket', symbol, baseAsset, tick, lot, terms, status: 'TRADING' };
  });
  const credits = Array.from({ length: streamAccounts }, (_, i): Command => {
    const address = `0x${i.toString(16).padStart(40, '0')}`;
    return { kind: 'credit', address, amount: creditEach, reference: `bench-${i}` };
  });
  return [...markets, ...credits];
}

function indexTick({ time }: Making): Command {
  const prices = Array.from({ length: streamMarkets }, (_, market) => ({
    market: market as MarketId,
    source: 'bench',
    ticks: midTicks as Ticks,
    observedAt: time as Time,
  }));
  return { kind: 'indexTick', prices };
}

export type EngineRun = {
  readonly exchange: Exchange;
  readonly eventHash: string;
  readonly commandsPerSecond: number;
  /** The same by the thread's processor time, which other work on the machine distorts less. */
  readonly commandsPerCpuSecond: number;
  /** When the timed part began, by `performance.now`. */
  readonly timedFrom: number;
  /** Of each timed batch, per command. */
  readonly microseconds: readonly number[];
};

/**
 * Replays the log on a new engine like a replica: decodes, reads ahead, applies, hashes every
 * event.
 */
export function runEngineLog(log: EngineLog): EngineRun {
  const exchange = createExchange(chainId);
  const hash = createHash64();
  const microseconds: number[] = [];
  let commands = 0;
  let elapsedMs = 0;
  let cpu = process.threadCpuUsage();
  let timedFrom = 0;
  for (const batch of log.batches) {
    if (batch.timed && commands === 0) cpu = process.threadCpuUsage();
    const started = performance.now();
    if (batch.timed && commands === 0) timedFrom = started;
    runBatch(exchange, hash, batch);
    if (!batch.timed) continue;
    const took = performance.now() - started;
    elapsedMs += took;
    commands += batch.commands;
    microseconds.push((took * 1000) / batch.commands);
  }
  const { user, system } = process.threadCpuUsage(cpu);
  const commandsPerSecond = commands / (elapsedMs / 1000);
  const commandsPerCpuSecond = commands / ((user + system) / 1_000_000);
  const eventHash = hashHex(hash);
  const rates = { commandsPerSecond, commandsPerCpuSecond };
  return { exchange, eventHash, ...rates, timedFrom, microseconds };
}

function runBatch(exchange: Exchange, hash: Hash, batch: LogBatch): void {
  beginBatch(exchange, batch.time);
  const commands = decodeAll(createByteReader(batch.bytes));
  for (let index = 0; index < commands.length; index += 1) {
    readAhead(exchange, commands, index);
    const { command, deadline } = commands[index]!;
    applyCommand(exchange, command, deadline);
  }
  hashEvents(exchange, hash);
}

function decodeAll(reader: ByteReader): TimedCommand[] {
  const commands: TimedCommand[] = [];
  while (reader.offset < reader.end) commands.push(decodeCommand(reader));
  return commands;
}

function hashEvents(exchange: Exchange, hash: Hash): void {
  for (const event of exchange.events) hashEvent(hash, event);
  exchange.events = [];
}
