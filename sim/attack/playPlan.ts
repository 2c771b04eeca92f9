// Plays a plan: makes lines of its scenery and moves by what the exchange shows at that moment, and
// judges the end.

import { leverageAt } from '../../src/api/leverageAt.ts';
import { deriveBrackets } from '../../src/api/operator/deriveBrackets.ts';
import type { Account } from '../../src/engine/account.ts';
import type { Market } from '../../src/engine/market.ts';
import { leverageOf } from '../../src/engine/views/leverageOf.ts';
import { withdrawable } from '../../src/engine/views/withdrawable.ts';
import { assert } from '../../src/std/assert.ts';
import { type Money, rateOne, usdt } from '../../src/units/units.ts';
import { accountOf, defaultTerms } from '../../test/scenarios/world.ts';
import { type Judgement, judge } from './judge.ts';
import {
  attackerNames,
  honestNames,
  houseName,
  type Move,
  makerName,
  type Plan,
  type Scenery,
  type Side,
  symbols,
} from './plan.ts';
import { act, createStage, type Stage } from './stage.ts';

export type Played = Judgement & { readonly lines: readonly string[] };

type Scene = {
  readonly stage: Stage;
  readonly scenery: Scenery;
  /** The index of each market, as the plan moves it. */
  readonly prices: number[];
  quotes: boolean;
};

const firstPrices = [60_000, 3000] as const;
const priceDecimals = [1, 2] as const;
const lotDecimals = [3, 2] as const;
const houseMoney = 1_000_000_000;
const makerMoney = 100_000_000;

export function playPlan(plan: Plan): Played {
  const { scenery, moves } = plan;
  const names = attackerNames.slice(0, scenery.money.length);
  const stage = createStage(names);
  const scene: Scene = { stage, scenery, prices: [...firstPrices], quotes: scenery.depth > 0 };
  try {
    openScene(scene);
    for (const move of moves) makeMove(scene, move);
    endScene(scene);
    return { ...judge(stage), lines: stage.lines };
  } catch (error) {
    // Where the engine's own assertions stop it, the scenario up to there is the finding.
    const { message } = error as Error;
    throw new Error(`${message}, after\n${stage.lines.join('\n')}`, { cause: error });
  }
}

const priceText = (price: number, market: number): string => price.toFixed(priceDecimals[market]!);

/** Rounded down to whole lots; undefined when nothing is left. */
function lotsText(quantity: number, market: number): string | undefined {
  const scale = 10 ** lotDecimals[market]!;
  const lots = Math.floor(quantity * scale + 1e-9);
  return lots >= 1 ? String(lots / scale) : undefined;
}

function openScene(scene: Scene): void {
  const { stage, scenery } = scene;
  const say = (line: string): boolean => act(stage, line);
  const terms = `fundingIntervalHours ${scenery.fundingHours}${riskTermsOf(scenery)}`;
  for (const symbol of symbols) say(`market ${symbol} ${terms}`);
  say(`credit ${houseName} ${houseMoney}`);
  say(`house ${houseName}`);
  say(`credit ${makerName} ${makerMoney}`);
  if (scenery.makerIsHouse) say(`house ${makerName}`);
  if (scenery.fund > 0) say(`insurance ${scenery.fund}`);
  scenery.money.forEach((money, at) => void say(`credit ${attackerNames[at]} ${money}`));
  symbols.forEach((symbol, at) => void say(`index ${firstPrices[at]} ${symbol}`));
  scenery.honest.forEach(({ side, notional, leverage }, at) => {
    const name = honestNames[at]!;
    const quantity = lotsText(notional / firstPrices[0], 0);
    say(`credit ${name} ${Math.ceil((notional / leverage) * 1.05)}`);
    say(`${name} leverage ${leverage}`);
    say(`${name} ${side} ${quantity} @ ${firstPrices[0]}`);
    say(`${houseName} ${side === 'buy' ? 'sell' : 'buy'} ${quantity} @ ${firstPrices[0]}`);
  });
  quote(scene);
}

/** The terms that an operator with such a fund would list (OPS-7). */
function riskTermsOf({ fund, bracketed }: Scenery): string {
  if (!bracketed) return '';
  const { openInterestCap, maxLeverage, maintenanceMarginRate, minOrderSize } = defaultTerms;
  const table = deriveBrackets({
    fund: (Math.max(fund, fundMin) * usdt) as Money,
    gap: defaultTerms.gapRate,
    cap: openInterestCap,
    maxLeverage,
    baseRate: maintenanceMarginRate,
    orderMin: minOrderSize,
  });
  assert(table.kind === 'derived', 'a fund of this size bears a table');
  const brackets = table.steps.map(({ upTo, rate }) => `${upTo / usdt}:${rate / rateOne}`);
  const others = `accountShareMax 0.25 fundFeeShare 0.2 fundTarget ${fundMin}`;
  return ` brackets ${brackets.join(',')} ${others}`;
}

const fundMin = 20_000;

/** The maker's orders around the present marks, made anew. */
function quote({ stage, scenery, quotes }: Scene): void {
  const { depth, spread } = scenery;
  if (depth === 0) return;
  symbols.forEach((symbol, market) => {
    act(stage, `${makerName} cancelAll ${symbol}`);
    const mark = markOf(stage, market);
    if (!quotes || mark === 0) return;
    for (const away of [1, 4]) {
      const quantity = lotsText((depth * away) / mark, market);
      if (quantity === undefined) continue;
      const bid = priceText(mark * (1 - spread * away), market);
      const ask = priceText(mark * (1 + spread * away), market);
      act(stage, `${makerName} buy ${quantity} @ ${bid} GTX ${symbol}`);
      act(stage, `${makerName} sell ${quantity} @ ${ask} GTX ${symbol}`);
    }
  });
}

const marketAt = (stage: Stage, market: number): Market => stage.world.exchange.markets[market]!;

function markOf(stage: Stage, market: number): number {
  return marketAt(stage, market).prices.mark / 10 ** priceDecimals[market]!;
}

const attacker = ({ stage }: Scene, who: number): Account =>
  accountOf(stage.world, attackerNames[who]!);

function makeMove(scene: Scene, move: Move): void {
  const { stage } = scene;
  const name = 'who' in move ? attackerNames[move.who]! : '';
  switch (move.do) {
    case 'leverage':
      for (const symbol of symbols) act(stage, `${name} leverage ${move.leverage} ${symbol}`);
      return;
    case 'order':
      return trade(scene, move, undefined);
    case 'meet':
      return trade(scene, move, attackerNames[move.friend]);
    case 'close':
      return close(scene, move);
    case 'stop': {
      const position = positionOf(scene, move.who, move.market);
      if (position === 0) return;
      const side = position > 0 ? 'sell' : 'buy';
      const stop = priceText(markOf(stage, move.market) * (1 + move.offset), move.market);
      const symbol = symbols[move.market];
      act(stage, `${name} trigger ${side} close STOP_MARKET stop ${stop} ${symbol}`);
      return;
    }
    case 'cancelAll':
      act(stage, `${name} cancelAll ${symbols[move.market]}`);
      return;
    case 'mode':
      act(stage, `${name} mode ${move.mode}`);
      return;
    case 'collateral':
    case 'withdraw':
      return moveMoney(scene, move);
    case 'bind': {
      const code = `${attackerNames[move.friend]!.toUpperCase()}CODE`;
      act(stage, `${attackerNames[move.friend]} code ${code}`);
      act(stage, `${name} bind ${code}`);
      return;
    }
    case 'claim':
      return claim(scene, move.who);
    default:
      return makeMarketMove(scene, move);
  }
}

type MarketMove = Extract<
  Move,
  { do: 'price' | 'quotes' | 'wait' | 'silence' | 'boundary' | 'deliver' }
>;

function makeMarketMove(scene: Scene, move: MarketMove): void {
  const { stage } = scene;
  switch (move.do) {
    case 'price': {
      const price = Math.max(1, scene.prices[move.market]! * (1 + move.change));
      scene.prices[move.market] = Math.min(price, 1_000_000);
      stateIndex(scene, move.market);
      quote(scene);
      return;
    }
    case 'quotes':
      scene.quotes = move.on;
      quote(scene);
      return;
    case 'wait':
      return pass(scene, move.ms);
    case 'silence':
      act(stage, `after ${move.ms}`);
      return;
    case 'boundary': {
      const hour = 3_600_000 * scene.scenery.fundingHours;
      const { time } = stage.world.exchange;
      const boundary = Math.ceil((time + 1) / hour) * hour;
      const ms = boundary - move.beforeMs - time;
      if (ms > 0) pass(scene, ms);
      return;
    }
    case 'deliver': {
      const { time } = stage.world.exchange;
      const at = (Math.floor(time / 60_000) + move.minutes + 1) * 60_000;
      act(stage, `change BTCUSDT status CLOSE deliveryTime ${at}`);
      return;
    }
  }
}

function stateIndex({ stage, prices }: Scene, market: number): void {
  act(stage, `index ${priceText(prices[market]!, market)} ${symbols[market]}`);
}

/** Time passes, and at its end the prices are live again: three of them if the gap was long. */
function pass(scene: Scene, ms: number): void {
  const { stage } = scene;
  const confirming = ms > 100_000 ? 3 : 1;
  const ticks = 250 * symbols.length;
  const rest = ms - confirming * (ticks + 750);
  if (rest > 0) act(stage, `after ${Math.floor(rest)}`);
  for (let at = 0; at < confirming; at += 1) {
    act(stage, 'after 750');
    symbols.forEach((_, market) => void stateIndex(scene, market));
  }
  quote(scene);
}

const positionOf = (scene: Scene, who: number, market: number): number =>
  attacker(scene, who).positions[market]?.lots ?? 0;

type Trade = Extract<Move, { do: 'order' | 'meet' }>;

function trade(scene: Scene, { who, side, size, offset, market }: Trade, friend?: string): void {
  const { stage } = scene;
  const mark = markOf(stage, market);
  if (mark === 0) return;
  const account = attacker(scene, who);
  const name = attackerNames[who]!;
  const leverage = leverageOf(marketAt(stage, market), account.positions[market]);
  const carried = (Math.max(0, account.available) / usdt) * leverage * size;
  const price = mark * (1 + offset);
  const opposite = side === 'buy' ? 'sell' : 'buy';
  const at = `@ ${priceText(price, market)} ${symbols[market]}`;
  for (let left = carried, orders = 0; orders < ordersMax; orders += 1) {
    const sides = [[name, side] as const, ...(friend ? [[friend, opposite] as const] : [])];
    const most = Math.min(...sides.map(([each, of]) => fitBracket(scene, each, of, market)));
    const quantity = lotsText(Math.min(left, most) / Math.max(price, mark), market);
    if (quantity === undefined) return;
    if (friend !== undefined && !act(stage, `${friend} ${opposite} ${quantity} ${at}`)) return;
    if (!act(stage, `${name} ${side} ${quantity} ${at}`)) return;
    left -= most;
  }
}

/**
 * The largest order that opens within the present bracket of its side, USDT. An account with a
 * higher leverage than the bracket allows lowers it (MAR-10).
 */
function fitBracket({ stage }: Scene, name: string, side: Side, market: number): number {
  const { terms, figures, grain, prices } = marketAt(stage, market);
  const lots = side === 'buy' ? figures.longLots : figures.shortLots;
  const interest = lots * prices.mark * grain;
  // What is left of a bracket may be too little for an order.
  const bracket =
    terms.brackets.find(({ upTo }) => upTo - interest > terms.minOrderSize * 2) ??
    terms.brackets.at(-1)!;
  const allowed = bracket === terms.brackets[0] ? terms.maxLeverage : leverageAt(bracket.rate);
  const position = accountOf(stage.world, name).positions[market];
  if (leverageOf(marketAt(stage, market), position) > allowed) {
    act(stage, `${name} leverage ${allowed} ${symbols[market]}`);
  }
  return (Math.min(terms.maxOrderSize, Math.max(0, bracket.upTo - interest)) / usdt) * 0.99;
}

/** Orders of one move, each as large as the market takes it. */
const ordersMax = 25;

type Closing = Extract<Move, { do: 'close' }>;

function close(scene: Scene, { who, friend, part, offset, market }: Closing): void {
  const { stage } = scene;
  const lots = positionOf(scene, who, market);
  const quantity = lotsText((Math.abs(lots) * part) / 10 ** lotDecimals[market]!, market);
  if (quantity === undefined) return;
  const side = lots > 0 ? 'sell' : 'buy';
  const away = lots > 0 ? -offset : offset;
  const price = priceText(Math.max(1, markOf(stage, market) * (1 + away)), market);
  const symbol = symbols[market];
  if (friend >= 0 && friend !== who) {
    const opposite = side === 'buy' ? 'sell' : 'buy';
    act(stage, `${attackerNames[friend]} ${opposite} ${quantity} @ ${price} ${symbol}`);
  }
  act(stage, `${attackerNames[who]} ${side} ${quantity} @ ${price} reduceOnly ${symbol}`);
}

type MoneyMove = Extract<Move, { do: 'collateral' | 'withdraw' }>;

function moveMoney(scene: Scene, move: MoneyMove): void {
  const { stage } = scene;
  const account = attacker(scene, move.who);
  const name = attackerNames[move.who]!;
  if (move.do === 'withdraw') {
    const amount = Math.floor((withdrawable(stage.world.exchange, account) / usdt) * move.part);
    if (amount > 0) act(stage, `${name} withdraw ${amount}`);
    return;
  }
  const held = account.positions[move.market]?.collateral ?? 0;
  const whole = move.part > 0 ? account.available : held;
  const amount = Math.floor((whole / usdt) * Math.abs(move.part));
  if (amount === 0) return;
  const sign = move.part > 0 ? '+' : '-';
  act(stage, `${name} collateral ${sign}${amount} ${symbols[move.market]}`);
}

function claim(scene: Scene, who: number): void {
  const accrued = attacker(scene, who).referral?.accrued ?? 0;
  if (accrued > 0) act(scene.stage, `${attackerNames[who]} claim`);
}

/** The last prices stand for a while, so that what must be liquidated is; then all is claimed. */
function endScene(scene: Scene): void {
  pass(scene, 3000);
  pass(scene, 31_000);
  pass(scene, 31_000);
  for (const who of scene.scenery.money.keys()) claim(scene, who);
}
