// The language of the scenarios: one line a step, the verbs being the names of commands. Every step
// is followed by the full invariants, and a rejected one must leave the state hash as it was.
// The grammar stands in docs/rules/README.md.

import { expect, test } from 'vitest';
import { type Account, positionIn } from '../../src/engine/account.ts';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { clientOrderIdOf } from '../../src/engine/clientOrderId.ts';
import type { Command, PlaceOrder } from '../../src/engine/command.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants.ts';
import type { Grid, Market, MarketTerms } from '../../src/engine/market.ts';
import type { Order, SelfTradeMode, TimeInForce } from '../../src/engine/order.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import { stateHash } from '../../src/engine/stateHash.ts';
import { depthOfMarket } from '../../src/engine/views/depthOfMarket.ts';
import { liquidationTicks } from '../../src/engine/views/positionFigures.ts';
import {
  createEndedOrders,
  findEndedOrder,
  rememberEndedOrder,
} from '../../src/market-data/endedOrders.ts';
import { formatTrimmed, parseScaled } from '../../src/units/decimal.ts';
import type { Lots, Money, Rate, Ticks, Time } from '../../src/units/units.ts';

const grids: Record<string, { tick: Grid; lot: Grid }> = {
  BTCUSDT: { tick: { decimals: 1, step: 1 }, lot: { decimals: 3, step: 1 } },
  ETHUSDT: { tick: { decimals: 2, step: 1 }, lot: { decimals: 2, step: 1 } },
  AVAXUSDT: { tick: { decimals: 3, step: 1 }, lot: { decimals: 1, step: 1 } },
};

/** The terms of a scenario's market before its own words change them (NUM-1). */
export const defaultTerms: MarketTerms = {
  maxLeverage: 50,
  maintenanceMarginRate: 1_000_000 as Rate,
  liquidationFeeRate: 500_000 as Rate,
  minOrderSize: 5_000_000 as Money,
  maxOrderSize: 1_000_000_000_000 as Money,
  openInterestCap: 20_000_000_000_000 as Money,
  fundingFactor: 1_000_000 as Rate,
  maxFundingRate: 1_000_000 as Rate,
  minFundingRate: -1_000_000 as Rate,
  fundingIntervalHours: 8,
  maxMarketSlippage: 5_000_000 as Rate,
  markClamp: 250_000 as Rate,
  markBand: 2_000_000 as Rate,
  makerFee: 20_000 as Rate,
  takerFee: 50_000 as Rate,
  selfTradePrevention: 'EXPIRE_MAKER',
  indexSources: [{ source: 'sim', weight: 1 }],
  underlyingType: 'COIN',
  deliveryTime: 0 as Time,
};

const moneyTerms = new Set(['minOrderSize', 'maxOrderSize', 'openInterestCap']);
const plainTerms = new Set(['maxLeverage', 'fundingIntervalHours', 'deliveryTime']);

export type World = {
  readonly exchange: Exchange;
  readonly names: Map<string, string>;
  readonly ended: ReturnType<typeof createEndedOrders>;
  readonly trades: { symbol: string; text: string }[];
  last: Outcome | undefined;
};

export function createWorld(): World {
  const exchange = createExchange(43113);
  beginBatch(exchange, 1_760_000_000_000 as Time);
  return { exchange, names: new Map(), ended: createEndedOrders(), trades: [], last: undefined };
}

/** Runs the lines as one test. `title` begins with the codes of the rules it proves. */
export function scenario(title: string, text: string): void {
  test(title, () => {
    const world = createWorld();
    for (const [index, raw] of text.split('\n').entries()) {
      const line = raw.replace(/#.*$/, '').trim();
      if (line === '') continue;
      runStep(world, line, `line ${index + 1}: ${line}`);
    }
  });
}

function runStep(world: World, line: string, where: string): void {
  const [step, expected] = line.split('->').map((part) => part.trim());
  const words = step!.split(/\s+/);
  const before = stateHash(world.exchange);
  world.last = undefined;
  runWords(world, words, where);
  if (world.last !== undefined) judge(world, world.last, expected, { before, where });
  else if (expected !== undefined) throw new Error(`${where}: nothing was asked of the exchange`);
  drain(world);
  const invariants = checkInvariants(world.exchange);
  expect(invariants.failures, where).toEqual([]);
}

function judge(
  world: World,
  outcome: Outcome,
  expected: string | undefined,
  context: { before: string; where: string },
): void {
  const { before, where } = context;
  if (outcome.kind === 'rejected') {
    const told = JSON.stringify(outcome.rejection);
    expect(expected?.split(' ')[0], `${where}: was rejected, ${told}`).toBe(
      outcome.rejection.reason,
    );
    expect(stateHash(world.exchange), `${where}: a rejection changes nothing`).toBe(before);
    return;
  }
  if (expected === undefined) return;
  const [status, reason] = expected.split(' ');
  expect(outcome.order?.status, where).toBe(status);
  if (reason !== undefined) expect(outcome.order?.cancelReason, where).toBe(reason);
}

function drain(world: World): void {
  for (const event of world.exchange.events) {
    if (event.kind === 'orderEnded') rememberEndedOrder(world.ended, event.order);
    if (event.kind !== 'traded') continue;
    const market = world.exchange.markets[event.market]!;
    const text = `${lotsText(market, event.lots)}@${ticksText(market, event.ticks)}`;
    world.trades.push({ symbol: market.symbol, text });
  }
  world.exchange.events = [];
}

export function ticksText(market: Market, ticks: number): string {
  return formatTrimmed(ticks * market.tick.step, market.tick.decimals);
}

export function lotsText(market: Market, lots: number): string {
  return formatTrimmed(lots * market.lot.step, market.lot.decimals);
}

function scaled(text: string, decimals: number, step = 1): number {
  const result = parseScaled(text, decimals, step);
  if (result.kind !== 'exact') throw new Error(`${text} is not on the grid`);
  return result.value;
}

const money = (text: string): Money => scaled(text, 6) as Money;

/** Takes `name value` out of the words and gives the value. */
function option(words: string[], name: string): string | undefined {
  const at = words.indexOf(name);
  if (at < 0) return undefined;
  return words.splice(at, 2)[1];
}

function flag(words: string[], name: string): boolean {
  const at = words.indexOf(name);
  if (at >= 0) words.splice(at, 1);
  return at >= 0;
}

function apply(world: World, command: Command, deadline = 0): void {
  world.last = applyCommand(world.exchange, command, deadline as Time);
}

function marketOf(world: World, words: string[]): Market {
  const at = words.findIndex((word) => world.exchange.marketBySymbol.has(word));
  const symbol = at < 0 ? world.exchange.markets[0]!.symbol : words.splice(at, 1)[0]!;
  return world.exchange.markets[world.exchange.marketBySymbol.get(symbol)!]!;
}

/** The wallet that stands for a name. */
export function addressOf(world: World, name: string): string {
  const known = world.names.get(name);
  if (known !== undefined) return known;
  const address = `0x${Buffer.from(name).toString('hex').padEnd(40, '0').slice(0, 40)}`;
  world.names.set(name, address);
  return address;
}

export function accountOf(world: World, name: string): Account {
  const id = world.exchange.accountByAddress.get(addressOf(world, name));
  if (id === undefined) throw new Error(`${name} has no account yet`);
  return world.exchange.accounts[id]!;
}

function runWords(world: World, words: string[], where: string): void {
  const [first, ...rest] = words;
  switch (first) {
    case 'market':
      return runMarket(world, rest);
    case 'change':
      return runChange(world, rest);
    case 'credit':
      return runCredit(world, rest);
    case 'index':
      return runIndex(world, rest);
    case 'house': {
      const house = rest[1] !== 'off';
      const address = addressOf(world, rest[0]!);
      return apply(world, { kind: 'flagAccount', address, house, feeTier: undefined });
    }
    case 'after':
      beginBatch(world.exchange, (world.exchange.time + Number(rest[0])) as Time);
      return;
    case 'book':
      return expectBook(world, rest, where);
    case 'mark':
      return expectPrice(world, rest, where, 'mark');
    case 'openInterest':
      return expectOpenInterest(world, rest, where);
    case 'trades':
      return expectTrades(world, rest, where);
    case 'funds':
      return expectFunds(world, rest, where);
    default:
      return runAccount(world, first!, rest, where);
  }
}

function termsFrom(words: string[]): Partial<MarketTerms> {
  const terms: Record<string, unknown> = {};
  for (let i = 0; i < words.length; i += 2) {
    const name = words[i]!;
    const value = words[i + 1]!;
    if (!(name in defaultTerms)) throw new Error(`${name} is no term of a market`);
    if (name === 'selfTradePrevention') terms[name] = value;
    else if (name === 'indexSources') {
      terms[name] = value.split(',').map((part) => {
        const [source, weight] = part.split(':');
        return { source, weight: Number(weight) };
      });
    } else if (plainTerms.has(name)) terms[name] = Number(value);
    else if (moneyTerms.has(name)) terms[name] = money(value);
    else terms[name] = scaled(value, 8);
  }
  return terms as Partial<MarketTerms>;
}

function runMarket(world: World, words: string[]): void {
  const [symbol, ...terms] = words;
  const grid = grids[symbol!] ?? grids.BTCUSDT!;
  const baseAsset = symbol!.replace(/USDT$/, '');
  const full = { ...defaultTerms, ...termsFrom(terms) };
  const listing = { symbol: symbol!, baseAsset, ...grid, terms: full } as const;
  apply(world, { kind: 'listMarket', ...listing, status: 'TRADING' });
}

function runChange(world: World, words: string[]): void {
  const status = option(words, 'status') as Market['status'] | undefined;
  const market = marketOf(world, words);
  apply(world, { kind: 'changeMarket', market: market.id, terms: termsFrom(words), status });
}

function runCredit(world: World, words: string[]): void {
  const reference = option(words, 'reference') ?? `credit-${world.exchange.credits.size}`;
  const address = addressOf(world, words[0]!);
  apply(world, { kind: 'credit', address, amount: money(words[1]!), reference });
}

function runIndex(world: World, words: string[]): void {
  const source = option(words, 'source') ?? 'sim';
  const observed = option(words, 'observed');
  const market = marketOf(world, words);
  const ticks = scaled(words[0]!, market.tick.decimals, market.tick.step) as Ticks;
  if (observed === undefined) beginBatch(world.exchange, (world.exchange.time + 250) as Time);
  const observedAt = (observed === undefined ? world.exchange.time : Number(observed)) as Time;
  apply(world, { kind: 'indexTick', prices: [{ market: market.id, source, ticks, observedAt }] });
}

function runAccount(world: World, name: string, words: string[], where: string): void {
  const [verb, ...rest] = words;
  switch (verb) {
    case 'buy':
    case 'sell':
      return runPlace(world, name, verb, rest);
    case 'modify':
      return runModify(world, name, rest);
    case 'cancel': {
      const order = { clientOrderId: rest[0]! };
      const account = accountOf(world, name).id;
      return apply(world, { kind: 'cancelOrder', account, market: undefined, order });
    }
    case 'cancelAll': {
      const market = marketOf(world, rest).id;
      return apply(world, { kind: 'cancelAllOrders', account: accountOf(world, name).id, market });
    }
    case 'leverage': {
      const market = marketOf(world, rest).id;
      const leverage = Number(rest[0]);
      const account = accountOf(world, name).id;
      return apply(world, { kind: 'setLeverage', account, market, leverage });
    }
    case 'countdown': {
      const market = marketOf(world, rest).id;
      const milliseconds = Number(rest[0]);
      const account = accountOf(world, name).id;
      return apply(world, { kind: 'setCountdown', account, market, milliseconds });
    }
    case 'has':
      return expectAccount(world, name, rest, where);
    case 'order':
      return expectOrder(world, name, rest, where);
    default:
      throw new Error(`${where}: no such verb`);
  }
}

function runPlace(world: World, name: string, verb: 'buy' | 'sell', words: string[]): void {
  const clientOrderId = option(words, 'id') ?? '';
  const selfTradeMode = option(words, 'stp') as SelfTradeMode | undefined;
  const quote = option(words, 'quote');
  const slippage = option(words, 'slippage');
  const idempotencyKey = option(words, 'key') ?? '';
  const idempotencyRequest = option(words, 'request') ?? '';
  const deadline = option(words, 'deadline');
  const reduceOnly = flag(words, 'reduceOnly');
  const isMarket = flag(words, 'market');
  const market = marketOf(world, words);
  const tif = ['IOC', 'FOK', 'GTX'].find((word) => flag(words, word)) ?? 'GTC';
  const at = words.indexOf('@');
  const { tick, lot } = market;
  const ticks = at < 0 ? 0 : scaled(words[at + 1]!, tick.decimals, tick.step);
  const command: PlaceOrder = {
    kind: 'placeOrder',
    account: accountOf(world, name).id,
    market: market.id,
    side: verb === 'buy' ? 1 : -1,
    type: isMarket ? 'MARKET' : 'LIMIT',
    timeInForce: (isMarket ? 'IOC' : tif) as TimeInForce,
    lots: (quote === undefined ? scaled(words[0]!, lot.decimals, lot.step) : 0) as Lots,
    quote: (quote === undefined ? 0 : money(quote)) as Money,
    ticks: ticks as Ticks,
    reduceOnly,
    selfTradeMode,
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    clientOrderId,
    maxSlippage: slippage === undefined ? undefined : (scaled(slippage, 8) as Rate),
    idempotencyKey,
    idempotencyRequest,
  };
  apply(world, command, deadline === undefined ? 0 : world.exchange.time + Number(deadline));
}

function runModify(world: World, name: string, words: string[]): void {
  const market = marketOf(world, words);
  const side = flag(words, 'buy') ? 1 : flag(words, 'sell') ? -1 : undefined;
  const [clientOrderId, quantity, , price] = words;
  apply(world, {
    kind: 'modifyOrder',
    account: accountOf(world, name).id,
    market: market.id,
    order: { clientOrderId: clientOrderId! },
    side,
    lots: scaled(quantity!, market.lot.decimals, market.lot.step) as Lots,
    ticks: scaled(price!, market.tick.decimals, market.tick.step) as Ticks,
  });
}

function pairs(words: string[]): [string, string][] {
  const result: [string, string][] = [];
  for (let i = 0; i < words.length; i += 2) result.push([words[i]!, words[i + 1]!]);
  return result;
}

function expectAccount(world: World, name: string, words: string[], where: string): void {
  const account = accountOf(world, name);
  const market = marketOf(world, words);
  const position = positionIn(account, market.id);
  const moneyText = (value: number): string => formatTrimmed(value, 6);
  const figures: Record<string, string> = {
    available: moneyText(account.available),
    freezes: moneyText(account.freezes),
    collateral: moneyText(account.collateral),
    balance: moneyText(account.available + account.freezes + account.collateral),
    position: lotsText(market, position.lots),
    entry: moneyText(position.entry),
    held: moneyText(position.collateral),
    orders: String(position.buys.count + position.sells.count),
    liquidation: ticksText(market, liquidationTicks(world.exchange, account, position)),
  };
  for (const [figure, value] of pairs(words)) {
    if (!(figure in figures)) throw new Error(`${where}: ${figure} is no figure of an account`);
    expect(`${figure} ${figures[figure]}`, where).toBe(`${figure} ${value}`);
  }
}

function expectOrder(world: World, name: string, words: string[], where: string): void {
  const account = accountOf(world, name);
  const [clientOrderId, ...rest] = words;
  const live = [...world.exchange.orders.values()].find(
    (order) => order.account === account.id && clientOrderIdOf(order) === clientOrderId,
  );
  const reference = { clientOrderId: clientOrderId! };
  const order: Readonly<Order> | undefined =
    live ?? findEndedOrder(world.ended, account.id, reference);
  if (order === undefined) throw new Error(`${where}: there never was such an order`);
  const market = world.exchange.markets[order.market]!;
  const figures: Record<string, string> = {
    status: order.status,
    reason: order.cancelReason,
    open: lotsText(market, order.open),
    quantity: lotsText(market, order.lots),
    filled: lotsText(market, order.filled),
    price: ticksText(market, order.ticks),
    cover: lotsText(market, order.cover),
    freeze: formatTrimmed(order.freeze, 6),
    leverage: String(order.leverage),
    mark: ticksText(market, order.markAtCreation),
  };
  for (const [figure, value] of pairs(rest)) {
    if (!(figure in figures)) throw new Error(`${where}: ${figure} is no figure of an order`);
    expect(`${figure} ${figures[figure]}`, where).toBe(`${figure} ${value}`);
  }
}

function expectBook(world: World, words: string[], where: string): void {
  const market = marketOf(world, words);
  const depth = depthOfMarket(market, 100);
  const text = (levels: [Ticks, Lots][]): string =>
    levels
      .map(([ticks, lots]) => `${lotsText(market, lots)}@${ticksText(market, ticks)}`)
      .join(' ');
  const told = `bids ${text(depth.bids)} asks ${text(depth.asks)}`.replace(/\s+/g, ' ').trim();
  expect(told, where).toBe(words.join(' '));
}

function expectPrice(world: World, words: string[], where: string, name: 'mark' | 'index'): void {
  const market = marketOf(world, words);
  expect(ticksText(market, market.prices[name]), where).toBe(words[0]);
}

function expectOpenInterest(world: World, words: string[], where: string): void {
  const { figures, ...market } = marketOf(world, words);
  const told = [figures.longLots, figures.shortLots].map((lots) =>
    lotsText({ ...market, figures }, lots),
  );
  expect(told.join(' '), where).toBe(words.join(' '));
}

function expectTrades(world: World, words: string[], where: string): void {
  const { symbol } = marketOf(world, words);
  const told = world.trades.filter((trade) => trade.symbol === symbol).map((trade) => trade.text);
  expect(told.join(' '), where).toBe(words.join(' '));
}

function expectFunds(world: World, words: string[], where: string): void {
  for (const [fund, value] of pairs(words)) {
    const { funds } = world.exchange;
    const figure = funds[fund as 'insurance' | 'feeRevenue' | 'shortfall'];
    expect(`${fund} ${formatTrimmed(figure, 6)}`, where).toBe(`${fund} ${value}`);
  }
}
