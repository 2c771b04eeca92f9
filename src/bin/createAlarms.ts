// What an operator must know at once: unpaid losses, indexes that the gate refuses, a gap that
// would cost half of the insurance fund, and a clock that is behind. Each alarm is one line, at
// most one a minute of each kind for each market and for the clock.

import { insuranceAccount } from '../engine/marginModes.ts';
import { accountById, type Exchange, marketsOf } from '../engine/views/exchange.ts';
import type { Market } from '../engine/views/market.ts';
import { countsOf, type RiskCounts } from '../market-data/riskCounts.ts';
import type { RunningReplica } from '../replica/replica.ts';
import type { Clock } from '../std/clock.ts';
import { formatScaled, formatTrimmed } from '../units/decimal.ts';
import { type MarketId, rateDecimals, usdt } from '../units/units.ts';
import type { GapHoles } from './createGapHoles.ts';

export type Alarms = {
  /** To be called about once a second: checks what has happened since the last call. */
  readonly check: () => void;
};

export type AlarmOptions = {
  readonly replica: Pick<RunningReplica, 'exchange' | 'views' | 'now'>;
  readonly gapHoles: Pick<GapHoles, 'holeOf'>;
  readonly clock: Clock;
  /** Receives each alarm as a sentence. */
  readonly alarm: (message: string) => void;
};

const marketPauseMs = 60_000;
/** A clock that is set from time to time may be this much behind. */
const behindMs = 5000;
const behindPauseMs = 60_000;
/**
 * After a stop the gate waits for three prices that agree (PRC-2). No alarm is raised meanwhile.
 */
const startMs = 5000;

/** The refusals of a market at its last report, and the time of that report. */
type Reported = { refusals: number; at: number };

/** Reports nothing that happened before. */
export function createAlarms({ replica, gapHoles, clock, alarm }: AlarmOptions): Alarms {
  const { exchange } = replica;
  const { riskCounts } = replica.views;
  const reported = new Map<MarketId, Reported>();
  for (const { id } of marketsOf(exchange)) {
    reported.set(id, { refusals: countsOf(riskCounts, id).indexRefusals, at: -marketPauseMs });
  }
  const startedAt = clock.now();
  let isStart = true;
  // Forgets what was refused before the first price was accepted again.
  const forgive = (): void => {
    for (const { id, prices } of marketsOf(exchange)) {
      if (prices.indexAt <= startedAt) continue;
      reported.set(id, { refusals: countsOf(riskCounts, id).indexRefusals, at: -marketPauseMs });
    }
  };
  let behindAt = -behindPauseMs;
  let shortfall: number = exchange.funds.shortfall;
  const wide = new Map<MarketId, number>();
  return {
    check: () => {
      const now = exchange.funds.shortfall;
      if (now > shortfall) alarm(shortfallMessage(exchange, now - shortfall));
      shortfall = now;
      const behind = replica.now() - clock.now();
      if (behind > behindMs && Math.abs(clock.now() - behindAt) >= behindPauseMs) {
        behindAt = clock.now();
        alarm(behindMessage(behind));
      }
      for (const market of marketsOf(exchange)) {
        const message = gapMessage(exchange, market, gapHoles.holeOf(market.id), {
          wide,
          now: clock.now(),
        });
        if (message !== undefined) alarm(message);
      }
      if (isStart) {
        forgive();
        if (clock.now() - startedAt < startMs) return;
        isStart = false;
      }
      for (const market of marketsOf(exchange)) {
        const message = refusalMessage(riskCounts, market, reported, clock.now());
        if (message !== undefined) alarm(message);
      }
    },
  };
}

const behindMessage = (behind: number): string =>
  `the machine's clock is ${(behind / 1000).toFixed(1)} s behind the exchange's time, which ` +
  'stands still until the clock reaches it: meanwhile no funding is settled, nothing expires ' +
  'and no price ages. Correct the clock if it is wrong; if it was ahead before, halt the markets ' +
  'or wait';

function shortfallMessage(exchange: Exchange, growth: number): string {
  return (
    `the shortfall grew by ${growth / usdt} to ${exchange.funds.shortfall / usdt} USDT: losses that ` +
    'neither their account nor the insurance fund nor the winners could pay; the fund has ' +
    `${accountById(exchange, insuranceAccount)!.available / usdt} USDT`
  );
}

/** The gap hole is above half of the fund (OPS-8); `wide` has when this was last seen. */
function gapMessage(
  exchange: Exchange,
  { id, symbol, terms }: Market,
  hole: number | undefined,
  { wide, now }: { readonly wide: Map<MarketId, number>; readonly now: number },
): string | undefined {
  const fund = accountById(exchange, insuranceAccount)!.available;
  if (hole === undefined || 2 * hole <= fund) return undefined;
  const seen = wide.get(id);
  wide.set(id, now);
  // Reported when it begins, and again after a minute without it.
  if (seen !== undefined && Math.abs(now - seen) < marketPauseMs) return undefined;
  const gap = formatTrimmed(terms.gapRate, rateDecimals - 2);
  return (
    `${symbol}: a gap of ${gap} % would cost ${hole / usdt} USDT more than its positions can ` +
    `pay, which is more than half of the ${fund / usdt} USDT of the insurance fund`
  );
}

function refusalMessage(
  counts: RiskCounts,
  { id, symbol, prices, tick }: Market,
  reportedOf: Map<MarketId, Reported>,
  now: number,
): string | undefined {
  const reported = reportedOf.get(id) ?? { refusals: 0, at: -marketPauseMs };
  reportedOf.set(id, reported);
  const { indexRefusals } = countsOf(counts, id);
  const refused = indexRefusals - reported.refusals;
  if (refused === 0 || now - reported.at < marketPauseMs) return undefined;
  reported.refusals = indexRefusals;
  reported.at = now;
  const age = ((now - prices.indexAt) / 1000).toFixed(1);
  const candidate = prices.pending.at(-1)?.ticks;
  const shown = (ticks: number): string => formatScaled(ticks * tick.step, tick.decimals);
  const last = candidate === undefined ? '' : ` (the last at ${shown(candidate)})`;
  return (
    `${symbol}: the gate refused ${refused} index prices${last}; the index stands at ` +
    `${shown(prices.index)}, ${age} s old`
  );
}
