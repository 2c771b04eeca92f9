// Goal: a client that applies every message has the book, the account and the trades, exactly, even
// when the connection breaks again and again. Method: clients that use only messages, over a seeded
// stream of every kind of command. At the end their copies are compared with the state itself.
// Messages that a broken connection had not delivered are lost.

import { deepStrictEqual as deepEqual, ok } from 'node:assert';
import { accountRecords } from '../../src/api/native/accountRecords.ts';
import { depthOfMarket } from '../../src/engine/views/depthOfMarket.ts';
import { openOrdersOf } from '../../src/engine/views/openOrdersOf.ts';
import { placedTriggersOf } from '../../src/engine/views/trigger.ts';
import { tradesIn } from '../../src/market-data/recentTrades.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import { formatSteps } from '../../src/units/decimal.ts';
import {
  type AccountCopy,
  applyAccount,
  applyDepth,
  type BookCopy,
  createAccountCopy,
  createBookCopy,
  createStanding,
  follow,
  levelsOf,
  type Standing,
} from './localCopies.ts';
import { type FakeReader, openStreamWorld, type Said, type StreamWorld } from './streamWorld.ts';

const symbols = ['BTCUSDT', 'ETHUSDT', 'AVAXUSDT'];
const accounts = 12;

/** One client: its channels, its copies, and a connection that may be gone. */
type Client = {
  reader: FakeReader | undefined;
  readonly account: number;
  readonly books: Map<string, BookCopy>;
  readonly copy: AccountCopy;
  readonly trades: Map<string, { readonly standing: Standing; readonly ids: number[] }>;
  messages: number;
  /** Of the account: events, and for triggers their states. */
  readonly heard: Set<string>;
  drops: number;
  resumed: number;
  resets: number;
};

function createClient(account: number): Client {
  return {
    reader: undefined,
    account,
    books: new Map(symbols.map((symbol) => [`depth:${symbol}`, createBookCopy()])),
    copy: createAccountCopy(),
    trades: new Map(
      symbols.map((symbol) => [`trades:${symbol}`, { standing: createStanding(), ids: [] }]),
    ),
    messages: 0,
    heard: new Set(),
    drops: 0,
    resumed: 0,
    resets: 0,
  };
}

function standingsOf({ books, copy, trades }: Client): [string, Standing][] {
  return [
    ...[...books].map(([channel, { standing }]): [string, Standing] => [channel, standing]),
    ...[...trades].map(([channel, { standing }]): [string, Standing] => [channel, standing]),
    ['account', copy.standing],
  ];
}

async function connect(world: StreamWorld, client: Client): Promise<void> {
  const reader = world.connect();
  client.reader = reader;
  reader.say({ type: 'auth', token: `${client.account}` });
  await Promise.resolve();
  await Promise.resolve();
  for (const [channel, { seq, epoch }] of standingsOf(client)) {
    if (seq < 0) reader.say({ type: 'subscribe', channel });
    else {
      reader.say({ type: 'resume', channel, epoch, seq });
      client.resumed += 1;
    }
  }
}

function read(client: Client): void {
  for (const message of client.reader?.take() ?? []) take(client, message);
}

/** The connection breaks: some of the sent messages have arrived, and the rest is lost. */
function drop(client: Client, prng: Prng): void {
  const sent = client.reader?.take() ?? [];
  for (const message of sent.slice(0, prng.below(sent.length + 1))) take(client, message);
  client.reader?.session.onClose();
  client.reader = undefined;
  client.drops += 1;
}

function take(client: Client, message: Said): void {
  client.messages += 1;
  if (message.type === 'reset') client.resets += 1;
  else if (message.type === 'depth') applyDepth(client.books.get(message.channel)!, message);
  else if (message.type === 'account') {
    applyAccount(client.copy, message);
    client.heard.add([message.event, message.data?.algo_status].filter(Boolean).join(' '));
  } else if (message.type === 'trade') {
    const { standing, ids } = client.trades.get(message.channel)!;
    follow(standing, message);
    if (message.snapshot) ids.length = 0;
    for (const { trade_id } of message.trades) ids.push(trade_id);
  } else ok(['subscribed', 'authenticated'].includes(message.type), message.type);
}

function compare(world: StreamWorld, client: Client): void {
  const { exchange } = world.state;
  for (const market of exchange.markets) {
    const copy = client.books.get(`depth:${market.symbol}`)!;
    const { bids, asks } = depthOfMarket(market, Number.MAX_SAFE_INTEGER);
    for (const [side, levels] of [
      ['bids', bids],
      ['asks', asks],
    ] as const) {
      const expected = levels.map(([ticks, lots]) => [
        formatSteps(ticks, market.tick),
        formatSteps(lots, market.lot),
      ]);
      deepEqual(levelsOf(copy, side), expected);
    }
    const { ids } = client.trades.get(`trades:${market.symbol}`)!;
    const { recent } = world.state.views.markets[market.id]!;
    const last = tradesIn(recent, { limit: ids.length });
    deepEqual(
      ids,
      last.map(({ id }) => id),
    );
    ok(ids.length > 20, 'there were trades');
  }
  const account = exchange.accounts[client.account]!;
  const records = accountRecords(exchange);
  deepEqual(client.copy.balance, JSON.parse(records.balance(account)));
  const open = account.positions.flatMap((each) =>
    each === undefined || each.lots === 0 ? [] : [each],
  );
  const positions = records.positions(account, open).map((text) => JSON.parse(text));
  const held = [...client.copy.positions.values()];
  const bySymbol = (a: Said, b: Said): number => (a.symbol < b.symbol ? -1 : 1);
  deepEqual(held.sort(bySymbol), positions.sort(bySymbol));
  const orders = openOrdersOf(account).map((order) => JSON.parse(records.order(order)));
  const kept = [...client.copy.orders.values()];
  const byId = (a: Said, b: Said): number => (a.order_id < b.order_id ? -1 : 1);
  deepEqual(kept.sort(byId), orders.sort(byId));
  const triggers = placedTriggersOf(account).map((each) =>
    JSON.parse(records.trigger(each, undefined)),
  );
  const waiting = [...client.copy.triggers.values()];
  const byAlgoId = (a: Said, b: Said): number => (a.algo_id < b.algo_id ? -1 : 1);
  deepEqual(waiting.sort(byAlgoId), triggers.sort(byAlgoId));
}

export type CopiesFigures = {
  readonly messages: number;
  readonly drops: number;
  readonly resumed: number;
  /** Channels that could not be resumed and began again. */
  readonly resets: number;
  /** What the messages of the accounts were about: events, and for triggers their states. */
  readonly heard: ReadonlySet<string>;
};

/**
 * Trades, breaks connections and keeps copies until so many messages have come; throws at a message
 * that does not follow, at a wrong checksum, and when a copy is not the state at the end.
 */
export async function keepCopies(seed: number, messagesMin: number): Promise<CopiesFigures> {
  const world = openStreamWorld();
  world.open();
  const prng = createPrng(seed);
  const clients = Array.from({ length: accounts }, (_, index) => createClient(index + 1));
  for (const client of clients) await connect(world, client);
  const stream = world.stream(seed);
  while (sumOf(clients, 'messages') < messagesMin) {
    world.trade(stream, 5);
    world.pass(30 + prng.below(100));
    world.laterTurn();
    for (const client of clients) {
      // Time jumps in the stream: a client that was closed for its silence sees it.
      const closed = client.reader?.closed() !== undefined;
      if (closed || (client.reader !== undefined && prng.below(12) === 0)) drop(client, prng);
      else if (client.reader === undefined && prng.below(3) === 0) await connect(world, client);
      read(client);
    }
  }
  for (const client of clients) if (client.reader === undefined) await connect(world, client);
  // Books, and then what the mark alone has moved.
  world.pass(200);
  world.pass(1000);
  while (world.streams.figures().waiting > 0) world.laterTurn();
  world.laterTurn();
  for (const client of clients) {
    read(client);
    compare(world, client);
  }
  deepEqual([world.faults, world.fatal], [[], []]);
  return {
    messages: sumOf(clients, 'messages'),
    drops: sumOf(clients, 'drops'),
    resumed: sumOf(clients, 'resumed'),
    resets: sumOf(clients, 'resets'),
    heard: new Set(clients.flatMap((client) => [...client.heard])),
  };
}

type Counted = Exclude<keyof CopiesFigures, 'heard'>;

function sumOf(clients: readonly Client[], figure: Counted): number {
  return clients.reduce((sum, client) => sum + client[figure], 0);
}
