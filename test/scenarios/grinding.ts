// A person with three accounts trades between them in the smallest lots, back and forth, so that
// every rounding happens again and again (UNIT-3): the person's money may only shrink. One price,
// no fees or a rebate as large as the fee, funding in between.

import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { equityOf } from '../../src/engine/clearing/margin.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import { ordersByPriority } from '../../src/engine/ordersByPriority.ts';
import type { Side } from '../../src/engine/orderTypes.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { AccountId, Lots, MarketId, Money, Ticks, Time } from '../../src/units/units.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { play } from './scenario.ts';
import { createWorld } from './world.ts';

const market = 0 as MarketId;
const ticks = 1003 as Ticks;
const accounts = 3;
const tickEvery = 20;

export type Grinding = {
  readonly seed: number;
  readonly rounds: number;
  /** Terms of the market, as a scenario writes them. */
  readonly terms: string;
};

export type Ground = {
  /** Of the three accounts, in millionths. */
  readonly before: number;
  readonly after: number;
  /** The largest change of one round; above 0 somebody has found something. */
  readonly gainMax: number;
  readonly trades: number;
  readonly fundings: number;
};

export function grind({ seed, rounds, terms }: Grinding): Ground {
  const { exchange } = play(
    createWorld(),
    `
    # A rebate may be the whole fee of the taker.
    referral off
    market DUSTUSDT minOrderSize 0.000001 ${terms}
    credit ada 20
    credit bob 20
    credit cyd 20
    house bob
    bob mode isolated
    cyd mode unified
    index 1.003
    `,
  );
  const prng = createPrng(seed);
  const before = wealthOf(exchange);
  let wealth = before;
  let gainMax = Number.NEGATIVE_INFINITY;
  const counts = { trades: 0, fundings: 0 };
  for (let round = 0; round < rounds; round += 1) {
    if (round % tickEvery === 0) tick(exchange);
    applyCommand(exchange, draw(prng, exchange), 0 as Time);
    counts.trades += countOf(exchange, 'traded');
    counts.fundings += countOf(exchange, 'fundingSettled');
    exchange.events = [];
    const now = wealthOf(exchange);
    gainMax = Math.max(gainMax, now - wealth);
    wealth = now;
  }
  return { before, after: wealth, gainMax, ...counts };
}

const countOf = ({ events }: Exchange, kind: string): number =>
  events.filter((event) => event.kind === kind).length;

/** The sum of all accounts except the fund. */
function wealthOf(exchange: Exchange): number {
  return liveAccounts(exchange)
    .slice(1)
    .reduce((sum, account) => sum + equityOf(exchange, account), 0);
}

function tick(exchange: Exchange): void {
  beginBatch(exchange, (exchange.time + 250) as Time);
  const prices = [{ market, source: 'sim', ticks, observedAt: exchange.time }];
  applyCommand(exchange, { kind: 'indexTick', prices }, 0 as Time);
}

function draw(prng: Prng, exchange: Exchange): Command {
  const account = (1 + prng.below(accounts)) as AccountId;
  const kind = prng.below(24);
  if (kind === 0) return { kind: 'settleFunding', market };
  if (kind === 1) return { kind: 'setLeverage', account, market, leverage: 1 + prng.below(50) };
  if (kind === 2) return { kind: 'cancelAllOrders', account, market };
  if (kind === 3) {
    const delta = (prng.below(7) - 3) as Money;
    return { kind: 'transferCollateral', account: 2 as AccountId, market, delta };
  }
  const live = ordersByPriority(exchange);
  const order = live[prng.below(Math.max(live.length, 1))];
  const lots = (1 + prng.below(kind < 8 ? 40 : 3)) as Lots;
  if (kind === 4 && order !== undefined) {
    const { id, createdAt, account: owner } = order;
    const reference = { order: { id, createdAt }, account: owner, market };
    return { kind: 'modifyOrder', ...reference, side: undefined, lots, ticks };
  }
  const side = (prng.below(2) === 0 ? 1 : -1) as Side;
  return orderCommand({
    account,
    market,
    side,
    timeInForce: prng.below(4) === 0 ? 'IOC' : 'GTC',
    lots,
    // A tick off sometimes: what one account loses by it another gains.
    ticks: (ticks + (prng.below(8) === 0 ? side : 0)) as Ticks,
    reduceOnly: prng.below(6) === 0,
  });
}
