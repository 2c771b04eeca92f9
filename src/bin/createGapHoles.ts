// The gap holes as the archivist last found them (OPS-8). The trading thread sends a question and
// takes an answer of one number for each market; it looks at no position itself.

import type { GapHole } from '../archivist/gapHoles.ts';
import type { Clock } from '../std/clock.ts';
import type { MarketId, Money } from '../units/units.ts';

export type GapHoles = {
  /** To be called about once a second: asks again when it is time. */
  readonly check: () => void;
  /** Undefined before the first answer, and for a market that has none. */
  readonly holeOf: (market: MarketId) => Money | undefined;
};

export type GapHolesOptions = {
  /** Rejects when the archivist has ended, which stops the exchange anyway. */
  readonly ask: () => Promise<readonly GapHole[]>;
  readonly clock: Pick<Clock, 'now'>;
};

const askEveryMs = 5000;

export function createGapHoles({ ask, clock }: GapHolesOptions): GapHoles {
  let found: ReadonlyMap<MarketId, Money> = new Map();
  let waits = false;
  // The archivist first reads what a start leaves it to read.
  let askedAt = clock.now();
  return {
    check: () => {
      if (waits || Math.abs(clock.now() - askedAt) < askEveryMs) return;
      waits = true;
      askedAt = clock.now();
      ask().then(
        (holes) => {
          found = new Map(holes.map(({ market, hole }) => [market, hole]));
          waits = false;
        },
        () => {},
      );
    },
    holeOf: (market) => found.get(market),
  };
}
