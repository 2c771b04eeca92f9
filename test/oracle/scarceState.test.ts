// Goal: guests, their numbers, triggers, countdowns and armed connections are what AUTH-5a, TRG-7,
// ORD-13b and COD-3 say.
// Method: a naive model, lists that are searched whole, takes the same drawn commands as the
// engine, without prices that move; in between the engine is read back from a snapshot.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { AccountId, MarketId, Money, Time } from '../../src/units/units.ts';
import { play } from '../scenarios/scenario.ts';
import { triggerPlacement } from '../scenarios/triggerWords.ts';
import { createWorld, type World } from '../scenarios/world.ts';

const dayMs = 86_460_000;
const restMs = 60_000;
const usdt = 1_000_000;
const markets = 2;

type Naive = {
  wallet: string;
  number: number;
  funded: boolean;
  keys: number;
  since: number;
  money: number;
  /** Each waiting trigger, all of which open, by age. */
  triggers: string[];
  /** When the countdown of each market ends, 0 without one. */
  countdowns: number[];
  /** The markets of each armed connection; none are all. */
  armed: Map<number, readonly number[]>;
};

type Model = {
  time: number;
  accounts: Naive[];
  free: { number: number; since: number }[];
  top: number;
  /** Numbers that were used again. */
  reused: number;
  /** The most connections that one account had armed. */
  armedMost: number;
};

const isGuest = ({ funded, keys }: Naive): boolean => !funded && keys === 0;

function passNaive(model: Model, time: number): void {
  model.time = time;
  for (const account of model.accounts) {
    // The orders that a countdown ends are on the first market.
    if (account.countdowns[0]! > 0 && account.countdowns[0]! <= time) account.triggers = [];
    account.countdowns = account.countdowns.map((at) => (at > time ? at : 0));
  }
  const over = model.accounts.filter(
    (account) => isGuest(account) && account.since + dayMs <= time,
  );
  model.accounts = model.accounts.filter((account) => !over.includes(account));
  for (const { number } of over) model.free.push({ number, since: time });
}

function openNaive(model: Model, wallet: string): Naive {
  const known = model.accounts.find((account) => account.wallet === wallet);
  if (known !== undefined) return known;
  const rested = model.free.filter(({ since }) => since + restMs <= model.time);
  const [next] = rested.sort((a, b) => a.since - b.since || a.number - b.number);
  model.free = model.free.filter((each) => each !== next);
  const number = next?.number ?? model.top;
  if (next === undefined) model.top += 1;
  else model.reused += 1;
  const none = { funded: false, keys: 0, since: 0, money: 0, triggers: [] };
  const countdowns = new Array<number>(markets).fill(0);
  const account = { wallet, number, ...none, countdowns, armed: new Map() };
  model.accounts.push(account);
  return account;
}

type Step = { readonly command: Command; readonly expected: string };

/** Draws a command, computes its outcome by the rules, and applies it to the model. */
function draw(prng: Prng, world: World, model: Model, round: number): Step | undefined {
  const wallet = `0x${(1 + prng.below(40)).toString(16).padStart(40, '0')}`;
  const known = model.accounts.find((account) => account.wallet === wallet);
  const kind = prng.below(8);
  if (kind === 0) {
    openNaive(model, wallet).since = model.time;
    const expiresAt = (model.time + 1) as Time;
    return {
      command: { kind: 'login', address: wallet, nonce: `n${round}`, expiresAt },
      expected: '',
    };
  }
  if (kind === 1 && prng.below(4) === 0) {
    const amount = ((1 + prng.below(60)) * usdt) as Money;
    const account = openNaive(model, wallet);
    account.funded = true;
    account.money += amount;
    return {
      command: { kind: 'credit', address: wallet, amount, reference: `c${round}` },
      expected: '',
    };
  }
  if (known === undefined) return undefined;
  const account = known.number as AccountId;
  if (kind === 2) {
    const apiKey = round.toString(16).padStart(64, '0');
    const command = { kind: 'createApiKey', account, apiKey, profile: 'p' } as const;
    if (known.keys === 30) return { command, expected: 'apiKeysLimit' };
    known.keys += 1;
    return { command, expected: '' };
  }
  if (kind === 3) {
    const [key] = world.exchange.accounts[account]!.apiKeys;
    if (key === undefined) return undefined;
    known.keys -= 1;
    known.since = model.time;
    const { id, createdAt } = key;
    return { command: { kind: 'deleteApiKey', account, id, createdAt }, expected: '' };
  }
  if (kind === 4) return drawTrigger(world, known, round);
  if (kind === 5) return drawCountdown(prng, model, known);
  if (kind === 6) return drawConnection(prng, model, known);
  const amount = (prng.below(30) * usdt + 1) as Money;
  const asked = { idempotencyKey: '', idempotencyRequest: '' };
  const command = { kind: 'requestWithdrawal', account, amount, ...asked } as const;
  if (amount > known.money) return { command, expected: 'balanceInsufficient' };
  known.money -= amount;
  while (known.triggers.length * 10 * usdt > known.money) known.triggers.pop();
  return { command, expected: '' };
}

function drawTrigger(world: World, known: Naive, round: number): Step {
  const id = `t${round}`;
  world.names.set(known.wallet, known.wallet);
  const words = `buy 0.001 STOP_MARKET stop 61000 id ${id}`.split(' ');
  const command = triggerPlacement(world, known.wallet, words);
  if ((known.triggers.length + 1) * 10 * usdt > known.money) {
    return { command, expected: 'equityInsufficient' };
  }
  known.triggers.push(id);
  return { command, expected: '' };
}

function drawCountdown(prng: Prng, model: Model, known: Naive): Step {
  const market = prng.below(markets);
  const milliseconds = prng.below(3) === 0 ? 0 : 1 + prng.below(3_600_000);
  const account = known.number as AccountId;
  const of = { account, market: market as MarketId, milliseconds };
  const command = { kind: 'setCountdown', ...of } as const;
  const elsewhere = known.countdowns.filter((at, other) => other !== market && at > 0).length;
  // The triggers are on the first market.
  const cancels = market === 0 && known.triggers.length > 0;
  const runs = known.countdowns[market]! > 0;
  const carried = (elsewhere + 1) * 10 * usdt <= known.money;
  if (milliseconds > 0 && !cancels && !runs && !carried) {
    return { command, expected: 'equityInsufficient' };
  }
  known.countdowns[market] = milliseconds === 0 ? 0 : model.time + milliseconds;
  return { command, expected: '' };
}

/** The triggers open, and are on the first market. */
function drawConnection(prng: Prng, model: Model, known: Naive): Step {
  const account = known.number as AccountId;
  const connection = Number(known.wallet) * 100 + 1 + prng.below(10);
  const draw = prng.below(8);
  if (draw === 0) {
    known.armed.delete(connection);
    return { command: { kind: 'disarmConnection', account, connection }, expected: '' };
  }
  if (draw === 1) {
    const all = prng.below(20) === 0;
    for (const each of all ? model.accounts : [known]) endNaive(each, all ? undefined : connection);
    const connections = all ? undefined : [connection];
    return { command: { kind: 'endConnections', connections }, expected: '' };
  }
  const markets = ([[], [0], [1], [0, 1]] as MarketId[][])[prng.below(4)]!;
  const command = { kind: 'armConnection', account, connection, markets } as const;
  const isFirst = markets.length === 0 || markets.includes(0 as MarketId);
  const paying = known.armed.size + (isFirst && known.triggers.length > 0 ? 0 : 1);
  if (!known.armed.has(connection)) {
    if (known.armed.size === 8) return { command, expected: 'connectionsLimit' };
    if (paying * 10 * usdt > known.money) return { command, expected: 'equityInsufficient' };
  }
  known.armed.set(connection, markets);
  model.armedMost = Math.max(model.armedMost, known.armed.size);
  return { command, expected: '' };
}

/** Ends one connection of the account, or all. */
function endNaive(known: Naive, connection: number | undefined): void {
  for (const id of connection === undefined ? [...known.armed.keys()] : [connection]) {
    const markets = known.armed.get(id);
    if (markets?.length === 0 || markets?.includes(0)) known.triggers = [];
    known.armed.delete(id);
  }
}

function compare({ exchange }: World, model: Model, where: string): void {
  const reported = exchange.accounts.flatMap((account) => {
    if (account === undefined || account.id === 0) return [];
    const { id, address, apiKeys, available, triggers, guestSince, positions } = account;
    const ends = Array.from({ length: markets }, (_, market) => {
      const timer = exchange.timers.byId.get(positions[market]?.countdown ?? 0);
      return timer?.time ?? 0;
    });
    const names = triggers.map(({ clientOrderId }) => clientOrderId);
    const armed = [...exchange.connections.armed.values()].filter((each) => each.account === id);
    const numbers = armed.map((each) => each.id).sort((a, b) => a - b);
    return [{ id, address, keys: apiKeys.length, available, names, guestSince, ends, numbers }];
  });
  const expected = model.accounts
    .sort((a, b) => a.number - b.number)
    .map((account) => ({
      id: account.number,
      address: account.wallet,
      keys: account.keys,
      available: account.money,
      names: account.triggers,
      guestSince: isGuest(account) ? account.since : 0,
      ends: account.countdowns,
      numbers: [...account.armed.keys()].sort((a, b) => a - b),
    }));
  expect(reported, where).toEqual(expected);
}

function readBack(exchange: Exchange): Exchange {
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => sections.push(section));
  const copy = decodeSnapshot(sections);
  expect(stateHash(copy)).toBe(stateHash(exchange));
  return copy;
}

test.each([1, 2, 3, 4, 5, 6])(
  'AUTH-5a TRG-7 ORD-13b the naive model agrees about what takes room, COD-3 included, seed %i',
  (seed) => {
    const prng = createPrng(seed);
    let world = play(createWorld(), 'market BTCUSDT\nmarket ETHUSDT\nindex 60000');
    const model: Model = {
      time: world.exchange.time,
      accounts: [],
      free: [],
      top: 1,
      reused: 0,
      armedMost: 0,
    };
    const seen = new Map<string, number>();
    for (let round = 1; round <= 1500; round += 1) {
      if (prng.below(4) === 0) {
        const far = prng.below(12) === 0;
        const pause = far ? prng.below(2 * dayMs) : prng.below(90_000);
        passNaive(model, model.time + pause);
        beginBatch(world.exchange, model.time as Time);
        // Whatever a day brings, the mark stays, and is fresh.
        world.exchange.markets[0]!.prices.indexAt = world.exchange.time;
      }
      if (round % 100 === 0) world = { ...world, exchange: readBack(world.exchange) };
      const step = draw(prng, world, model, round);
      if (step === undefined) continue;
      const outcome = applyCommand(world.exchange, step.command, 0 as Time);
      const where = `round ${round}, ${JSON.stringify(step.command)}`;
      const reason = outcome.kind === 'rejected' ? outcome.rejection.reason : '';
      expect(reason, where).toBe(step.expected);
      seen.set(step.expected, (seen.get(step.expected) ?? 0) + 1);
      compare(world, model, where);
      if (round % 25 === 0) expect(checkInvariants(world.exchange).failures, where).toEqual([]);
    }
    expect(seen.get('equityInsufficient')).toBeGreaterThan(50);
    expect(model.armedMost).toBeGreaterThan(2);
    expect(model.reused).toBeGreaterThan(5);
  },
);
