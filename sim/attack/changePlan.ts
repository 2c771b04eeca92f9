// Changes a plan a little: the steps of the hill climbing.

import type { Prng } from '../../src/std/prng.ts';
import { type Chance, drawMove, pick } from './drawMove.ts';
import { accountsIn, drawScenery } from './families.ts';
import { drawGap } from './gaps.ts';
import type { Move, Plan, Scenery } from './plan.ts';

const movesMax = 40;

export function changePlan(plan: Plan, chance: Chance): Plan {
  const { prng } = chance;
  let changed = plan;
  for (let times = 1 + prng.below(3); times > 0; times -= 1) changed = changeOnce(changed, chance);
  const needed = 1 + Math.max(0, ...changed.moves.map(accountsIn));
  const { money } = changed.scenery;
  if (money.length >= needed) return changed;
  const more = Array.from({ length: needed }, (_, at) => money[at] ?? 100_000);
  return { ...changed, scenery: { ...changed.scenery, money: more } };
}

function changeOnce(plan: Plan, chance: Chance): Plan {
  const { prng } = chance;
  const { scenery, moves } = plan;
  const at = prng.below(Math.max(1, moves.length));
  const draw = prng.below(20);
  if (draw < 3 || moves.length === 0) return { ...plan, scenery: changeScenery(scenery, chance) };
  if (draw < 13) return { ...plan, moves: moves.with(at, changeMove(moves[at]!, chance)) };
  if (draw < 15) return { ...plan, moves: moves.toSpliced(at, 1) };
  if (moves.length >= movesMax) return plan;
  if (draw < 18) return { ...plan, moves: moves.toSpliced(at, 0, drawMove(chance)) };
  const [moved] = moves.slice(at, at + 1);
  return { ...plan, moves: moves.toSpliced(at, 1).toSpliced(prng.below(moves.length), 0, moved!) };
}

function changeScenery(scenery: Scenery, chance: Chance): Scenery {
  const { prng } = chance;
  const drawn = drawScenery(chance);
  switch (prng.below(6)) {
    case 0:
      return { ...scenery, fund: drawn.fund };
    case 1:
      return { ...scenery, depth: drawn.depth, spread: drawn.spread };
    case 2:
      return { ...scenery, honest: drawn.honest };
    case 3:
      return { ...scenery, makerIsHouse: !scenery.makerIsHouse };
    default: {
      const at = prng.below(scenery.money.length);
      const money = Math.round(scenery.money[at]! * scaleOf(prng));
      return { ...scenery, money: scenery.money.with(at, Math.min(Math.max(money, 100), 5e6)) };
    }
  }
}

/** 0.5 … 2, near 1 more often. */
const scaleOf = (prng: Prng): number => 2 ** (prng.unit() + prng.unit() - 1);

function changeMove(move: Move, chance: Chance): Move {
  const { prng, gaps } = chance;
  if (prng.below(8) === 0) return drawMove(chance);
  switch (move.do) {
    case 'leverage':
      return { ...move, leverage: pick(prng, [1, 2, 5, 10, 25, 50]) };
    case 'order':
    case 'meet': {
      if (prng.below(2) === 0) return { ...move, size: Math.min(1, move.size * scaleOf(prng)) };
      return { ...move, offset: changeOffset(move.offset, prng) };
    }
    case 'close': {
      if (prng.below(2) === 0) return { ...move, part: Math.min(1, move.part * scaleOf(prng)) };
      return { ...move, offset: changeOffset(move.offset, prng) };
    }
    case 'stop':
      return { ...move, offset: changeOffset(move.offset, prng) };
    case 'price': {
      if (prng.below(2) === 0) return { ...move, change: drawGap(prng, gaps) };
      const [lowest, highest] = [gaps[0]!, gaps.at(-1)!];
      const change = move.change * scaleOf(prng);
      return { ...move, change: Math.min(Math.max(change, lowest), highest) };
    }
    case 'wait':
    case 'silence':
      return { ...move, ms: Math.min(Math.ceil(move.ms * scaleOf(prng)), 3_600_000) };
    case 'boundary':
      return { ...move, beforeMs: pick(prng, [500, 1000, 5000, 60_000, 600_000]) };
    case 'collateral':
    case 'withdraw':
      return { ...move, part: Math.min(1, move.part * scaleOf(prng)) };
    default:
      return move;
  }
}

function changeOffset(offset: number, prng: Prng): number {
  if (offset === 0) return (prng.unit() - 0.5) * 0.002;
  const changed = offset * scaleOf(prng);
  return Math.max(-0.99, prng.below(10) === 0 ? -changed : changed);
}
