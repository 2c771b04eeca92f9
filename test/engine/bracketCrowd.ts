// A crowd that opens, closes, turns and halves positions at random in a market with brackets, over
// moving prices, while accounts are liquidated, taken over and deleveraged (MAR-10c). A ledger
// beside the engine, made of its events alone, knows in which bracket each part of a position
// entered, and at which price. The properties: lots that entered below a bound never exceed it at
// the price of the last of them, so that the hole of a side by its rates never exceeds that of the
// table, scaled by the mark over the lowest price at which the side's present positions opened; and
// the equity that the accounts have, also those that wait in liquidation, leaves no larger hole.

import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Bracket } from '../../src/engine/bracket.ts';
import { marginStatusOf, subjectOf } from '../../src/engine/clearing/marginStatus.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Event } from '../../src/engine/event.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import type { Fill } from '../../src/engine/fill.ts';
import { insuranceAccount } from '../../src/engine/marginModes.ts';
import type { Market } from '../../src/engine/market.ts';
import type { Side } from '../../src/engine/orderTypes.ts';
import { holeOfTable } from '../../src/engine/views/holeOfTable.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import {
  type AccountId,
  type MarketId,
  type Money,
  type Rate,
  rateOne,
  type Ticks,
  type Time,
  usdt,
} from '../../src/units/units.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { defaultTerms } from '../scenarios/world.ts';

export type CrowdRun = { readonly seed: number; readonly commands: number };

export type CrowdResult = {
  readonly violations: readonly string[];
  /** Fills that opened, closed in part, closed, and turned a position; forced closes among them. */
  readonly opened: number;
  readonly reduced: number;
  readonly closed: number;
  readonly turned: number;
  readonly forced: number;
  /** The largest hole by rates as a part of its bound, at the same prices and scaled. */
  readonly filled: number;
  /** The same of the hole that equity leaves. */
  readonly bare: number;
  /** The least part of its maintenance that an account had, at most 1. */
  readonly least: number;
};

/** What the ledger knows of one position. */
type Holding = {
  lots: number;
  /** Lots by bracket, and a close takes of all alike; their sum is |lots|. */
  parts: number[];
  /** The lowest price at which the present position opened. */
  low: number;
};

type Crowd = {
  readonly exchange: Exchange;
  readonly prng: Prng;
  readonly holdings: Map<AccountId, Holding>;
  readonly violations: string[];
  readonly counts: {
    opened: number;
    reduced: number;
    closed: number;
    turned: number;
    forced: number;
  };
  index: number;
  filled: number;
  bare: number;
  least: number;
};

const market = 0 as MarketId;
const accounts = 9;
/** This account's positions count in no open interest. */
const house = 1 as AccountId;
const cap = 150_000 * usdt;
const modes = ['cross', 'isolated', 'unified'] as const;

const marketOf = ({ exchange }: Crowd): Market => exchange.markets[market]!;

const apply = (crowd: Crowd, command: Command): void => {
  const outcome = applyCommand(crowd.exchange, command, 0 as Time);
  if (outcome.kind === 'rejected' && outcome.rejection.reason === 'fault') {
    crowd.violations.push(`${command.kind}: ${JSON.stringify(outcome.rejection)}`);
  }
};

/** Up to five brackets whose bounds and rates rise to the cap and to 20 % at most. */
function drawBrackets(prng: Prng): readonly Bracket[] {
  const bounds = Array.from(
    { length: prng.below(5) },
    () => 1 + Math.floor(prng.unit() * (cap - 1)),
  );
  const rising = [...new Set(bounds)].sort((a, b) => a - b);
  let rate = 1_000_000;
  return [...rising, cap].map((upTo, i) => {
    if (i > 0) rate += prng.below(4_000_000);
    return { upTo: upTo as Money, rate: rate as Rate };
  });
}

function createCrowd(seed: number): Crowd {
  const prng = createPrng(seed);
  const exchange = createExchange(43113);
  const crowd: Crowd = {
    exchange,
    prng,
    holdings: new Map(),
    violations: [],
    counts: { opened: 0, reduced: 0, closed: 0, turned: 0, forced: 0 },
    index: 10_000,
    filled: 0,
    bare: 0,
    least: 1,
  };
  beginBatch(exchange, 1_760_000_000_000 as Time);
  const grid = { tick: { decimals: 2, step: 1 }, lot: { decimals: 2, step: 1 } };
  const terms = {
    ...defaultTerms,
    openInterestCap: cap as Money,
    brackets: drawBrackets(prng),
    gapRate: (1_000_000 + prng.below(19_000_000)) as Rate,
    priceBand: (rateOne / 2) as Rate,
    maxMarketSlippage: (rateOne / 2) as Rate,
    indexSources: [{ source: 'manual', weight: 1 }],
  };
  const names = { symbol: 'ABCUSDT', baseAsset: 'ABC' };
  apply(crowd, { kind: 'listMarket', ...names, ...grid, terms, status: 'TRADING' });
  for (let account = 1; account <= accounts; account += 1) {
    const address = `0x${String(account).padStart(40, '0')}`;
    const amount = ((5000 + prng.below(100_000)) * usdt) as Money;
    apply(crowd, { kind: 'credit', address, amount, reference: address });
    const id = account as AccountId;
    apply(crowd, { kind: 'setMarginMode', account: id, mode: modes[prng.below(3)]! });
    const leverage = 1 + prng.below([5, 12, 50][prng.below(3)]!);
    apply(crowd, { kind: 'setLeverage', account: id, market, leverage });
    if (id === house)
      apply(crowd, { kind: 'flagAccount', address, house: true, feeTier: undefined });
  }
  const fund = (prng.below(20_000) * usdt + 1) as Money;
  apply(crowd, { kind: 'creditInsurance', amount: fund, reference: 'fund' });
  tick(crowd);
  return crowd;
}

function tick(crowd: Crowd): void {
  const { exchange, prng } = crowd;
  // Long enough for the breaker to let go, now and then.
  const pause = [250, 250, 1000, 100_000][prng.below(4)]!;
  beginBatch(exchange, (exchange.time + pause) as Time);
  const ticks = crowd.index as Ticks;
  const prices = [{ market, source: 'manual', ticks, observedAt: exchange.time }];
  apply(crowd, { kind: 'indexTick', prices });
}

/** Mostly small steps; now and then one that bankrupts, and a return to where it began. */
function move(crowd: Crowd): void {
  const { prng } = crowd;
  const width = [0.002, 0.002, 0.002, 0.01, 0.01, 0.02, 0.09][prng.below(7)]!;
  const drawn = crowd.index * (1 + width * (2 * prng.unit() - 1));
  const home = prng.below(12) === 0 ? 10_000 : drawn;
  const bounded = Math.max(crowd.index * 0.91, Math.min(crowd.index * 1.09, home));
  crowd.index = Math.max(1000, Math.round(bounded));
}

function drawCommand(crowd: Crowd): Command {
  const { exchange, prng } = crowd;
  const account = exchange.accounts[1 + prng.below(accounts)]!;
  const { id } = account;
  const draw = prng.below(100);
  if (draw < 4) {
    return {
      kind: 'setLeverage',
      account: id,
      market,
      leverage: 1 + prng.below([5, 12, 50][prng.below(3)]!),
    };
  }
  if (draw < 7) return { kind: 'cancelAllOrders', account: id, market };
  if (draw < 9) {
    // Who was liquidated comes back.
    const amount = ((1 + prng.below(50_000)) * usdt) as Money;
    return { kind: 'credit', address: account.address, amount, reference: `${exchange.sequence}` };
  }
  const held = account.positions[market]?.lots ?? 0;
  const closes = held !== 0 && prng.below(100) < 45;
  const side: Side = closes ? (held > 0 ? -1 : 1) : prng.below(2) === 0 ? 1 : -1;
  const mark = marketOf(crowd).prices.mark;
  const away = Math.round(mark * [0, 0, 0.001, 0.02][prng.below(4)]! * prng.unit());
  const lots = closes
    ? closing(prng, Math.abs(held))
    : 1 + prng.below([200, 3000, 30_000][prng.below(3)]!);
  const type = prng.below(4) === 0 ? 'MARKET' : 'LIMIT';
  const limit = Math.max(1, mark + (prng.below(2) === 0 ? side : -side) * away);
  return orderCommand({
    account: id,
    market,
    side,
    type,
    timeInForce: type === 'LIMIT' && prng.below(5) === 0 ? 'IOC' : 'GTC',
    lots,
    ticks: type === 'LIMIT' ? limit : 0,
    reduceOnly: closes && prng.below(3) === 0,
  });
}

/** All, a part, one lot, or more than there is: the position turns. */
function closing(prng: Prng, size: number): number {
  const draw = prng.below(10);
  if (draw < 3) return size;
  if (draw < 7) return 1 + prng.below(size);
  return draw === 7 ? 1 : size + 1 + prng.below(size);
}

const isCounted = (account: AccountId): boolean =>
  account !== insuranceAccount && account !== house;

function holdingOf({ holdings }: Crowd, account: AccountId): Holding {
  const known = holdings.get(account);
  if (known !== undefined) return known;
  const none: Holding = { lots: 0, parts: [], low: Number.POSITIVE_INFINITY };
  holdings.set(account, none);
  return none;
}

/** Every fill of the events, in the order in which the engine settled them. */
function follow(crowd: Crowd, events: readonly Event[]): void {
  for (const event of events) {
    if (event.kind === 'traded') {
      takeFill(crowd, event.taker, event.ticks);
      takeFill(crowd, event.maker, event.ticks);
      crowd.counts.forced += Number(event.liquidation);
    } else if (event.kind === 'takenOver') {
      takeFill(crowd, event.account, event.ticks);
      crowd.counts.forced += 1;
    } else if (event.kind === 'deleveraged') {
      takeFill(crowd, event.bankrupt, event.ticks);
      takeFill(crowd, event.counterparty, event.ticks);
      crowd.counts.forced += 1;
    }
  }
}

function takeFill(crowd: Crowd, { account, position: after }: Fill, ticks: Ticks): void {
  if (!isCounted(account)) return;
  const holding = holdingOf(crowd, account);
  const { counts } = crowd;
  const before = holding.lots;
  const kept = before * after > 0 ? Math.min(Math.abs(before), Math.abs(after)) : 0;
  if (kept < Math.abs(before)) {
    holding.parts = holding.parts.map((part) => (part * kept) / Math.abs(before));
    holding.lots = Math.sign(before) * kept;
    if (kept === 0) holding.low = Number.POSITIVE_INFINITY;
    counts.reduced += Number(kept > 0);
    counts.closed += Number(after === 0);
    counts.turned += Number(before * after < 0);
  }
  const opening = Math.abs(after) - kept;
  if (opening === 0) return;
  counts.opened += 1;
  enter(crowd, holding, { side: Math.sign(after) as Side, opening, ticks });
}

type Opening = { readonly side: Side; readonly opening: number; readonly ticks: Ticks };

/** Divides an opening among the brackets from the open interest of its side on, and checks them. */
function enter(crowd: Crowd, holding: Holding, { side, opening, ticks }: Opening): void {
  const { terms, grain } = marketOf(crowd);
  const perLot = ticks * grain;
  const present = sumOf(crowd, side, ({ lots }) => Math.abs(lots));
  let from = present;
  for (const [i, { upTo }] of terms.brackets.entries()) {
    const end = Math.min(Math.floor(upTo / perLot), present + opening);
    const entered = Math.max(0, end - from);
    holding.parts[i] = (holding.parts[i] ?? 0) + entered;
    from += entered;
  }
  holding.lots += side * opening;
  holding.low = Math.min(holding.low, ticks);
  let below = 0;
  for (const [i, { upTo }] of terms.brackets.entries()) {
    below += sumOf(crowd, side, ({ parts }) => parts[i] ?? 0);
    // Where nothing entered below the bound now, an earlier opening has been checked.
    if (present * perLot > upTo || below * perLot <= upTo * (1 + 1e-9)) continue;
    crowd.violations.push(`${below * perLot} entered below the bound ${upTo}`);
  }
}

function sumOf(crowd: Crowd, side: Side, figureOf: (holding: Holding) => number): number {
  let sum = 0;
  for (const holding of crowd.holdings.values()) {
    if (holding.lots * side > 0) sum += figureOf(holding);
  }
  return sum;
}

/** Of lots × rate in 1e-8 lots: what the closes of a position may have rounded. */
const weightSlack = 1000;

type Holes = {
  /** By the engine's own rates, of which two thirds count. */
  byRates: number;
  /** By the equity of the accounts. */
  byEquity: number;
};

/** The holes of a side at the mark, in floating point. */
function holesOfSide(crowd: Crowd, side: Side): Holes {
  const { exchange } = crowd;
  const { terms, prices, grain } = marketOf(crowd);
  const value = prices.mark * grain;
  const holes = { byRates: 0, byEquity: 0 };
  for (const [account, { lots, parts }] of crowd.holdings) {
    if (lots * side <= 0) continue;
    const size = Math.abs(lots);
    const position = exchange.accounts[account]!.positions[market]!;
    const own = size * terms.maintenanceMarginRate + Number(position.surcharge);
    const loss = (size * terms.gapRate * value) / rateOne;
    const { equity } = marginStatusOf(exchange, subjectOf(exchange, position));
    holes.byRates += Math.max(0, loss - (2 * own * value) / rateOne / 3);
    holes.byEquity += Math.max(0, loss - equity);
    crowd.least = Math.min(crowd.least, (equity * rateOne) / (own * value));
    const entered = parts.reduce((sum, part, i) => sum + part * terms.brackets[i]!.rate, 0);
    if (Math.abs(own - entered) > weightSlack) {
      crowd.violations.push(`a rate of ${own / size} where the brackets make ${entered / size}`);
    }
  }
  return holes;
}

/** The hole of a side against that of the table, scaled by the mark over the lowest opening. */
function check(crowd: Crowd): void {
  const { terms, prices, grain } = marketOf(crowd);
  for (const side of [1, -1] as const) {
    let low = Number.POSITIVE_INFINITY;
    let positions = 0;
    for (const holding of crowd.holdings.values()) {
      if (holding.lots * side <= 0) continue;
      low = Math.min(low, holding.low);
      positions += 1;
    }
    if (positions === 0) continue;
    const { byRates, byEquity } = holesOfSide(crowd, side);
    const scaled = (holeOfTable(terms.brackets, terms.gapRate, cap as Money) * prices.mark) / low;
    const slack = 1 + (positions * weightSlack * prices.mark * grain) / rateOne;
    if (byRates > scaled + slack || byEquity > scaled + slack) {
      const holes = `${byRates} by rates and ${byEquity} by equity`;
      crowd.violations.push(`holes of ${holes} above the bound ${scaled} of side ${side}`);
    }
    if (scaled === 0) continue;
    crowd.filled = Math.max(crowd.filled, byRates / scaled);
    crowd.bare = Math.max(crowd.bare, byEquity / scaled);
  }
}

export function runCrowd({ seed, commands }: CrowdRun): CrowdResult {
  const crowd = createCrowd(seed);
  const { exchange, prng } = crowd;
  for (let at = 0; at < commands && crowd.violations.length === 0; at += 1) {
    exchange.events = [];
    if (prng.below(8) === 0) {
      move(crowd);
      tick(crowd);
    } else apply(crowd, drawCommand(crowd));
    follow(crowd, exchange.events);
    check(crowd);
  }
  for (const [account, { lots }] of crowd.holdings) {
    const position = exchange.accounts[account]!.positions[market]!;
    if (position.lots !== lots) crowd.violations.push(`account ${account} has other lots`);
  }
  const { violations, counts, filled, bare, least } = crowd;
  return { violations, ...counts, filled, bare, least };
}
