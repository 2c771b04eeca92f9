// The opening of a fuzz scenario: two or three markets, a handful of accounts, a fund that has
// nothing, little or much. What then happens is in drawCommand.ts.

import type { Bracket } from '../../src/engine/bracket.ts';
import type { Command, IndexPrice } from '../../src/engine/command.ts';
import type { Grid, MarketTerms } from '../../src/engine/marketTerms.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { AccountId, MarketId, Money, Rate, Ticks, Time } from '../../src/units/units.ts';
import { riskTerms } from '../fixtures/riskTerms.ts';
import { drawBindings } from './drawReferral.ts';

export const fuzzStart = 1_760_000_123_000;

const usdt = 1_000_000;

type Kind = {
  readonly baseAsset: string;
  readonly tick: Grid;
  readonly lot: Grid;
  /** The first index, ticks. */
  readonly ticks: number;
};

const grid = (decimals: number): Grid => ({ decimals, step: 1 });

const kinds: readonly Kind[] = [
  { baseAsset: 'BTC', tick: grid(1), lot: grid(3), ticks: 600_000 },
  { baseAsset: 'ETH', tick: grid(2), lot: grid(2), ticks: 300_000 },
  { baseAsset: 'AVAX', tick: grid(3), lot: grid(1), ticks: 28_000 },
  { baseAsset: 'COARSE', tick: grid(2), lot: grid(0), ticks: 900 },
  { baseAsset: 'DUST', tick: grid(3), lot: grid(2), ticks: 40_000 },
  { baseAsset: 'FINE', tick: grid(3), lot: grid(3), ticks: 12_000 },
];

/** How a scenario goes wrong. */
export type Temper = {
  /** How far a crash goes, as a part of the price: at least, and at most beyond that. */
  readonly crash: readonly [number, number];
  readonly crashSteps: number;
  /** What accounts begin with, USDT. */
  readonly money: readonly [number, number];
  readonly fund: readonly (readonly [number, number])[];
  /** How many of a hundred settings of leverage are the highest. */
  readonly boldness: number;
  readonly isolated: number;
};

/** Gaps beyond any margin, so that deficits are shared and the fund is broken. */
const gaps: Temper = {
  crash: [0.1, 0.6],
  crashSteps: 2,
  money: [20, 2000],
  fund: [
    [0, 0],
    [5, 500],
    [500, 20_000],
  ],
  boldness: 90,
  isolated: 20,
};

const tempers: readonly Temper[] = [
  // A bit of everything.
  {
    crash: [0.05, 0.35],
    crashSteps: 5,
    money: [20, 60_000],
    fund: [
      [0, 0],
      [5, 500],
      [1000, 1_000_000],
    ],
    boldness: 75,
    isolated: 25,
  },
  gaps,
  // Large positions and small moves: partial closes, waits, takeovers, unwinding.
  {
    crash: [0.002, 0.03],
    crashSteps: 6,
    money: [3000, 80_000],
    fund: [
      [0, 0],
      [20_000, 3_000_000],
    ],
    boldness: 95,
    isolated: 20,
  },
];

/** What a scenario knows besides the state: how its markets are priced and what has been used. */
export type Fuzz = {
  readonly prng: Prng;
  /** For referral, so that its commands change no other draw. */
  readonly apart: Prng;
  time: number;
  /** The wandering price of each market, ticks. */
  readonly prices: number[];
  readonly temper: Temper;
  /** The factor of each market's price in a step of the current crash, and its remaining steps. */
  crash: { factors: readonly number[]; steps: number };
  names: number;
  /** How many commands were drawn since the opening. */
  drawn: number;
  /** How many commands follow the opening. */
  readonly length: number;
};

export const chance = (prng: Prng, percent: number): boolean => prng.below(100) < percent;

export const pick = <T>(prng: Prng, from: readonly T[]): T => from[prng.below(from.length)]!;

/** Between two amounts, evenly over orders of magnitude. */
export function spread(prng: Prng, from: number, to: number): number {
  return Math.round(from * (to / from) ** prng.unit());
}

const leverages = [
  { maxLeverage: 50, maintenanceMarginRate: 1_000_000 },
  { maxLeverage: 50, maintenanceMarginRate: 1_000_000 },
  { maxLeverage: 25, maintenanceMarginRate: 2_000_000 },
  { maxLeverage: 10, maintenanceMarginRate: 3_000_000 },
];

const sourceChoices = [
  ['manual'],
  ['manual'],
  ['manual'],
  ['manual'],
  ['manual', 'one', 'two'],
  ['sim'],
  ['one', 'two'],
];

/** One bracket, or bounds that the positions of a scenario pass, up to the highest cap. */
function drawBrackets(prng: Prng, first: number): Bracket[] {
  const upTo = (900_000_000 * usdt) as Money;
  const brackets: Bracket[] = [];
  let bound = spread(prng, 10, 200_000) * usdt;
  let rate = first;
  while (chance(prng, 45) && brackets.length < 4) {
    brackets.push({ upTo: bound as Money, rate: rate as Rate });
    bound += spread(prng, 1000, 200_000) * usdt;
    rate += spread(prng, 100_000, 12_000_000);
  }
  return [...brackets, { upTo, rate: rate as Rate }];
}

function drawTerms(prng: Prng): MarketTerms {
  const { maxLeverage, maintenanceMarginRate } = pick(prng, leverages);
  const clamp = Math.floor((100_000_000 / maxLeverage - maintenanceMarginRate) / 4);
  const funding = pick(prng, [1_000_000, 5_000_000, 60_000_000]);
  const terms: MarketTerms = {
    maxLeverage,
    maintenanceMarginRate: maintenanceMarginRate as Rate,
    liquidationFeeRate: pick(prng, [500_000, 500_000, 100_000]) as Rate,
    minOrderSize: usdt as Money,
    maxOrderSize: (5_000_000 * usdt) as Money,
    openInterestCap: ((chance(prng, 20) ? spread(prng, 1000, 100_000) : 900_000_000) *
      usdt) as Money,
    fundingFactor: funding as Rate,
    maxFundingRate: funding as Rate,
    minFundingRate: -funding as Rate,
    fundingIntervalHours: pick(prng, [1, 8]),
    maxMarketSlippage: pick(prng, [1_000_000, 5_000_000]) as Rate,
    markClamp: pick(prng, [clamp, clamp, maintenanceMarginRate - 1]) as Rate,
    markBand: pick(prng, [2_000_000, 2_000_000, 10_000_000]) as Rate,
    makerFee: pick(prng, [20_000, 20_000, 0, -10_000]) as Rate,
    takerFee: pick(prng, [50_000, 50_000, 100_000]) as Rate,
    selfTradePrevention: pick(prng, ['EXPIRE_MAKER', 'EXPIRE_MAKER', 'EXPIRE_TAKER']),
    indexSources: pick(prng, sourceChoices).map((source) => ({ source, weight: 1 })),
    underlyingType: 'COIN',
    deliveryTime: 0 as Time,
    ...riskTerms(maintenanceMarginRate as Rate),
    brackets: drawBrackets(prng, maintenanceMarginRate),
    fundFeeShare: pick(prng, [0, 20_000_000, 99_999_999]) as Rate,
    fundTarget: (pick(prng, [1, 1000, 1_000_000]) * usdt) as Money,
  };
  // Some of the low caps have a low share, without another draw.
  const accountShareMax = (terms.takerFee === 100_000 ? 100_000_000 : 25_000_000) as Rate;
  return { ...terms, accountShareMax };
}

/** The highest leverage that every bracket of a market allows. */
function leverageEverywhere({ brackets, maxLeverage }: MarketTerms): number {
  if (brackets.length === 1) return maxLeverage;
  return Math.max(1, Math.floor(50_000_000 / brackets.at(-1)!.rate));
}

export const addressOf = (account: number): string => `0x${String(account).padStart(40, '0')}`;

/** Seeds of scenarios with gaps beyond any margin. The temper is the first draw of a scenario. */
export function seedsWithGaps(count: number, from = 1): number[] {
  const seeds: number[] = [];
  for (let seed = from; seeds.length < count; seed += 1) {
    if (pick(createPrng(seed), tempers) === gaps) seeds.push(seed);
  }
  return seeds;
}

/** The commands of the opening, and the state for drawing the rest of the scenario. */
export function drawWorld(prng: Prng): { fuzz: Fuzz; commands: Command[] } {
  const temper = pick(prng, tempers);
  const commands: Command[] = [];
  const prices: number[] = [];
  const leverageMax: number[] = [];
  const chosen = kinds.filter(() => chance(prng, 55)).slice(0, 3);
  while (chosen.length < 2) chosen.push(kinds.find((kind) => !chosen.includes(kind))!);
  for (const { baseAsset, tick, lot, ticks } of chosen) {
    prices.push(Math.round(ticks * (0.7 + 0.6 * prng.unit())));
    const terms = drawTerms(prng);
    leverageMax.push(leverageEverywhere(terms));
    const symbol = `${baseAsset}USDT`;
    commands.push({ kind: 'listMarket', symbol, baseAsset, tick, lot, terms, status: 'TRADING' });
  }
  commands.push(firstPrices(commands, prices));
  const accounts = 5 + prng.below(8);
  for (let account = 1; account <= accounts; account += 1) {
    commands.push(...drawAccount(prng, temper, account, leverageMax));
  }
  const apart = createPrng(prices[0]!);
  commands.push(...drawBindings(apart, accounts));
  const [least, most] = pick(prng, temper.fund);
  if (most > 0) {
    const amount = (spread(prng, least, most) * usdt) as Money;
    commands.push({ kind: 'creditInsurance', amount, reference: 'fund' });
  }
  const length = 30 + prng.below(51);
  const crash = { factors: [], steps: 0 };
  const fuzz = { prng, apart, temper, time: fuzzStart, prices, crash, names: 0, drawn: 0, length };
  return { fuzz, commands };
}

/** A first price of every source, so that the markets are open. */
function firstPrices(listings: readonly Command[], prices: readonly number[]): Command {
  const first: IndexPrice[] = [];
  for (const [market, listing] of listings.entries()) {
    if (listing.kind !== 'listMarket') continue;
    for (const { source } of listing.terms.indexSources) {
      const ticks = prices[market]! as Ticks;
      const observedAt = fuzzStart as Time;
      first.push({ market: market as MarketId, source, ticks, observedAt });
    }
  }
  return { kind: 'indexTick', prices: first };
}

function drawAccount(
  prng: Prng,
  { money, boldness, isolated }: Temper,
  id: number,
  leverageMax: readonly number[],
): Command[] {
  const account = id as AccountId;
  const amount = (spread(prng, ...money) * usdt + prng.below(usdt)) as Money;
  const address = addressOf(id);
  const commands: Command[] = [{ kind: 'credit', address, amount, reference: `open ${id}` }];
  for (const [market, max] of leverageMax.entries()) {
    if (chance(prng, 15)) continue;
    const leverage = chance(prng, boldness) ? max : 1 + prng.below(50);
    commands.push({ kind: 'setLeverage', account, market: market as MarketId, leverage });
  }
  if (chance(prng, isolated)) commands.push({ kind: 'setMarginMode', account, mode: 'isolated' });
  const house = { kind: 'flagAccount', address, house: true, feeTier: undefined } as const;
  if (chance(prng, 20)) commands.push(house);
  return commands;
}
