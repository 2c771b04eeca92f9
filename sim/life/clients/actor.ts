// A client of the crowd: its key, its random numbers, what it believes to have, and its reading of
// its own answers. The kinds of clients have files of their own.

import type { Prng } from '../../../src/std/prng.ts';
import { formatSteps } from '../../../src/units/decimal.ts';
import {
  availableKey,
  balanceKey,
  collateralKey,
  leverageKey,
  nameKey,
  orderKey,
  orderValue,
  positionKey,
} from '../oracles/keys.ts';
import type { Seen } from '../oracles/timelines.ts';
import type { ClientWorld, LifeMarket } from '../ports.ts';
import type { Body, Caller } from './createCaller.ts';
import type { Diary } from './diary.ts';
import type { PriceBoard } from './priceBoard.ts';

export type OwnOrder = {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
};

export type Actor = Caller & {
  readonly world: ClientWorld;
  readonly diary: Diary;
  readonly prices: PriceBoard;
  readonly prng: Prng;
  /** How much margin it likes to use, in per cent. */
  readonly boldness: number;
  /** Orders that it believes to be resting, oldest first. */
  readonly open: OwnOrder[];
  /** Signed quantities as last read, by symbol. */
  readonly positions: Map<string, number>;
  /** As last read, in USDT. */
  available: number;
  /** Names of orders and keys of requests that it has given out. */
  names: number;
};

/** What a client does in its turn. */
export type Act = () => void;

export const chance = (prng: Prng, percent: number): boolean => prng.below(100) < percent;

export const pick = <T>(prng: Prng, from: readonly T[]): T => from[prng.below(from.length)]!;

/** Never the same twice in a run. */
export function newName(actor: Actor): string {
  actor.names += 1;
  return `c${actor.key.account}-${actor.key.apiKey.slice(0, 4)}-${actor.names}`;
}

export const priceOf = (market: LifeMarket, ticks: number): string =>
  formatSteps(Math.max(1, Math.round(ticks)), market.tick);

export const quantityOf = (market: LifeMarket, lots: number): string =>
  formatSteps(Math.max(1, Math.round(lots)), market.lot);

/** The value of one lot at the price, in USDT; an estimate, only for sizes. */
export function lotValue({ tick, lot }: LifeMarket, ticks: number): number {
  return ((ticks * tick.step) / 10 ** tick.decimals) * (lot.step / 10 ** lot.decimals);
}

/** An order of the account as an answer shows it. */
export const seenOrder = (account: number, body: Body): Seen[] => {
  if (typeof body?.orderId !== 'string') return [];
  return [
    { key: orderKey(body.orderId), value: orderValue(body) },
    { key: nameKey(account, body.clientOrderId), value: named(body.clientOrderId) },
  ];
};

/** Names that were derived from numbers do not count as used names (ID-2a). */
const named = (clientOrderId: string): string => (clientOrderId.startsWith('em') ? '' : 'known');

export function seenBalance(account: number, row: Body): Seen[] {
  if (row === undefined) return [];
  return [
    { key: balanceKey(account), value: row.balance },
    { key: availableKey(account), value: row.availableBalance ?? row.available_balance },
  ];
}

/** The rows of `positionRisk` of one symbol: none when it is flat. */
export function seenPosition(account: number, symbol: string, rows: Body): Seen[] {
  if (!Array.isArray(rows)) return [];
  const row = rows.find((each) => each.symbol === symbol);
  const key = positionKey(account, symbol);
  if (row === undefined) return [{ key, value: '0' }];
  return [
    { key, value: row.positionAmt },
    { key: collateralKey(account, symbol), value: row.isolatedWallet },
    { key: leverageKey(account, symbol), value: row.leverage },
  ];
}

/** The number of orders that a client remembers; an order that it forgets stays in the book. */
const ordersMax = 100;

export function remember({ open }: Actor, order: OwnOrder): void {
  open.push(order);
  if (open.length > ordersMax) open.shift();
}

/** Forgets an order that is known to have ended. */
export function forget({ open }: Actor, clientOrderId: string): void {
  const at = open.findIndex((each) => each.clientOrderId === clientOrderId);
  if (at >= 0) open.splice(at, 1);
}
