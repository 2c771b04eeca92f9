// The native ticker of a market: exactly the fields of the interface's ticker channel, all texts
// (WS-1). One function serves both the route and the stream.

import { hourlyFundingRate } from '../engine/views/fundingRateOf.ts';
import type { Market } from '../engine/views/market.ts';
import { openInterestOf } from '../engine/views/openInterestOf.ts';
import { formatQuotient, formatSteps, formatTrimmed } from '../units/decimal.ts';
import { type Money, moneyDecimals, rateDecimals, type Time } from '../units/units.ts';
import { changeDecimals, changeOf, dayOf } from './dayTickerOf.ts';
import type { MarketData } from './marketData.ts';

export type Ticker = {
  readonly type: 'ticker';
  readonly symbol: string;
  readonly last_price: string;
  readonly mark_price: string;
  readonly index_price: string;
  readonly price_change_24h: string;
  readonly price_change_percent_24h: string;
  readonly high_24h: string;
  readonly low_24h: string;
  readonly volume_24h: string;
  readonly volume_24h_usd: string;
  readonly open_interest_long: string;
  readonly open_interest_short: string;
  readonly open_interest_long_percent: string;
  readonly open_interest_short_percent: string;
  readonly available_liquidity_long: string;
  readonly available_liquidity_short: string;
  readonly funding_rate_long_1h: string;
  readonly funding_rate_short_1h: string;
};

/** `now` is the time of the present batch. Before the first index there is no price to show. */
export function tickerOf(market: Market, data: MarketData, now: Time): Ticker | undefined {
  const { prices, tick, lot } = market;
  if (prices.index === 0) return undefined;
  const day = dayOf(market, data, now);
  const hourly = hourlyFundingRate(market, now);
  return {
    type: 'ticker',
    symbol: market.symbol,
    last_price: formatSteps(day.last, tick),
    mark_price: formatSteps(prices.mark, tick),
    index_price: formatSteps(prices.index, tick),
    price_change_24h: formatSteps(day.last - day.open, tick),
    price_change_percent_24h: formatTrimmed(changeOf(day), changeDecimals),
    high_24h: formatSteps(day.high, tick),
    low_24h: formatSteps(day.low, tick),
    volume_24h: formatSteps(day.volume, lot),
    volume_24h_usd: formatTrimmed(day.quoteVolume, moneyDecimals),
    ...interestOf(market),
    funding_rate_long_1h: formatTrimmed(0 - hourly, rateDecimals),
    funding_rate_short_1h: formatTrimmed(hourly, rateDecimals),
  };
}

type Interest = Pick<
  Ticker,
  Extract<keyof Ticker, `open_interest_${string}` | `available_${string}`>
>;

/** Per side: open interest, its share of the total in percent, and cap − open interest (OI-2). */
function interestOf(market: Market): Interest {
  const { longNotional: long, shortNotional: short } = openInterestOf(market);
  const cap = market.terms.openInterestCap;
  const usd = (money: number): string => formatTrimmed(money, moneyDecimals);
  return {
    open_interest_long: usd(long),
    open_interest_short: usd(short),
    open_interest_long_percent: shareText(long, short),
    open_interest_short_percent: shareText(short, long),
    // A rising mark can bring a side above its cap: then nothing is available.
    available_liquidity_long: usd(Math.max(0, cap - long)),
    available_liquidity_short: usd(Math.max(0, cap - short)),
  };
}

const shareDecimals = 4;

function shareText(part: Money, rest: Money): string {
  const whole = BigInt(part) + BigInt(rest);
  return whole === 0n ? '0' : formatQuotient(100n * BigInt(part), whole, shareDecimals);
}
