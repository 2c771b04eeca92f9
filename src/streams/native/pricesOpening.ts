// The channel `prices:<symbol>` (WS-1): mark, index and funding of a market, twice a second, even
// without changes, so that a reader knows how old its prices are.

import { fundingRateOf, nextFundingTime } from '../../engine/views/fundingRateOf.ts';
import type { Market } from '../../engine/views/market.ts';
import { formatSteps, formatTrimmed } from '../../units/decimal.ts';
import { rateDecimals } from '../../units/units.ts';
import { type Opening, publish } from '../fanout.ts';
import { addRhythm } from '../rhythm.ts';
import type { StreamContext } from '../streamContext.ts';

export function pricesOpening(context: StreamContext, market: Market): Opening {
  const { fanout, rhythms, bounds, clock } = context;
  const name = `prices:${market.symbol}`;
  return {
    key: name,
    name,
    resumable: false,
    open: (channel) => {
      const run = (): boolean => {
        const text = pricesText(context, market);
        if (text === undefined) return false;
        publish(fanout, channel(), () => text);
        return true;
      };
      // The snapshot is the first message.
      const stop = addRhythm(rhythms, { everyMs: bounds.pricesMs, run }, clock.now());
      return { snapshot: () => pricesText(context, market), close: stop };
    },
  };
}

/** undefined before the first index, because there is no price yet. */
function pricesText({ exchange }: StreamContext, market: Market): string | undefined {
  const { prices, tick, symbol } = market;
  const { time } = exchange;
  if (prices.index === 0) return undefined;
  return (
    `{"type":"prices","channel":"prices:${symbol}","symbol":"${symbol}"` +
    `,"mark_price":"${formatSteps(prices.mark, tick)}"` +
    `,"index_price":"${formatSteps(prices.index, tick)}"` +
    `,"funding_rate":"${formatTrimmed(fundingRateOf(market, time), rateDecimals)}"` +
    `,"next_funding_time":${nextFundingTime(market, time)},"time":${time}}`
  );
}
