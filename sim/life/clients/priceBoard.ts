// The prices that the crowd uses: the marks that a public reader fetches from time to time, shared
// with all members. Before the first mark: the prices with which the markets were listed.

import { parseScaled } from '../../../src/units/decimal.ts';
import type { ClientWorld, LifeMarket } from '../ports.ts';
import type { Body, Caller } from './createCaller.ts';

export type PriceBoard = {
  /** In ticks, above 0. */
  readonly ticksOf: (market: LifeMarket) => number;
  readonly refresh: () => void;
  /** The markets that are not known to be closed, or all when there is none. */
  readonly open: () => readonly LifeMarket[];
  readonly allClosed: () => boolean;
  /** A client learned that it is closed: it is left out for a while. */
  readonly noteClosed: (symbol: string) => void;
};

/** About as long as prices need to be accepted after a sleep. */
const closedMs = 2500;

export function createPriceBoard({ markets, clock }: ClientWorld, { ask }: Caller): PriceBoard {
  const closedUntil = new Map<string, number>();
  const marks = new Map<string, number>();
  const take = (rows: Body): void => {
    for (const { symbol, markPrice } of Array.isArray(rows) ? rows : []) {
      const market = markets.find((each) => each.symbol === symbol);
      if (market === undefined) continue;
      const scaled = parseScaled(markPrice, market.tick.decimals, market.tick.step);
      if ('value' in scaled && scaled.value > 0) marks.set(symbol, scaled.value);
    }
  };
  const isOpen = ({ symbol }: LifeMarket): boolean => (closedUntil.get(symbol) ?? 0) < clock.now();
  return {
    open: () => {
      const open = markets.filter(isOpen);
      return open.length === 0 ? markets : open;
    },
    allClosed: () => !markets.some(isOpen),
    noteClosed: (symbol) => closedUntil.set(symbol, clock.now() + closedMs),
    ticksOf: ({ symbol, priceTicks }) => marks.get(symbol) ?? priceTicks,
    refresh: () => {
      const asked = { name: 'marks', method: 'GET', path: '/fapi/v1/premiumIndex' } as const;
      ask({ ...asked, credential: 'public' }, (received) =>
        take(received?.ok === true ? received.body : []),
      );
    },
  };
}
