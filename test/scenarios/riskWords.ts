// The words of a scenario for risk: one tick for several markets, funding settled at the operator's
// wish, and what the last step did to positions and money without an order of their owner. The
// grammar is in docs/rules/README.md.

import { expect } from 'vitest';
import type { Account } from '../../src/engine/account.ts';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { intervalMs, presentRate } from '../../src/engine/clearing/accrueFunding.ts';
import type { Event } from '../../src/engine/event.ts';
import type { Market } from '../../src/engine/market.ts';
import { accountFigures } from '../../src/engine/views/accountFigures.ts';
import { ledgerRowsOf } from '../../src/history/ledgerRowsOf.ts';
import { formatTrimmed } from '../../src/units/decimal.ts';
import type { AccountId, Lots, Ticks, Time } from '../../src/units/units.ts';
import {
  accountOf,
  flag,
  lotsText,
  marketOf,
  money,
  moneyText,
  option,
  scaled,
  ticksText,
  type World,
} from './world.ts';

/** Runs a step that begins with a word about risk; false: not such a step. */
export function actOnRisk(world: World, words: readonly string[]): boolean {
  const [first, ...rest] = words;
  switch (first) {
    case 'tick':
      runTick(world, rest);
      return true;
    case 'funding': {
      if (rest[0] !== 'settle' && rest[0] !== 'whole') return false;
      const market = marketOf(world, rest);
      if (rest[0] === 'whole') holdForInterval(world, market);
      const command = { kind: 'settleFunding', market: market.id } as const;
      world.last = applyCommand(world.exchange, command, 0 as Time);
      return true;
    }
    default:
      return false;
  }
}

/** Funding has accrued as if everything had stood as it does for a whole interval. */
function holdForInterval({ exchange }: World, market: Market): void {
  market.shares.clear();
  market.figures.fundingSum = presentRate(market) * intervalMs(market);
  market.figures.fundingAt = exchange.time;
}

/** Checks the effects of the last changing step; false: the step has none of these words. */
export function expectOfRisk(world: World, words: readonly string[], where: string): boolean {
  const [verb, ...rest] = words;
  if (verb === 'wealth') {
    expectWealth(world, rest, where);
    return true;
  }
  if (verb === 'rows') {
    expectRows(world, rest, where);
    return true;
  }
  const tell = tellers[verb!];
  if (tell === undefined) return false;
  const named = rest.some((word) => world.exchange.marketBySymbol.has(word));
  const market = named ? marketOf(world, rest).id : undefined;
  const reported = world.recent.flatMap((event) => {
    const elsewhere = market !== undefined && 'market' in event && event.market !== market;
    const text = elsewhere ? undefined : tell(world, event);
    return text === undefined ? [] : [text];
  });
  expect(`${verb} ${reported.join(' ')}`.trim(), where).toBe([verb, ...rest].join(' '));
  return true;
}

/**
 * `NAME … [atMost] AMOUNT`: the equity of somebody who has several accounts, to the last unit; with
 * what he has withdrawn.
 */
function expectWealth(world: World, words: string[], where: string): void {
  const bounded = flag(words, 'atMost');
  const amount = money(words.pop()!);
  const accounts = words.map((name) => accountOf(world, name));
  const total = accounts.reduce(
    (sum, account) => {
      return sum + accountFigures(world.exchange, account).equity;
    },
    withdrawnBy(world, accounts),
  );
  if (bounded) expect(total, where).toBeLessThanOrEqual(amount);
  else expect(moneyText(total), where).toBe(moneyText(amount));
}

/** `NAME AMOUNT …`: every row of the account's ledger so far that is not 0 (BAL-3). */
function expectRows(world: World, [name, ...rows]: string[], where: string): void {
  const { id } = accountOf(world, name!);
  const reported = world.events
    .flatMap((event) => ledgerRowsOf(event))
    .filter(({ account, amount }) => account === id && amount !== 0)
    .map(({ amount }) => moneyText(amount));
  expect(`rows ${name} ${reported.join(' ')}`, where).toBe(`rows ${name} ${rows.join(' ')}`);
}

/** The withdrawals of these accounts without the released ones. */
function withdrawnBy(world: World, accounts: readonly Account[]): number {
  const ids = new Set(accounts.map(({ id }) => id));
  return world.events.reduce((sum, event) => {
    if (event.kind === 'withdrawalRequested' && ids.has(event.account)) return sum + event.amount;
    const back = event.kind === 'withdrawalResolved' && !event.completed && ids.has(event.account);
    return back ? sum - event.amount : sum;
  }, 0);
}

type Teller = (world: World, event: Event) => string | undefined;

/** Each gives the content of one event, or undefined for another kind. */
const tellers: Record<string, Teller> = {
  // NAME yes|no: whose flag rose or fell.
  flags: (world, event) => {
    if (event.kind !== 'liquidationFlagged') return undefined;
    return `${nameOf(world, event.account)} ${event.flagged ? 'yes' : 'no'}`;
  },
  // TAKER MAKER QUANTITY@PRICE: what the exchange itself closed through the book.
  liquidated: (world, event) => {
    if (event.kind !== 'traded' || !event.liquidation) return undefined;
    const names = `${nameOf(world, event.taker.account)} ${nameOf(world, event.maker.account)}`;
    return `${names} ${sizeAt(world, event)}`;
  },
  // NAME QUANTITY@PRICE: what the fund took over.
  takenOver: (world, event) => {
    if (event.kind !== 'takenOver') return undefined;
    return `${nameOf(world, event.account.account)} ${sizeAt(world, event)}`;
  },
  // BANKRUPT COUNTERPARTY QUANTITY@PRICE.
  deleveraged: (world, event) => {
    if (event.kind !== 'deleveraged' || event.cause !== 'deleveraging') return undefined;
    const { bankrupt, counterparty } = event;
    const names = `${nameOf(world, bankrupt.account)} ${nameOf(world, counterparty.account)}`;
    return `${names} ${sizeAt(world, event)}`;
  },
  // COUNTERPARTY QUANTITY@PRICE: reductions of the fund.
  reduced: (world, event) => {
    if (event.kind !== 'deleveraged' || event.cause !== 'fund_reduction') return undefined;
    return `${nameOf(world, event.counterparty.account)} ${sizeAt(world, event)}`;
  },
  // NAME AMOUNT: profit that was taken for a deficit.
  shared: (world, event) => {
    if (event.kind !== 'profitShared') return undefined;
    return `${nameOf(world, event.account)} ${moneyText(event.amount)}`;
  },
  // NAME AMOUNT: unrealised profit that became money.
  realized: (world, event) => {
    if (event.kind !== 'profitRealized') return undefined;
    return `${nameOf(world, event.account)} ${moneyText(event.amount)}`;
  },
  // NAME FUND SHARED SHORTFALL: the unpaid amount of an account, and who paid it.
  covered: (world, event) => {
    if (event.kind !== 'lossCovered') return undefined;
    const { account, fund, shared, shortfall } = event;
    const borne = [fund, shared, shortfall].map(moneyText);
    return `${nameOf(world, account)} ${borne.join(' ')}`;
  },
  // NAME AMOUNT: what the fund paid of a payer's funding.
  helped: (world, event) => {
    if (event.kind !== 'fundingCovered') return undefined;
    return `${nameOf(world, event.account)} ${moneyText(event.amount)}`;
  },
  // NAME AMOUNT: liquidation fees.
  charged: (world, event) => {
    if (event.kind !== 'liquidationFeePaid') return undefined;
    return `${nameOf(world, event.account)} ${moneyText(event.amount)}`;
  },
  // NAME AMOUNT: rows of funding, negative when paid.
  paid: (world, event) => {
    if (event.kind !== 'fundingPaid') return undefined;
    return `${nameOf(world, event.account)} ${moneyText(event.amount)}`;
  },
  // BOUNDARY RATE.
  funded: (_, event) => {
    if (event.kind !== 'fundingSettled') return undefined;
    return `${event.boundary} ${formatTrimmed(event.rate, 8)}`;
  },
  // NAME PROFIT: positions realised at a delivery.
  delivered: (world, event) => {
    if (event.kind !== 'positionSettled') return undefined;
    return `${nameOf(world, event.account)} ${moneyText(event.pnl)}`;
  },
  // PRICE of a delivery.
  settled: (world, event) => {
    if (event.kind !== 'marketSettled') return undefined;
    return ticksText(world.exchange.markets[event.market]!, event.ticks);
  },
};

function sizeAt(
  { exchange }: World,
  event: { readonly market: Market['id']; readonly lots: Lots; readonly ticks: Ticks },
): string {
  const market = exchange.markets[event.market]!;
  return `${lotsText(market, event.lots)}@${ticksText(market, event.ticks)}`;
}

function nameOf({ exchange, names }: World, id: AccountId): string {
  const { address } = exchange.accounts[id]!;
  for (const [name, known] of names) if (known === address) return name;
  throw new Error(`account ${id} has no name`);
}

/** `SYMBOL=PRICE … [after MS]`: one index tick of several markets. */
function runTick(world: World, words: string[]): void {
  const { exchange } = world;
  const elapsedMs = Number(option(words, 'after') ?? 250);
  beginBatch(exchange, (exchange.time + elapsedMs) as Time);
  const prices = words.map((word) => {
    const [symbol, price] = word.split('=');
    const market = marketOf(world, [symbol!]);
    const ticks = scaled(price!, market.tick.decimals, market.tick.step) as Ticks;
    return { market: market.id, source: 'sim', ticks, observedAt: exchange.time };
  });
  world.last = applyCommand(exchange, { kind: 'indexTick', prices }, 0 as Time);
}
