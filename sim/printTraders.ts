// Two accounts that make the book trade at recorded prints: one sweeps all orders that are better
// than the print's price and then meets the other there. They have enough money for everything.

import { ladderOf } from '../src/engine/book/book.ts';
import { lotsWithin } from '../src/engine/book/depth.ts';
import type { Command } from '../src/engine/command.ts';
import type { Exchange } from '../src/engine/exchange.ts';
import { lotsMax } from '../src/engine/limits.ts';
import type { Grid } from '../src/engine/marketTerms.ts';
import type { Side } from '../src/engine/orderTypes.ts';
import { bestOf } from '../src/engine/views/depthOfMarket.ts';
import { roundToTicks } from '../src/feeds/roundToTicks.ts';
import type { Trade } from '../src/feeds/tradeFile.ts';
import { type AccountId, type Ticks, usdt } from '../src/units/units.ts';
import { placing } from './agentCommands.ts';
import { printTraderIds } from './cast.ts';
import { type PricePath, stepMs } from './pricePath.ts';
import { market } from './simMarket.ts';

/**
 * The prints of each step that has any, in the order of trading, with a bounded number of prices.
 */
export type Prints = ReadonlyMap<number, readonly Ticks[]>;

const printNotional = 200 * usdt;

export function createPrints(trades: readonly Trade[], path: PricePath, tick: Grid): Prints {
  const all = new Map<number, Ticks[]>();
  for (const { at, price } of trades) {
    const step = Math.ceil((at / 1000 - path.start) / stepMs);
    if (step < 0 || step >= path.ticks.length) continue;
    const ticks = roundToTicks(price, tick);
    if (ticks === undefined) continue;
    const before = all.get(step);
    if (before === undefined) all.set(step, [ticks]);
    else if (before.at(-1) !== ticks) before.push(ticks);
  }
  return new Map([...all].map(([step, ticks]) => [step, extremes(ticks)]));
}

/** The lowest, the highest and the last of a step's prices, in their order. */
function extremes(ticks: readonly Ticks[]): readonly Ticks[] {
  if (ticks.length <= 3) return ticks;
  let low = 0;
  let high = 0;
  ticks.forEach((value, i) => {
    if (value < ticks[low]!) low = i;
    if (value > ticks[high]!) high = i;
  });
  const kept = [...new Set([low, high, ticks.length - 1])].sort((a, b) => a - b);
  return kept.map((i) => ticks[i]!);
}

/** Decided by the book before the step: the sweep is generous. */
export function printCommands(prints: readonly Ticks[], exchange: Exchange): Command[] {
  const { grain, book, terms } = exchange.markets[market]!;
  const { bidTicks, askTicks } = bestOf(exchange.markets[market]!);
  const [first, second] = printTraderIds;
  const lotsOf = (account: AccountId): number =>
    exchange.accounts[account]!.positions[market]?.lots ?? 0;
  const commands: Command[] = [];
  for (const ticks of prints) {
    // The account with more lots sells, so that neither position grows without bound.
    const seller = lotsOf(first) >= lotsOf(second) ? first : second;
    const buyer = seller === first ? second : first;
    const falls = bidTicks > ticks || (askTicks > 0 && ticks <= (bidTicks + askTicks) / 2);
    const side = (falls ? -1 : 1) as Side;
    const sweeper = falls ? seller : buyer;
    const rester = falls ? buyer : seller;
    const lots = Math.max(1, Math.floor(printNotional / (ticks * grain)));
    const better = lotsWithin(ladderOf(book, -side as Side), ticks, lotsMax).lots;
    const most = Math.floor(terms.maxOrderSize / (ticks * grain));
    const sweep = Math.min(most, 2 * better + 2 * lots);
    // Better orders go first, because they would prevent the resting one.
    commands.push(
      placing({ account: sweeper, side, lots: sweep, ticks, timeInForce: 'IOC' }),
      placing({ account: rester, side: -side as Side, lots, ticks, timeInForce: 'GTX' }),
      placing({ account: sweeper, side, lots, ticks, timeInForce: 'IOC' }),
      { kind: 'cancelAllOrders', account: rester, market },
    );
  }
  return commands;
}
