// The families of attacks: each draws a plan whose moves follow one idea, with chance in every
// figure. What chance does not find at once, climb.ts makes better.

import type { Prng } from '../../src/std/prng.ts';
import {
  against,
  anySide,
  between,
  type Chance,
  drawMove,
  gapMove,
  leverageOf,
  pick,
  spread,
} from './drawMove.ts';
import { drawGap, type Gaps } from './gaps.ts';
import type { HonestPosition, Move, Plan, Scenery, Side } from './plan.ts';

export function drawScenery({ prng, bracketed }: Chance): Scenery {
  const honest: HonestPosition[] = Array.from({ length: prng.below(5) }, () => ({
    side: anySide(prng),
    notional: Math.round(spread(prng, 20_000, 5_000_000)),
    leverage: pick(prng, [2, 5, 10, 20, 25]),
  }));
  return {
    fund: pick(prng, [0, 1000, 100_000, 1_000_000]),
    depth: pick(prng, [0, 0, 20_000, 1_000_000]),
    spread: pick(prng, [0.0001, 0.0005, 0.001]),
    makerIsHouse: prng.below(2) === 0,
    honest,
    money: Array.from({ length: 2 + prng.below(3) }, () =>
      Math.round(spread(prng, 1000, 1_000_000)),
    ),
    fundingHours: pick(prng, [1, 8]),
    bracketed,
  };
}

/** Two accounts of the attackers, one of each side; the first has the highest leverage. */
function openPair({ prng }: Chance, side: Side, { size = between(prng, 0.3, 0.93) } = {}): Move[] {
  return [
    leverageOf(0, 50),
    leverageOf(1, pick(prng, [1, 3, 10, 50])),
    {
      do: 'meet',
      who: 0,
      friend: 1,
      side,
      size,
      offset: between(prng, -0.0005, 0.0005),
      market: 0,
    },
  ];
}

const priceMove = (change: number, market = 0): Move => ({ do: 'price', change, market });

/** Margin is lost to a friend below the mark, and then the price moves. */
function strip(chance: Chance): Move[] {
  const { prng } = chance;
  const side = anySide(prng);
  const size = between(prng, 0.3, 0.93);
  const offset = spread(prng, 0.005, 0.97);
  // The equity is about a fiftieth of the notional / size; most of it is lost.
  const part = Math.min(1, (between(prng, 0.5, 1) * (1 / size - 1 / 20)) / 50 / offset);
  return [
    ...openPair(chance, side, { size }),
    { do: 'close', who: 0, friend: 1, part, offset, market: 0 },
    priceMove(against(side, Math.abs(drawGap(prng, chance.gaps)))),
  ];
}

/** A gap beyond the margin of the highest leverage. */
function gap(chance: Chance): Move[] {
  const side = anySide(chance.prng);
  const moves = openPair(chance, side);
  for (let more = chance.prng.below(3); more >= 0; more -= 1) moves.push(gapMove(chance));
  return moves;
}

/** A position just before the boundary, or none, and back after it. */
function funding(chance: Chance): Move[] {
  const { prng } = chance;
  const moves: Move[] = [leverageOf(0, 50), leverageOf(1, 50)];
  const side = anySide(prng);
  const order = (who: number, of: Side, size: number): Move => ({
    do: 'order',
    who,
    side: of,
    size,
    offset: against(of, -spread(prng, 0.0002, 0.005)),
    market: 0,
  });
  const dodge = prng.below(3) === 0;
  const size = between(prng, 0.1, 0.9);
  if (dodge) moves.push(order(0, side, size));
  moves.push({ do: 'boundary', beforeMs: pick(prng, [1000, 2000, 5000, 60_000, 600_000]) });
  if (dodge) moves.push(closing(prng, 0));
  else moves.push(order(0, side, size));
  if (prng.below(2) === 0) moves.push(order(1, anySide(prng), between(prng, 0.1, 0.9)));
  moves.push({ do: 'wait', ms: pick(prng, [2000, 10_000]) });
  if (dodge) moves.push(order(0, side, size));
  else moves.push(closing(prng, 0));
  moves.push(closing(prng, 1));
  return moves;
}

const closing = (prng: Prng, who: number, market = 0): Move => ({
  do: 'close',
  who,
  friend: -1,
  part: 1,
  offset: spread(prng, 0.0002, 0.005),
  market,
});

/** Positions grow while the equity shrinks, until the leverage is beyond the maximum. */
function creep(chance: Chance): Move[] {
  const { prng } = chance;
  const side = anySide(prng);
  const moves = openPair(chance, side);
  for (let step = 1 + prng.below(4); step > 0; step -= 1) {
    moves.push(priceMove(against(side, between(prng, 0.0005, 0.009))));
    moves.push({
      do: 'meet',
      who: 0,
      friend: 1,
      side,
      size: between(prng, 0.3, 0.93),
      offset: 0,
      market: 0,
    });
  }
  // Less than the margin at the highest leverage.
  moves.push(priceMove(against(side, between(prng, 0.003, 0.0195))));
  return moves;
}

/** A side of the market is filled to its cap. */
function corner(chance: Chance): Move[] {
  const { prng } = chance;
  const side = anySide(prng);
  const moves: Move[] = [leverageOf(0, 50), leverageOf(1, pick(prng, [10, 50]))];
  for (let times = 1 + prng.below(3); times > 0; times -= 1) {
    const size = between(prng, 0.3, 0.93);
    moves.push({ do: 'meet', who: 0, friend: 1, side, size, offset: 0, market: 0 });
  }
  moves.push({ do: 'boundary', beforeMs: 1000 }, { do: 'wait', ms: 5000 }, gapMove(chance));
  return moves;
}

/** While a market's price is old or in doubt, money is lost to a friend in the other. */
function doubt(chance: Chance): Move[] {
  const { prng } = chance;
  const side = anySide(prng);
  const lateral = anySide(prng);
  const moves = openPair(chance, side);
  const open = pick(prng, ['silence', 'jump'] as const);
  const jump = against(side, between(prng, 0.101, 0.3));
  if (open === 'jump') moves.push({ do: 'wait', ms: 1000 }, priceMove(jump));
  else moves.push({ do: 'silence', ms: pick(prng, [5100, 20_000, 29_000]) }, priceMove(0, 1));
  moves.push(
    {
      do: 'meet',
      who: 0,
      friend: 1,
      side: lateral,
      size: between(prng, 0.05, 0.9),
      offset: against(lateral, -spread(prng, 0.005, 0.5)),
      market: 1,
    },
    { do: 'wait', ms: 1200 },
    { do: 'wait', ms: 1200 },
    gapMove(chance),
  );
  return moves;
}

/** A delivery at a mean that is not the mark. */
function delivery(chance: Chance): Move[] {
  const { prng } = chance;
  const minutes = 3 + prng.below(20);
  const moves: Move[] = [{ do: 'deliver', minutes }];
  const away = between(prng, -0.08, 0.08);
  moves.unshift(...openPair(chance, anySide(prng)));
  moves.push(priceMove(away));
  for (let at = 0; at < minutes - 1; at += 1) moves.push({ do: 'wait', ms: 60_000 });
  moves.push(priceMove(-away / (1 + away)));
  moves.push(pick(prng, [closing(prng, 0), { do: 'withdraw', who: 0, part: 1 }]));
  moves.push({ do: 'wait', ms: 90_000 });
  return moves;
}

/** Who is deleveraged: the friend with little leverage hides behind honest winners. */
function ranking(chance: Chance): Move[] {
  const { prng } = chance;
  const side = anySide(prng);
  const moves: Move[] = [leverageOf(0, 50), leverageOf(1, 1), leverageOf(2, 50)];
  moves.push({
    do: 'meet',
    who: 0,
    friend: 1,
    side,
    size: between(prng, 0.5, 0.93),
    offset: 0,
    market: 0,
  });
  moves.push(priceMove(against(side, between(prng, 0.001, 0.0095))));
  if (prng.below(2) === 0) {
    moves.push({
      do: 'meet',
      who: 1,
      friend: 2,
      side,
      size: between(prng, 0.1, 0.9),
      offset: 0,
      market: 0,
    });
  }
  moves.push(priceMove(against(side, Math.abs(drawGap(prng, chance.gaps)))), gapMove(chance));
  return moves;
}

/** Own accounts are liquidated one after the other, and the fund takes them over. */
function drain(chance: Chance): Move[] {
  const { prng } = chance;
  const side = anySide(prng);
  const moves: Move[] = [leverageOf(1, pick(prng, [1, 5, 50]))];
  for (const who of [0, 2, 3]) {
    moves.push(leverageOf(who, 50), {
      do: 'meet',
      who,
      friend: 1,
      side,
      size: between(prng, 0.2, 0.93),
      offset: 0,
      market: 0,
    });
    moves.push(priceMove(against(side, between(prng, 0.002, 0.02))));
  }
  moves.push({ do: 'quotes', on: prng.below(2) === 0 }, { do: 'wait', ms: 31_000 });
  moves.push(gapMove(chance));
  return moves;
}

function free(chance: Chance): Move[] {
  const moves = [0, 1].map((who) => leverageOf(who, 50));
  for (let at = 4 + chance.prng.below(10); at > 0; at -= 1) moves.push(drawMove(chance));
  return moves;
}

/** What an account owes for an interval of funding, when it has nothing left at the boundary. */
function debt(chance: Chance): Move[] {
  const { prng } = chance;
  const side = anySide(prng);
  const size = between(prng, 0.5, 0.93);
  const moves: Move[] = [
    { do: 'boundary', beforeMs: 1000 },
    { do: 'wait', ms: 3000 },
    ...openPair(chance, side, { size }),
    { do: 'boundary', beforeMs: pick(prng, [2000, 60_000, 600_000]) },
  ];
  // Its money goes to the friend by a close below the mark, or by a liquidation that meets its
  // order.
  const how = prng.below(4);
  const offset = 0.02 / size - between(prng, 0, 0.006);
  if (how === 0) moves.push({ do: 'close', who: 0, friend: 1, part: 1, offset, market: 0 });
  if (how === 1) {
    const price = { size: between(prng, 0.5, 1), offset: against(side, offset) };
    moves.push({ do: 'order', who: 1, side, ...price, market: 0 });
  }
  moves.push(
    priceMove(how === 0 ? 0 : against(side, between(prng, 0.005, 0.03))),
    { do: 'wait', ms: pick(prng, [2000, 31_000]) },
    { do: 'boundary', beforeMs: 1000 },
    { do: 'wait', ms: 3000 },
  );
  return moves;
}

/** Between two thirds of maintenance and all of it a position may wait, and then the gap comes. */
function linger(chance: Chance): Move[] {
  const { prng } = chance;
  const side = anySide(prng);
  const size = between(prng, 0.5, 0.93);
  const moves: Move[] = [...openPair(chance, side, { size }), { do: 'quotes', on: false }];
  // From the margin at 50x into the part between, in steps below the maintenance rate.
  const fall = 0.02 / size - between(prng, 0.0034, 0.0098);
  const steps = Math.ceil(fall / 0.009);
  for (let at = 0; at < steps; at += 1) moves.push(priceMove(against(side, fall / steps)));
  moves.push(priceMove(against(side, between(prng, 0.004, 0.025))));
  return moves;
}

/** A chain of own accounts that refer each other trades in a circle, and claims again and again. */
function referral(chance: Chance): Move[] {
  const { prng } = chance;
  const accounts = 2 + prng.below(3);
  const moves: Move[] = [];
  for (let who = 0; who < accounts; who += 1) {
    // The last one tries to close the circle.
    const friend = (who + 1) % accounts;
    if (prng.below(5) > 0) moves.push({ do: 'bind', who, friend });
    moves.push(leverageOf(who, pick(prng, [5, 20, 50])));
  }
  for (let times = 2 + prng.below(6); times > 0; times -= 1) {
    const who = prng.below(accounts);
    const friend = (who + 1 + prng.below(accounts - 1)) % accounts;
    const size = prng.below(2) === 0 ? between(prng, 0.05, 0.6) : spread(prng, 0.0005, 0.05);
    moves.push({ do: 'meet', who, friend, side: anySide(prng), size, offset: 0, market: 0 });
    if (prng.below(2) === 0) moves.push({ do: 'claim', who: prng.below(accounts) });
    if (prng.below(3) === 0) moves.push(closing(prng, who));
  }
  return moves;
}

const ideas = {
  strip,
  funding,
  gap,
  creep,
  corner,
  doubt,
  delivery,
  ranking,
  drain,
  debt,
  linger,
  referral,
  free,
} as const;

export type FamilyName = keyof typeof ideas;

export const familyNames = Object.keys(ideas) as FamilyName[];

/**
 * Moves of the index beyond these are of no use to an idea, as they would pay without it: below the
 * maintenance rate of 1 %, and below the margin of 2 % of the highest leverage.
 */
const gapMax: Partial<Record<FamilyName, number>> = { strip: 0.0099, creep: 0.0195 };

/** The gaps that plans of a family may have. */
export function gapsOfFamily(name: FamilyName, gaps: Gaps): Gaps {
  const most = gapMax[name] ?? Number.POSITIVE_INFINITY;
  return gaps.filter((gap) => Math.abs(gap) <= most);
}

export function drawPlan(name: FamilyName, chance: Chance): Plan {
  const scenery = drawScenery(chance);
  const moves = ideas[name](chance);
  const accounts = 1 + Math.max(...moves.map(accountsIn), scenery.money.length - 1);
  const money = Array.from({ length: accounts }, (_, at) => scenery.money[at] ?? 100_000);
  const fundingHours = name === 'funding' || name === 'debt' ? 1 : scenery.fundingHours;
  if (name === 'corner') money.fill(2_000_000, 0, 2);
  return { scenery: { ...scenery, money, fundingHours }, moves };
}

/** The highest number of an account that a move names. */
export const accountsIn = (move: Move): number =>
  Math.max('who' in move ? move.who : 0, 'friend' in move ? move.friend : 0);
