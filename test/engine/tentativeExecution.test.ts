// Tentative execution (ORD-10): an order that is undone leaves no bit changed, an order that is
// committed has exactly the reported effects, and the quick way of an order that meets no other
// gives the same result as a tentative execution.

import { expect, test } from 'vitest';
import { isFlagged, positionIn } from '../../src/engine/account.ts';
import { applyCommand, testOrder } from '../../src/engine/apply.ts';
import type { Command, PlaceOrder } from '../../src/engine/command.ts';
import { drawNumber, type Exchange } from '../../src/engine/exchange.ts';
import { capturedLeverage } from '../../src/engine/operations/capturedLeverage.ts';
import { enterOrder } from '../../src/engine/operations/enterOrder.ts';
import { createOrder, type Order } from '../../src/engine/order.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import type { AccountId, Lots, MarketId, Money, Time } from '../../src/units/units.ts';
import { createStorm, drawCommand, drawModify, drawPlace, type Storm } from './stormWorld.ts';

const apply = (exchange: Exchange, command: Command): Outcome =>
  applyCommand(exchange, command, 0 as Time);

/** Every bit of the state, clock and sequence included. */
const bitsOf = (exchange: Exchange): Buffer => Buffer.concat(sectionsOf(exchange));

function sectionsOf(exchange: Exchange): Buffer[] {
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => sections.push(section));
  return sections;
}

/** Lets the storm blow for a while and takes its events away. */
function blow(storm: Storm, commands: number): void {
  for (let left = commands; left > 0; left -= 1) apply(storm.exchange, drawCommand(storm));
  storm.exchange.events = [];
}

const verdictOf = (outcome: Outcome): string =>
  outcome.kind === 'accepted' ? 'accepted' : JSON.stringify(outcome.rejection);

test('ORD-10 order/test changes no bit and answers what the order then does', () => {
  const verdicts = new Map<string, number>();
  for (let seed = 100; seed < 103; seed += 1) {
    const storm = createStorm(seed);
    const { exchange } = storm;
    for (let round = 0; round < 40; round += 1) {
      blow(storm, 12);
      const before = bitsOf(exchange);
      for (let i = 0; i < 8; i += 1) {
        const command = drawPlace(storm);
        const reported = verdictOf(testOrder(exchange, command).outcome);
        expect(bitsOf(exchange).equals(before), `seed ${seed}, round ${round}, ${i}`).toBe(true);
        expect(exchange.events).toEqual([]);
        verdicts.set(reported, (verdicts.get(reported) ?? 0) + 1);
        if (i < 7) continue;
        expect(verdictOf(apply(exchange, command))).toBe(reported);
      }
    }
  }
  expect(verdicts.get('accepted')).toBeGreaterThan(200);
  expect(verdicts.size).toBeGreaterThan(8);
});

test('ORD-10 a killed FOK changes nothing except that it draws a number', () => {
  let killed = 0;
  for (let seed = 200; seed < 204; seed += 1) {
    const storm = createStorm(seed);
    const { exchange } = storm;
    for (let round = 0; round < 120; round += 1) {
      blow(storm, 5);
      const base = drawPlace(storm);
      const kind = { type: 'LIMIT', timeInForce: 'FOK', quote: 0, idempotencyKey: '' } as const;
      const mark = exchange.markets[base.market]!.prices.mark;
      const ticks = (mark + base.side * storm.prng.below(8)) as PlaceOrder['ticks'];
      const command: PlaceOrder = { ...base, ...kind, quote: 0 as Money, ticks };
      const before = bitsOf(exchange);
      const { sequence } = exchange;
      const outcome = apply(exchange, command);
      const status = outcome.kind === 'accepted' ? outcome.order?.status : undefined;
      if (status !== 'REJECTED') continue;
      killed += 1;
      expect(exchange.sequence).toBe(sequence + 1);
      exchange.sequence = sequence;
      expect(bitsOf(exchange).equals(before), `seed ${seed}, round ${round}`).toBe(true);
      exchange.sequence = sequence + 1;
    }
  }
  expect(killed).toBeGreaterThan(100);
});

test('ORD-5 a rejected modify changes no bit', () => {
  const reasons = new Map<string, number>();
  for (let seed = 300; seed < 305; seed += 1) {
    const storm = createStorm(seed);
    const { exchange } = storm;
    for (let round = 0; round < 100; round += 1) {
      blow(storm, 5);
      let command = drawModify(storm);
      if (command.kind !== 'modifyOrder') continue;
      // Half of them ask for far more than the account can pay, deep into the book.
      if (storm.prng.below(2) === 0) {
        command = { ...command, side: undefined, lots: (command.lots * 50) as Lots };
      }
      const before = bitsOf(exchange);
      const outcome = apply(exchange, command);
      if (outcome.kind === 'accepted') continue;
      const { reason } = outcome.rejection;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      expect(bitsOf(exchange).equals(before), `seed ${seed}, round ${round}, ${reason}`).toBe(true);
    }
  }
  expect(reasons.get('marginInsufficient')).toBeGreaterThan(30);
  expect(reasons.size).toBeGreaterThan(4);
});

/** The record that placeOrder would make of the command. */
function orderOf(exchange: Exchange, command: PlaceOrder, lots: Lots): Order {
  const market = exchange.markets[command.market]!;
  const position = positionIn(exchange.accounts[command.account]!, market.id);
  const id = drawNumber(exchange);
  const { account, side, type, ticks, reduceOnly, workingType, priceProtect } = command;
  return createOrder({
    id,
    account,
    market: market.id,
    side,
    type,
    timeInForce: command.timeInForce === 'GTX' ? 'GTC' : command.timeInForce,
    reduceOnly,
    selfTradeMode: command.selfTradeMode ?? market.terms.selfTradePrevention,
    workingType,
    priceProtect,
    origin: 'account',
    trigger: null,
    legs: null,
    clientOrderId: command.clientOrderId,
    createdAt: exchange.time,
    markAtCreation: market.prices.mark,
    ticks,
    lots,
    leverage: capturedLeverage(market, position, exchange.time),
    updatedAt: exchange.time,
    priority: id,
  });
}

/** Enters the command's order by a tentative execution, whether or not it meets another order. */
function enterTentatively(exchange: Exchange, command: PlaceOrder, lots: Lots) {
  const market = exchange.markets[command.market]!;
  const account = exchange.accounts[command.account]!;
  const order = orderOf(exchange, command, lots);
  const { id, side, ticks, clientOrderId } = order;
  const of = { account: account.id, market: market.id };
  const result = enterOrder({
    exchange,
    market,
    account,
    position: positionIn(account, market.id),
    order,
    limit: ticks,
    mayRest: command.timeInForce !== 'IOC',
    whole: false,
    maxSlippage: undefined,
    announcement: { kind: 'orderPlaced', id, ...of, side, ticks, lots, clientOrderId },
    prepare: () => {},
    settle: undefined,
    dryRun: false,
  });
  if (result !== undefined) exchange.sequence -= 1;
  finishCommand(exchange);
  return result;
}

/**
 * What follows every command (triggers of a closed position, flags): a rejected one does no more.
 */
function finishCommand(exchange: Exchange): void {
  const nobody = { account: 999 as AccountId, market: 0 as MarketId };
  apply(exchange, { kind: 'setLeverage', ...nobody, leverage: 1 });
  const reported = exchange.events.findLastIndex(({ kind }) => kind === 'rejected');
  exchange.events.splice(reported, 1);
}

test('ORD-10 the fast path of an order that meets no other ends as a tentative execution would', () => {
  let kept = 0;
  let refused = 0;
  for (let seed = 400; seed < 403; seed += 1) {
    const storm = createStorm(seed);
    const { exchange } = storm;
    for (let round = 0; round < 150; round += 1) {
      blow(storm, 4);
      const command = restingOrder(storm);
      const twin = decodeSnapshot(sectionsOf(exchange));
      const outcome = apply(exchange, command);
      const events = exchange.events.splice(0);
      if (outcome.kind === 'rejected') {
        if (outcome.rejection.reason !== 'marginInsufficient') continue;
        // LIQ-1 refuses before there is a tentative execution.
        if (isFlaggedIn(twin, command)) continue;
        expect(enterTentatively(twin, command, command.lots)).toEqual(outcome.rejection);
        refused += 1;
      } else {
        expect(enterTentatively(twin, command, outcome.order!.lots)).toBeUndefined();
        expect(twin.events.map(({ kind }) => kind)).toEqual(events.map(({ kind }) => kind));
        kept += 1;
      }
      expect(bitsOf(twin).equals(bitsOf(exchange)), `seed ${seed}, round ${round}`).toBe(true);
    }
  }
  expect(kept).toBeGreaterThan(120);
  expect(refused).toBeGreaterThan(12);
});

const isFlaggedIn = ({ accounts }: Exchange, { account, market }: PlaceOrder): boolean =>
  isFlagged(accounts[account]!, positionIn(accounts[account]!, market));

/** A LIMIT order on its own side of the best prices; sometimes far too large. */
function restingOrder(storm: Storm): PlaceOrder {
  const { prng } = storm;
  const base = drawPlace(storm);
  const { mark } = storm.exchange.markets[base.market]!.prices;
  const ticks = Math.max(1, mark - base.side * (12 + prng.below(6))) as PlaceOrder['ticks'];
  const lots = (prng.below(4) === 0 ? base.lots * 6 : base.lots) as Lots;
  const timeInForce = prng.below(8) === 0 ? 'IOC' : 'GTC';
  const kind = { type: 'LIMIT', timeInForce, maxSlippage: undefined } as const;
  return { ...base, ...kind, quote: 0 as Money, ticks, lots, idempotencyKey: '' };
}
