// Trading fees (MAR-3, MAR-6): notional × rate at the account's tier, less the discount of a
// referee (NAT-4b), rounded up; and the volume of fourteen UTC days that gives the tier. Other
// files decide which fills count and who pays.

import { assert } from '../../std/assert.ts';
import { mulDivFloor } from '../../units/mulDiv.ts';
import { notionalOf, shareUp } from '../../units/notional.ts';
import { type Money, type Rate, rateOne, type Time } from '../../units/units.ts';
import { type Account, referrerOf, type Volume } from '../account.ts';
import type { Exchange } from '../exchange.ts';
import type { FeeTier } from '../feeTier.ts';
import { moneyMax } from '../limits.ts';
import { insuranceAccount } from '../marginModes.ts';
import type { Market } from '../market.ts';
import type { MarketTerms } from '../marketTerms.ts';
import type { ReferralTerms } from '../referral.ts';

const dayMs = 86_400_000;
/** The number of UTC days before the present one whose volume gives the tier. */
export const windowDays = 14;

export type FeeRates = { readonly maker: Rate; readonly taker: Rate };

/** The rates of an account on a market today; undefined: the market's own rates, tier 0. */
export function feeRatesOf(
  exchange: Exchange,
  market: Market,
  account: Account | undefined,
): FeeRates {
  if (account === undefined) return ratesAt(market.terms, exchange.feeTiers[0]!, 0 as Rate);
  const tier = exchange.feeTiers[tierOf(exchange, account)]!;
  return ratesAt(market.terms, tier, refereeDiscount(exchange, account));
}

/** The rate of an account on a market today, as maker or as taker. */
export function feeRateOf(
  exchange: Exchange,
  { terms }: Market,
  account: Account,
  role: 'maker' | 'taker',
): Rate {
  const tier = exchange.feeTiers[tierOf(exchange, account)]!;
  const rate =
    role === 'maker'
      ? discounted(terms.makerFee, tier.makerDiscount)
      : discounted(terms.takerFee, tier.takerDiscount);
  return discounted(rate, refereeDiscount(exchange, account));
}

/** Both rates at a tier, and after it with the discount of a referee. */
function ratesAt({ makerFee, takerFee }: MarketTerms, tier: FeeTier, discount: Rate): FeeRates {
  const { makerDiscount, takerDiscount } = tier;
  return {
    maker: discounted(discounted(makerFee, makerDiscount), discount),
    taker: discounted(discounted(takerFee, takerDiscount), discount),
  };
}

/** The part of its fees that the account does not pay because it has a referrer (NAT-4b). */
function refereeDiscount({ referralTerms }: Exchange, account: Account): Rate {
  return referrerOf(account) === insuranceAccount ? (0 as Rate) : discountOf(referralTerms);
}

/** The discount of referees that is in force. */
function discountOf({ enabled, discount }: ReferralTerms): Rate {
  return enabled ? discount : (0 as Rate);
}

/** rate = base − floor(base × discount) for a base above zero; a rebate has no discount. */
function discounted(base: Rate, discount: Rate): Rate {
  if (base <= 0 || discount === 0) return base;
  return (base - mulDivFloor(base, discount, rateOne)) as Rate;
}

/** The fee of a notional. It is negative for a rebate, whose size is thus rounded down. */
export function feeOf(notional: Money, rate: Rate): Money {
  return shareUp(notional, rate);
}

/** What decides the fees of accounts, beside the terms of the market. */
export type FeeTerms = Pick<Exchange, 'feeTiers' | 'referralTerms'>;

/**
 * Whether maker + taker ≥ 0 for every pair of tiers (MAR-3), the taker being a referee (NAT-4).
 * Cost: the square of the tiers.
 */
export function rebatesHold(terms: MarketTerms, { feeTiers, referralTerms }: FeeTerms): boolean {
  const discount = discountOf(referralTerms);
  const rates = feeTiers.map((tier) => ratesAt(terms, tier, discount));
  return rates.every(({ maker }) => rates.every(({ taker }) => maker + taker >= 0));
}

/** Why the fees of a market would no longer pay its rebates (MAR-3), or undefined. */
export function brokenRebate({ markets }: Exchange, fees: FeeTerms): string | undefined {
  const market = markets.find(({ terms }) => !rebatesHold(terms, fees));
  return (
    market &&
    `${market.symbol}: maker + taker not below 0 for every pair of tiers, for a referee too`
  );
}

/**
 * The account's tier since 00:00 UTC: the highest tier for its volume of the fourteen days before,
 * but not below the operator's tier (MAR-6). Writes nothing; for an account that has not traded
 * today it costs a sum.
 */
export function tierOf(exchange: Exchange, account: Account): number {
  const { feeTiers } = exchange;
  // Every order calls this: with only one tier the account's volume is not read.
  if (feeTiers.length === 1) return 0;
  const { volume } = account;
  const day = dayOf(exchange.time);
  const earned = volume.day === day ? volume.tier : tierAt(feeTiers, volumeBefore(volume, day));
  // The table may have become shorter since the operator chose.
  return Math.max(earned, Math.min(account.feeTier, feeTiers.length - 1));
}

/** Maker and taker volume of the fourteen UTC days before the present one (MAR-6). */
export function volumeOf(exchange: Exchange, account: Account): Money {
  return volumeBefore(account.volume, dayOf(exchange.time));
}

/**
 * Notes who has traded (NAT-4), and counts the trades among the events from `first` on: the takers'
 * sides except the exchange's own closing orders, the makers' sides always, and nothing of a trade
 * of an account with itself. It runs after the trades are committed, so that a tentative execution
 * need not save any of it.
 */
export function countVolumes(exchange: Exchange, first: number): void {
  const { accounts, events, markets } = exchange;
  for (let i = first; i < events.length; i += 1) {
    const event = events[i]!;
    if (event.kind !== 'traded') continue;
    const taker = accounts[event.taker.account]!;
    const maker = accounts[event.maker.account]!;
    taker.traded = true;
    maker.traded = true;
    if (taker === maker) continue;
    const notional = notionalOf(event.ticks, event.lots, markets[event.market]!.grain);
    if (!event.liquidation) addVolume(exchange, taker, notional);
    addVolume(exchange, maker, notional);
  }
}

/** Counts one side of a fill. The tier changes with the next UTC day, not with the fill. */
export function addVolume(exchange: Exchange, account: Account, notional: Money): void {
  assert(notional > 0, 'a fill has a notional');
  assert(!exchange.undo.active, 'what is traded counts once it is committed');
  const { volume } = account;
  const day = dayOf(exchange.time);
  if (volume.day !== day) rollTo(exchange, volume, day);
  volume.today = saturated(volume.today, notional);
}

/** Finds the tier of every account in a new table. Cost: the accounts. */
export function regradeVolumes(exchange: Exchange): void {
  for (const account of exchange.accounts) {
    if (account === undefined) continue;
    const { volume } = account;
    volume.tier = tierAt(exchange.feeTiers, volumeBefore(volume, volume.day));
  }
}

/** The UTC day of a time, since the epoch. */
export function dayOf(time: Time): number {
  return Math.floor(time / dayMs);
}

/** The highest tier that a volume reaches; the first tier begins at 0. */
function tierAt(tiers: readonly FeeTier[], volume: Money): number {
  let tier = 0;
  while (tier + 1 < tiers.length && tiers[tier + 1]!.minVolume <= volume) tier += 1;
  return tier;
}

/** Σ volume of the fourteen days before `day`, which is not before the volume's own day. */
function volumeBefore(volume: Volume, day: number): Money {
  const days = day - volume.day;
  assert(days >= 0, 'days never run backwards');
  if (days > windowDays) return 0 as Money;
  let sum = days === 0 ? (0 as Money) : volume.today;
  for (let index = days; index < volume.past.length; index += 1) {
    sum = saturated(sum, volume.past[index]!);
  }
  return sum;
}

/** Begins a new day: the days since the last one become past, the oldest drop out. */
function rollTo(exchange: Exchange, volume: Volume, day: number): void {
  const before = volumeBefore(volume, day);
  const days = day - volume.day;
  const blank = (length: number): Money[] => new Array<Money>(length).fill(0 as Money);
  if (before === 0) volume.past = [];
  else {
    const known = volume.past.length === 0 ? blank(windowDays) : volume.past;
    volume.past = [...known, volume.today].slice(days).concat(blank(days - 1));
  }
  assert(volume.past.length % windowDays === 0, 'the past is fourteen days or none');
  volume.day = day;
  volume.today = 0 as Money;
  volume.tier = tierAt(exchange.feeTiers, before);
}

/** A sum of volumes that stays a safe integer: no tier depends on volumes above 9 billion USDT. */
function saturated(sum: Money, added: Money): Money {
  return Math.min(sum + added, moneyMax) as Money;
}
