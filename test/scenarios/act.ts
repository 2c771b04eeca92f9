// The words of a scenario that do something: each becomes one command, whose outcome is left in
// `world.last`. The grammar is in docs/rules/README.md.

import { applyCommand, beginBatch, testOrder } from '../../src/engine/apply.ts';
import { markHoldersDirty } from '../../src/engine/clearing/liquidationIndex.ts';
import type { Command, PlaceOrder } from '../../src/engine/command.ts';
import type { Market } from '../../src/engine/market.ts';
import { type MarketStatus, type MarketTerms, termsAfter } from '../../src/engine/marketTerms.ts';
import type { SelfTradeMode, TimeInForce } from '../../src/engine/orderTypes.ts';
import type { Lots, Money, Rate, Ticks, Time } from '../../src/units/units.ts';
import { attachedFrom, orderReference } from './legWords.ts';
import {
  accountOf,
  addressOf,
  defaultTerms,
  flag,
  grids,
  marketOf,
  money,
  option,
  scaled,
  type World,
} from './world.ts';

const moneyTerms = new Set(['minOrderSize', 'maxOrderSize', 'openInterestCap', 'fundTarget']);
const plainTerms = new Set(['maxLeverage', 'fundingIntervalHours', 'deliveryTime']);

/** Runs a step that begins with a word of the exchange or the operator; false: not such a step. */
export function actForAll(world: World, words: readonly string[]): boolean {
  const [first, ...rest] = words;
  switch (first) {
    case 'market':
      runMarket(world, rest);
      return true;
    case 'change':
      runChange(world, rest);
      return true;
    case 'credit':
      runCredit(world, rest);
      return true;
    case 'correct':
      runCorrect(world, rest);
      return true;
    case 'index':
      runIndex(world, rest);
      return true;
    case 'drift':
      runDrift(world, rest);
      return true;
    case 'house': {
      const address = addressOf(world, rest[0]!);
      const house = rest[1] !== 'off';
      apply(world, { kind: 'flagAccount', address, house, feeTier: undefined });
      return true;
    }
    case 'login':
      runLogin(world, rest);
      return true;
    case 'after':
      beginBatch(world.exchange, (world.exchange.time + Number(rest[0])) as Time);
      return true;
    default:
      return false;
  }
}

/** Runs a step of an account, by the name of the account; false: the verb is none of these. */
export function actFor(world: World, name: string, words: readonly string[]): boolean {
  const [verb, ...rest] = words;
  const place = () => {
    const market = marketOf(world, rest).id;
    return { account: accountOf(world, name).id, market };
  };
  switch (verb) {
    case 'buy':
    case 'sell':
      runPlace(world, placement(world, name, verb, rest), option(rest, 'deadline'));
      return true;
    case 'test':
      // A trigger's word (triggerWords.ts).
      if (rest[0] === 'trigger') return false;
      ({ outcome: world.last } = testOrder(
        world.exchange,
        placement(world, name, rest.shift() as 'buy' | 'sell', rest),
      ));
      return true;
    case 'modify':
      runModify(world, name, rest);
      return true;
    case 'cancel': {
      const order = orderReference(world, name, rest[0]!);
      const account = accountOf(world, name).id;
      apply(world, { kind: 'cancelOrder', account, market: undefined, order });
      return true;
    }
    case 'cancelAll':
      if (rest[0] !== 'every') apply(world, { kind: 'cancelAllOrders', ...place() });
      else {
        const { id } = accountOf(world, name);
        apply(world, { kind: 'cancelAllOrders', account: id, market: undefined });
      }
      return true;
    case 'leverage':
      apply(world, { kind: 'setLeverage', ...place(), leverage: Number(rest[0]) });
      return true;
    case 'countdown':
      apply(world, { kind: 'setCountdown', ...place(), milliseconds: Number(rest[0]) });
      return true;
    default:
      return false;
  }
}

function apply(world: World, command: Command, deadline = 0): void {
  world.last = applyCommand(world.exchange, command, deadline as Time);
}

function termsFrom(words: readonly string[]): Partial<MarketTerms> {
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
    } else if (name === 'brackets') {
      terms[name] = value.split(',').map((part) => {
        const [upTo, rate] = part.split(':');
        return { upTo: money(upTo!), rate: scaled(rate!, 8) };
      });
    } else if (plainTerms.has(name)) terms[name] = Number(value);
    else if (moneyTerms.has(name)) terms[name] = money(value);
    else terms[name] = scaled(value, 8);
  }
  return terms as Partial<MarketTerms>;
}

function runMarket(world: World, words: string[]): void {
  const status = (option(words, 'status') ?? 'TRADING') as MarketStatus;
  const [symbol, ...terms] = words;
  const grid = grids[symbol!] ?? grids.BTCUSDT!;
  const baseAsset = symbol!.replace(/USDT$/, '');
  const full = termsAfter(defaultTerms, termsFrom(terms));
  apply(world, { kind: 'listMarket', symbol: symbol!, baseAsset, ...grid, terms: full, status });
}

function runChange(world: World, words: string[]): void {
  const status = option(words, 'status') as MarketStatus | undefined;
  const market = marketOf(world, words);
  apply(world, { kind: 'changeMarket', market: market.id, terms: termsFrom(words), status });
}

function runCorrect(world: World, words: string[]): void {
  const reference = option(words, 'reference') ?? `correct-${world.exchange.credits.size}`;
  const address = addressOf(world, words[0]!);
  const [, credit, amount] = words;
  apply(world, {
    kind: 'correctCredit',
    address,
    credit: credit!,
    amount: money(amount!),
    reference,
  });
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

/** Prices without a tick: no account is tested at them, so that a fill check is visible alone. */
function runDrift(world: World, words: string[]): void {
  const market = marketOf(world, words);
  const ticks = scaled(words[0]!, market.tick.decimals, market.tick.step) as Ticks;
  market.prices.index = ticks;
  market.prices.mark = ticks;
  markHoldersDirty(world.exchange, market);
}

function runLogin(world: World, words: string[]): void {
  const nonce = option(words, 'nonce') ?? 'nonce';
  const expiresAt = (world.exchange.time + Number(option(words, 'expires') ?? 300_000)) as Time;
  apply(world, { kind: 'login', address: addressOf(world, words[0]!), nonce, expiresAt });
}

function runPlace(world: World, command: PlaceOrder, deadline: string | undefined): void {
  apply(world, command, deadline === undefined ? 0 : world.exchange.time + Number(deadline));
}

function lotsFrom(market: Market, words: readonly string[]): Lots {
  return scaled(words[0]!, market.lot.decimals, market.lot.step) as Lots;
}

/** `QUANTITY @ PRICE` or `QUANTITY market` or `quote MONEY market`, with its options. */
export function placement(
  world: World,
  name: string,
  verb: 'buy' | 'sell',
  words: string[],
): PlaceOrder {
  const clientOrderId = option(words, 'id') ?? '';
  const selfTradeMode = option(words, 'stp') as SelfTradeMode | undefined;
  const quote = option(words, 'quote');
  const slippage = option(words, 'slippage');
  const idempotencyKey = option(words, 'key') ?? '';
  const idempotencyRequest = option(words, 'request') ?? '';
  const reduceOnly = flag(words, 'reduceOnly');
  const isMarket = flag(words, 'market');
  const market = marketOf(world, words);
  const attached = attachedFrom(market, words);
  const tif = ['IOC', 'FOK', 'GTX'].find((word) => flag(words, word)) ?? 'GTC';
  const at = words.indexOf('@');
  const { tick } = market;
  const ticks = at < 0 ? 0 : scaled(words[at + 1]!, tick.decimals, tick.step);
  return {
    kind: 'placeOrder',
    account: accountOf(world, name).id,
    market: market.id,
    side: verb === 'buy' ? 1 : -1,
    type: isMarket ? 'MARKET' : 'LIMIT',
    timeInForce: (isMarket ? 'IOC' : tif) as TimeInForce,
    lots: quote === undefined ? lotsFrom(market, words) : (0 as Lots),
    quote: (quote === undefined ? 0 : money(quote)) as Money,
    ticks: ticks as Ticks,
    reduceOnly,
    selfTradeMode,
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    clientOrderId,
    maxSlippage: slippage === undefined ? undefined : (scaled(slippage, 8) as Rate),
    attached,
    idempotencyKey,
    idempotencyRequest,
  };
}

function runModify(world: World, name: string, words: string[]): void {
  const market = marketOf(world, words);
  const side = flag(words, 'buy') ? 1 : flag(words, 'sell') ? -1 : undefined;
  const [clientOrderId, ...terms] = words;
  apply(world, {
    kind: 'modifyOrder',
    account: accountOf(world, name).id,
    market: market.id,
    order: orderReference(world, name, clientOrderId!),
    side,
    lots: lotsFrom(market, terms),
    ticks: scaled(terms[2]!, market.tick.decimals, market.tick.step) as Ticks,
  });
}
