// The channel `depth:<symbol>` (WS-2): the book by price, and then its changes, at most every 100
// ms. Quantities are absolute; "0" removes a price.

import { crc32 } from 'node:zlib';
import { buy, type Side, sell } from '../../engine/orderTypes.ts';
import { depthOfMarket, lotsAt } from '../../engine/views/depthOfMarket.ts';
import type { Market } from '../../engine/views/market.ts';
import { formatSteps } from '../../units/decimal.ts';
import type { Lots, Ticks } from '../../units/units.ts';
import { type Opening, publish } from '../fanout.ts';
import { type BookChanges, followBook, isUnchanged } from '../marketFeed.ts';
import { addRhythm } from '../rhythm.ts';
import type { StreamContext } from '../streamContext.ts';

/** Prices of each side that a snapshot shows; the others come when they change. */
export const snapshotLevelsMax = 10_000;
/** Prices of each side that the checksum covers. */
const checksumLevels = 25;

type Levels = readonly (readonly [Ticks, Lots])[];

export function depthOpening(context: StreamContext, market: Market): Opening {
  const { fanout, rhythms, bounds, exchange } = context;
  const name = `depth:${market.symbol}`;
  const text = (place: string, snapshot: boolean, bids: Levels, asks: Levels): string =>
    `{"type":"depth",${place},"symbol":"${market.symbol}","snapshot":${snapshot}` +
    `,"time":${exchange.time},"bids":${levelsText(market, bids)}` +
    `,"asks":${levelsText(market, asks)},"checksum":${depthChecksum(market)}}`;
  return {
    key: name,
    name,
    resumable: true,
    open: (channel) => {
      const { changes, end } = followBook(context.markets, market.id);
      const run = (): boolean => {
        if (isUnchanged(changes)) return false;
        const { bids, asks } = takeChanges(market, changes);
        publish(fanout, channel(), (place) => text(place, false, bids, asks));
        return true;
      };
      const stop = addRhythm(rhythms, { everyMs: bounds.depthMs, run });
      return {
        snapshot: (place) => {
          const { bids, asks } = depthOfMarket(market, snapshotLevelsMax);
          return text(place, true, bids, asks);
        },
        close: () => {
          stop();
          end();
        },
      };
    },
  };
}

/**
 * The present quantities at the changed prices, best first, 0 for a price without orders.
 * Afterwards no price counts as changed.
 */
export function takeChanges(
  market: Market,
  changes: BookChanges,
): { readonly bids: Levels; readonly asks: Levels } {
  const take = (side: Side, prices: Set<Ticks>): Levels => {
    const sorted = [...prices].sort((a, b) => side * (b - a));
    prices.clear();
    return sorted.map((ticks) => [ticks, lotsAt(market, side, ticks)] as const);
  };
  return { bids: take(buy, changes.bids), asks: take(sell, changes.asks) };
}

function levelsText(market: Market, levels: Levels): string {
  return `[${levelTexts(market, levels).join(',')}]`;
}

/** Each level as its pair of price and quantity. */
export function levelTexts(market: Market, levels: Levels): string[] {
  return levels.map(([ticks, lots]) => {
    const quantity = lots === 0 ? '0' : formatSteps(lots, market.lot);
    return `["${formatSteps(ticks, market.tick)}","${quantity}"]`;
  });
}

/** The unsigned CRC32 of `price:quantity` of bid 1, ask 1, bid 2, … joined by `:` (WS-2). */
export function depthChecksum(market: Market): number {
  const { bids, asks } = depthOfMarket(market, checksumLevels);
  const parts: string[] = [];
  for (let i = 0; i < checksumLevels; i += 1) {
    for (const level of [bids[i], asks[i]]) {
      if (level === undefined) continue;
      const [ticks, lots] = level;
      parts.push(`${formatSteps(ticks, market.tick)}:${formatSteps(lots, market.lot)}`);
    }
  }
  return crc32(parts.join(':'));
}
