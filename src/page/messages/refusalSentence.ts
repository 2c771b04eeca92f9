// Sentences of refusals in the person's language, and the part of an order that each concerns. The
// exchange has one code for several rules, so its own sentence decides.

import { grouping } from '../state/grouping.ts';
import { translated } from './language.ts';

/** A part of an order; `order` is the whole of it. */
export type RefusedPart =
  | 'trigger'
  | 'callback'
  | 'price'
  | 'size'
  | 'slippage'
  | 'goodTill'
  | 'takeProfit'
  | 'stopLoss'
  | 'leverage'
  | 'reduceOnly'
  | 'order';

export const refusalTexts = translated('refusalSentence', {
  wouldTrigger: () => 'The mark is there already. Choose a price ahead of it.',
  takeProfit: (price: string) =>
    `The take-profit of a buy is above ${price}, that of a sell below.`,
  stopLoss: (price: string) => `The stop-loss of a buy is below ${price}, that of a sell above.`,
  date: () => 'At least 10 minutes and at most 90 days ahead.',
  callback: () => 'From 0.1 to 10 percent.',
  triggers: () => 'You have as many waiting triggers as an account may have.',
  equity: (amount: string) => `So many triggers need an equity of ${amount} USDT.`,
  orders: () => 'You have as many open orders here as an account may have.',
  least: (amount: string) => `The order must be worth at least ${amount} USDT.`,
  most: (amount: string) => `The order may be worth at most ${amount} USDT.`,
  lot: () => 'The size is below the smallest step.',
  large: () => 'The size is too large.',
  filled: () => 'More than that is filled already.',
  band: (price: string) => `A buy may not be priced above ${price}.`,
  bandBelow: (price: string) => `A sell may not be priced below ${price}.`,
  room: (leverage: string) => `So much is open here that at most ${leverage}x can open more.`,
  leverage: (most: string) => `A whole number from 1 to ${most}.`,
  halted: () => 'The market is halted.',
  reducing: () => 'The market takes only orders that reduce a position at the moment.',
  empty: () => 'There is no order within the price bound.',
  balance: (amount: string) => `At most ${amount} USDT are available.`,
});

type RefusalTexts = ReturnType<typeof refusalTexts>;

type Sentence = {
  /** As the exchange says it; the first group is its figure. */
  readonly said: RegExp;
  readonly part: RefusedPart;
  readonly text: keyof RefusalTexts;
};

export const refusalSentences: readonly Sentence[] = [
  { said: /^Order would trigger immediately/, part: 'trigger', text: 'wouldTrigger' },
  {
    said: /^The take-profit of a BUY must be above (\S+),/,
    part: 'takeProfit',
    text: 'takeProfit',
  },
  { said: /^The stop-loss of a BUY must be below (\S+),/, part: 'stopLoss', text: 'stopLoss' },
  { said: /^A good-till-date is/, part: 'goodTill', text: 'date' },
  { said: /^A callback rate is/, part: 'callback', text: 'callback' },
  { said: /^Reached max trigger order limit\.$/, part: 'order', text: 'triggers' },
  { said: /^This needs an equity of ([\d.]+)\./, part: 'order', text: 'equity' },
  { said: /^Reached max open order limit/, part: 'order', text: 'orders' },
  { said: /^The notional is below ([\d.]+)\./, part: 'size', text: 'least' },
  { said: /^The notional is above ([\d.]+)\./, part: 'size', text: 'most' },
  { said: /^The quantity is below one lot/, part: 'size', text: 'lot' },
  { said: /^The quantity is too large/, part: 'size', text: 'large' },
  { said: /^The quantity is below what is already filled/, part: 'size', text: 'filled' },
  { said: /^A buy order must not be priced above ([\d.]+)\./, part: 'price', text: 'band' },
  { said: /^A sell order must not be priced below ([\d.]+)\./, part: 'price', text: 'bandBelow' },
  {
    said: /^At this open interest an order opens with a leverage of at most (\d+);/,
    part: 'leverage',
    text: 'room',
  },
  {
    said: /^Leverage \S+ is not between 1 and (\d+)\.$/,
    part: 'leverage',
    text: 'leverage',
  },
  { said: /^The market is halted/, part: 'order', text: 'halted' },
  { said: /^The market takes only orders that reduce/, part: 'order', text: 'reducing' },
  { said: /^No order within the price bound/, part: 'size', text: 'empty' },
  { said: /^The balance is insufficient: at most ([\d.]+)\./, part: 'size', text: 'balance' },
];

export type RefusalSentence = { readonly part: RefusedPart; readonly text: string };

/** `detail`: what the exchange says; undefined for a sentence that no rule needs. */
export function refusalSentence(detail: string): RefusalSentence | undefined {
  for (const { said, part, text } of refusalSentences) {
    const match = said.exec(detail);
    if (match !== null) return { part, text: refusalTexts()[text](grouping(match[1] ?? '')) };
  }
  return undefined;
}
