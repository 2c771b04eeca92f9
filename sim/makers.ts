// The market makers. Their ladders around the index become wider and smaller when it moves fast,
// and disappear when it falls steeply. The house's own maker stays as long as its money lasts. A
// maker has no memory: it reads the chart and its own orders.

import type { Command } from '../src/engine/command.ts';
import type { Exchange } from '../src/engine/exchange.ts';
import type { Order } from '../src/engine/order.ts';
import type { Side } from '../src/engine/orderTypes.ts';
import { type Quote, quoteLadder } from '../src/maker/quoteLadder.ts';
import { must } from '../src/std/assert.ts';
import { type AccountId, type Lots, type Money, type Rate, usdt } from '../src/units/units.ts';
import { placing } from './agentCommands.ts';
import { houseId, makerIds } from './cast.ts';
import { indexAt, type PricePath, steepestFall, stepsPerSecond } from './pricePath.ts';
import { market } from './simMarket.ts';

type Maker = {
  readonly account: AccountId;
  /** From a fall of this size within a minute it quotes nothing; a fraction. */
  readonly fallMax: number;
  /** For how many seconds without such a fall it stays away. */
  readonly shySeconds: number;
  readonly halfSpread: Rate;
  readonly inventoryMax: Money;
  readonly size: Money;
};

/** For each account of the crowd, USDT. */
const inventoryPerAccount = 2000;
const sizePerAccount = 12;
const houseInventoryPerAccount = 1000;
const houseSizePerAccount = 20;

export function createMakers(crowdSize: number): readonly Maker[] {
  const money = (perAccount: number): Money => (crowdSize * perAccount * usdt) as Money;
  const makers = makerIds.map((account, i) => ({
    account,
    fallMax: 0.02 + 0.006 * i,
    shySeconds: 30 + 12 * i,
    halfSpread: (40_000 + 8000 * i) as Rate,
    inventoryMax: money(inventoryPerAccount),
    size: money(sizePerAccount),
  }));
  const house = {
    account: houseId,
    fallMax: 1,
    shySeconds: 0,
    halfSpread: 100_000 as Rate,
    inventoryMax: money(houseInventoryPerAccount),
    size: money(houseSizePerAccount),
  };
  return [...makers, house];
}

/** Every maker acts once a second; when the price moves faster, each in one step of four. */
export function makerCommands(
  makers: readonly Maker[],
  exchange: Exchange,
  path: PricePath,
  step: number,
): Command[] {
  const commands: Command[] = [];
  for (const maker of makers) {
    const turn = step % stepsPerSecond === 0 || (step + maker.account) % stepsPerSecond === 0;
    if (turn) commands.push(...requote(maker, exchange, path, step));
  }
  return commands;
}

function requote(maker: Maker, exchange: Exchange, path: PricePath, step: number): Command[] {
  const { account } = maker;
  const position = must(exchange.accounts[account]!.positions[market], 'a maker has its leverage');
  const bids = ordersOf(position.oldestBuy);
  const asks = ordersOf(position.oldestSell);
  const wanted = ladderOf(maker, exchange, path, step, position.lots);
  const index = indexAt(path, step);
  const stands = (['BUY', 'SELL'] as const).every((side) =>
    isStanding(
      side === 'BUY' ? bids : asks,
      wanted.filter((quote) => quote.side === side),
      (index * maker.halfSpread * 0.4) / 100_000_000,
    ),
  );
  if (stands) return [];
  const commands: Command[] = [];
  if (bids.length + asks.length > 0) commands.push({ kind: 'cancelAllOrders', account, market });
  for (const { side, ticks, lots } of wanted) {
    const sign = (side === 'BUY' ? 1 : -1) as Side;
    commands.push(placing({ account, side: sign, lots, ticks }));
  }
  return commands;
}

function ordersOf(oldest: Order | null): Order[] {
  const orders: Order[] = [];
  for (let order = oldest; order !== null; order = order.newer) orders.push(order);
  return orders;
}

/** Wider and smaller with the range of the last minute; nothing after a steep fall. */
function ladderOf(
  maker: Maker,
  exchange: Exchange,
  path: PricePath,
  step: number,
  inventory: Lots,
): readonly Quote[] {
  const second = Math.floor(step / stepsPerSecond);
  if (steepestFall(path, second, maker.shySeconds + 1) >= maker.fallMax) return [];
  const { grain, terms } = exchange.markets[market]!;
  const range = path.ranges[second]!;
  const halfSpread = maker.halfSpread + Math.floor(range * 0.12 * 100_000_000);
  return quoteLadder({
    index: indexAt(path, step),
    inventory,
    grain,
    notionalMin: terms.minOrderSize,
    parameters: {
      levels: 4,
      halfSpread: halfSpread as Rate,
      step: (halfSpread >> 1) as Rate,
      widening: 0 as Rate,
      takeMax: 0 as Money,
      size: Math.floor(maker.size / (1 + 60 * range)) as Money,
      inventoryMax: maker.inventoryMax,
      skew: 300_000 as Rate,
    },
  });
}

/** Whether the orders of a side are near enough to the wanted ones, and still large enough. */
function isStanding(
  orders: readonly Order[],
  quotes: readonly Quote[],
  tolerance: number,
): boolean {
  if (orders.length === 0 || quotes.length === 0) return orders.length === quotes.length;
  const best = orders[0]!.ticks;
  const open = orders.reduce((sum, order) => sum + order.open, 0);
  const wanted = quotes.reduce((sum, { lots }) => sum + lots, 0);
  const near = Math.abs(best - quotes[0]!.ticks) <= tolerance;
  return near && open >= 0.6 * wanted && open <= 1.5 * wanted;
}
