// `<symbol>@markPrice[@1s]` and `!markPrice@arr[@1s]` (conventions, 13.4).

import { marketsOf } from '../../engine/views/exchange.ts';
import { fundingRateOf, nextFundingTime } from '../../engine/views/fundingRateOf.ts';
import { type Market, settlementTicks } from '../../engine/views/market.ts';
import { formatSteps, formatTrimmed } from '../../units/decimal.ts';
import { rateDecimals, type Time } from '../../units/units.ts';
import type { Opening } from '../fanout.ts';
import { addRhythm } from '../rhythm.ts';
import type { StreamContext } from '../streamContext.ts';
import { publicOpening } from './publicOpening.ts';
import type { NamedStream } from './streamName.ts';

export function markPriceStream(
  context: StreamContext,
  { name, market, everyMs }: Extract<NamedStream, { kind: 'markPrice' }>,
): Opening {
  const { exchange, clock, rhythms } = context;
  return publicOpening(context, name, (send) => {
    const run = (): boolean => {
      const chosen = market === undefined ? marketsOf(exchange) : [market];
      const priced = chosen.filter(({ prices }) => prices.index !== 0);
      const updates = priced.map((each) => {
        return markPrice(each, { now: clock.now() as Time, batch: exchange.time });
      });
      if (updates.length === 0) return false;
      send(market === undefined ? updates : updates[0]!);
      return true;
    };
    return addRhythm(rhythms, { everyMs, run });
  });
}

/** `batch`: the engine's time, up to which the rate is averaged (FUND-1b). */
type Times = { readonly now: Time; readonly batch: Time };

function markPrice(market: Market, { now, batch }: Times): object {
  const { prices, tick, symbol } = market;
  return {
    e: 'markPriceUpdate',
    E: now,
    s: symbol,
    p: formatSteps(prices.mark, tick),
    i: formatSteps(prices.index, tick),
    P: formatSteps(settlementTicks(market), tick),
    r: formatTrimmed(fundingRateOf(market, batch), rateDecimals),
    T: nextFundingTime(market, now),
  };
}
