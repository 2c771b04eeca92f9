// The units of the exchange, each a safe integer of its own type (UNIT-1). The sum of two values of
// one unit has the same unit; everything else goes through the named functions of this folder.

import type { Brand } from '../std/brand.ts';

/** A price: whole ticks of its market. */
export type Ticks = Brand<number, 'Ticks'>;
/** A quantity: whole lots of its market; signed for a position. */
export type Lots = Brand<number, 'Lots'>;
/** Money: whole 1e-6 USDT. */
export type Money = Brand<number, 'Money'>;
/** A rate or fraction: whole 1e-8. */
export type Rate = Brand<number, 'Rate'>;
/** Milliseconds since the Unix epoch, by the clock of the log. */
export type Time = Brand<number, 'Time'>;

/** An account's number, in the order of creation; 0 is the insurance fund. */
export type AccountId = Brand<number, 'AccountId'>;
/** A market's number, in the order of listing from 0. */
export type MarketId = Brand<number, 'MarketId'>;
/**
 * A number from the exchange's one sequence. Together with its time it makes the UUID on the wire
 * (ID-1).
 */
export type OrderId = Brand<number, 'OrderId'>;

export const moneyDecimals = 6;
export const rateDecimals = 8;

/** One USDT. */
export const usdt = 1_000_000 as Money;
/** A rate of 1, which is 100 %. */
export const rateOne = 100_000_000 as Rate;

export const noMoney = 0 as Money;
export const noLots = 0 as Lots;
