// Draws single moves of an attack, and the amounts in them.

import type { Prng } from '../../src/std/prng.ts';
import { drawGap, type Gaps } from './gaps.ts';
import type { Move, Side } from './plan.ts';

export type Chance = {
  readonly prng: Prng;
  readonly gaps: Gaps;
  /** Whether markets have brackets and bound an account. */
  readonly bracketed: boolean;
};

/** One of several, each as likely. */
export const pick = <T>(prng: Prng, from: readonly T[]): T => from[prng.below(from.length)]!;

/** Between two amounts, evenly over orders of magnitude. */
export const spread = (prng: Prng, from: number, to: number): number =>
  from * (to / from) ** prng.unit();

/** `from … to`, evenly. */
export const between = (prng: Prng, from: number, to: number): number =>
  from + (to - from) * prng.unit();

export const anySide = (prng: Prng): Side => pick(prng, ['buy', 'sell']);

/** Against a position of this side. */
export const against = (side: Side, size: number): number => (side === 'buy' ? -size : size);

export const leverageOf = (who: number, leverage: number): Move => ({
  do: 'leverage',
  who,
  leverage,
});

export const gapMove = ({ prng, gaps }: Chance, market = 0): Move => ({
  do: 'price',
  change: drawGap(prng, gaps),
  market,
});

const kinds = [
  'leverage',
  'order',
  'order',
  'meet',
  'meet',
  'meet',
  'close',
  'close',
  'stop',
  'cancelAll',
  'mode',
  'collateral',
  'withdraw',
  'price',
  'price',
  'price',
  'quotes',
  'wait',
  'silence',
  'boundary',
] as const;

/** Any move of four accounts in two markets. */
export function drawMove(chance: Chance): Move {
  const { prng } = chance;
  const kind = pick(prng, kinds);
  const who = prng.below(4);
  const friend = (who + 1 + prng.below(3)) % 4;
  const market = prng.below(4) === 0 ? 1 : 0;
  const side = anySide(prng);
  const sign = pick(prng, [-1, 1]);
  switch (kind) {
    case 'leverage':
      return leverageOf(who, pick(prng, [1, 5, 10, 25, 50]));
    case 'order': {
      const offset = sign * spread(prng, 0.0001, 0.05);
      return { do: kind, who, side, size: between(prng, 0.05, 1), offset, market };
    }
    case 'meet': {
      const offset = prng.below(2) === 0 ? 0 : sign * spread(prng, 0.0002, 0.6);
      return { do: kind, who, friend, side, size: spread(prng, 0.01, 1), offset, market };
    }
    case 'close': {
      const offset = sign * spread(prng, 0.0002, 0.9);
      const part = pick(prng, [1, 0.5, 0.1, 0.01]);
      return { do: kind, who, friend: prng.below(2) === 0 ? -1 : friend, part, offset, market };
    }
    case 'stop':
      return { do: kind, who, offset: sign * spread(prng, 0.001, 0.05), market };
    case 'cancelAll':
      return { do: kind, who, market };
    case 'mode':
      return { do: kind, who, mode: pick(prng, ['cross', 'isolated', 'unified']) };
    case 'collateral':
      return { do: kind, who, part: between(prng, -1, 1), market };
    case 'withdraw':
      return { do: kind, who, part: between(prng, 0.1, 1) };
    case 'price':
      return gapMove(chance, market);
    case 'quotes':
      return { do: kind, on: prng.below(2) === 0 };
    case 'wait':
      return { do: kind, ms: pick(prng, [1000, 5000, 31_000, 600_000]) };
    case 'silence':
      return { do: kind, ms: pick(prng, [1000, 6000, 29_000, 31_000]) };
    case 'boundary':
      return { do: kind, beforeMs: pick(prng, [1000, 60_000]) };
  }
}
