// The options of a simulated crash day on the command line.

import { parseScaled } from '../src/units/decimal.ts';
import {
  type Money,
  moneyDecimals,
  type Rate,
  rateDecimals,
  rateOne,
  usdt,
} from '../src/units/units.ts';

export type CrashDayOptions = {
  /** CSV of trades whose prices become the index. */
  readonly index: string;
  /** CSV of trades that are entered into the book; undefined for none. */
  readonly prints: string | undefined;
  /** Accounts of the crowd, without makers. */
  readonly accounts: number;
  readonly seed: number;
  /** The insurance fund's initial money. */
  readonly fund: Money;
  /** The gap for which the market's brackets are derived from the fund; undefined: one bracket. */
  readonly gap: Rate | undefined;
  /** The directory of the day's log, from which it continues; undefined: no log. */
  readonly data: string | undefined;
  /** Minutes of the file to skip, and minutes to play after them. */
  readonly fromMinute: number;
  readonly limitMinutes: number;
};

export const crashDayUsage =
  'crash-day takes --index FILE [--prints FILE] [--accounts N] [--seed N] [--fund USDT] ' +
  '[--brackets GAP] [--data DIR] [--from-minute N] [--limit-minutes N]';

/** The fund's money for each account of the crowd, unless the option sets it. */
const fundPerAccount = 200;
const accountsMax = 100_000;
const minutesMax = 7 * 24 * 60;

/** Throws with a sentence that says what is wrong. */
export function readCrashDayOptions(args: readonly string[]): CrashDayOptions {
  const given = new Map<string, string>();
  for (let i = 0; i < args.length; i += 2) {
    const name = args[i]!;
    const known = [...crashDayUsage.matchAll(/--[a-z-]+/g)].some(([flag]) => flag === name);
    const value = args[i + 1];
    if (!known || value === undefined) throw new Error(`${crashDayUsage}; not ${name}`);
    given.set(name, value);
  }
  const index = given.get('--index');
  if (index === undefined) throw new Error(`${crashDayUsage}; --index is missing`);
  const accounts = wholeNumber(given, '--accounts', 5000, [1, accountsMax]);
  return {
    index,
    prints: given.get('--prints'),
    accounts,
    seed: wholeNumber(given, '--seed', 1, [0, 2 ** 31 - 1]),
    fund: readFund(given.get('--fund'), accounts),
    gap: readGap(given.get('--brackets')),
    data: given.get('--data'),
    fromMinute: wholeNumber(given, '--from-minute', 0, [0, minutesMax]),
    limitMinutes: wholeNumber(given, '--limit-minutes', minutesMax, [1, minutesMax]),
  };
}

function wholeNumber(
  given: ReadonlyMap<string, string>,
  name: string,
  otherwise: number,
  [min, max]: readonly [number, number],
): number {
  const text = given.get(name);
  if (text === undefined) return otherwise;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Error(`${crashDayUsage}; ${name} wants a whole number in ${min}…${max}`);
}

function readFund(text: string | undefined, accounts: number): Money {
  if (text === undefined) return (accounts * fundPerAccount * usdt) as Money;
  const money = parseScaled(text, moneyDecimals);
  if (money.kind === 'exact' && money.value >= 0) return money.value as Money;
  throw new Error(`${crashDayUsage}; --fund wants an amount of USDT`);
}

/** A fraction of the price, as `0.05`. */
function readGap(text: string | undefined): Rate | undefined {
  if (text === undefined) return undefined;
  const gap = parseScaled(text, rateDecimals);
  if (gap.kind === 'exact' && gap.value > 0 && gap.value < rateOne) return gap.value as Rate;
  throw new Error(`${crashDayUsage}; --brackets wants a gap between 0 and 1`);
}
