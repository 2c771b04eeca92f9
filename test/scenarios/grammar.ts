// What the lines of a scenario may say. Every step is checked against this table before it runs, so
// that a misspelt or missing word is an error with its column and never another step. What a step
// does is in act.ts and the files beside it; the grammar in words in docs/rules/README.md.

import { marketStatuses } from '../../src/engine/marketTerms.ts';
import { selfTradeModes } from '../../src/engine/orderTypes.ts';
import { triggerTypes } from '../../src/engine/triggerTypes.ts';
import { withdrawalFacts } from '../../src/engine/vaultCommand.ts';

type Shape = {
  /** Words by their place; the last may be optional. */
  readonly places?: readonly RegExp[];
  readonly optional?: RegExp;
  /** Words behind those, as many as there are. */
  readonly many?: RegExp;
  /** `name value` anywhere. */
  readonly options?: Readonly<Record<string, RegExp>>;
  /** Single words anywhere. */
  readonly flags?: readonly string[];
  /** Of each list exactly one must be there, or at most one. */
  readonly one?: readonly (readonly string[])[];
  readonly atMostOne?: readonly (readonly string[])[];
  /** `name value` behind the places, at least one; of terms there may be none. */
  readonly pairs?: 'figures' | 'terms';
  /** Whether a symbol may stand anywhere. */
  readonly symbol?: true;
};

const amount = /^-?\d+(?:\.\d+)?$/;
const whole = /^-?\d+$/;
const word = /^[^\s@]+$/;
const name = /^[a-z]\w*$/;
const symbolWord = /^[A-Z0-9]+USDT$/;
const level = /^\d+(?:\.\d+)?@\d+(?:\.\d+)?$/;

const oneOf = (words: readonly string[]): RegExp => new RegExp(`^(?:${words.join('|')})$`);
const status = oneOf(marketStatuses);
const selfTrade = oneOf(selfTradeModes);

const key = { key: word, request: word };
const afterMs = { after: whole };

const legs = { profit: amount, profitAt: amount, loss: amount, lossAt: amount };

const tif = ['IOC', 'FOK', 'GTX'];
const order: Shape = {
  places: [],
  optional: amount,
  options: {
    '@': amount,
    quote: amount,
    slippage: amount,
    stp: selfTrade,
    id: word,
    deadline: whole,
    ...key,
    ...legs,
  },
  flags: ['market', 'reduceOnly', ...tif],
  one: [
    ['@', 'market'],
    ['#', 'quote'],
  ],
  atMostOne: [[...tif, 'market']],
  symbol: true,
};
const trigger: Shape = {
  optional: amount,
  options: {
    '@': amount,
    stop: amount,
    callback: amount,
    activation: amount,
    gtd: whole,
    stp: selfTrade,
    id: word,
    ...key,
    ...legs,
  },
  flags: ['algo', 'close', 'reduceOnly', ...tif, ...triggerTypes],
  one: [['#', 'close'], triggerTypes],
  atMostOne: [tif],
  symbol: true,
};

/** By the first word. */
const stepsOfAll: Readonly<Record<string, Shape>> = {
  market: {
    places: [/^[A-Za-z0-9]+$/],
    options: { status, selfTradePrevention: selfTrade },
    pairs: 'terms',
  },
  change: { options: { status, selfTradePrevention: selfTrade }, pairs: 'terms', symbol: true },
  credit: { places: [name, amount], options: { reference: word } },
  correct: { places: [name, word, amount], options: { reference: word } },
  index: { places: [amount], options: { source: word, observed: whole }, symbol: true },
  drift: { places: [amount], symbol: true },
  house: { places: [name], optional: /^off$/ },
  login: { places: [name], options: { nonce: word, expires: whole } },
  after: { places: [whole] },
  insurance: { places: [amount], options: { reference: word } },
  tiers: { many: /^-?[\d.]+:-?[\d.]+:-?[\d.]+$/ },
  tier: { places: [name, amount] },
  disconnect: { places: [whole], many: whole },
  restart: {},
  referral: { places: [/^(?:on|off)$/], options: { discount: amount, share: amount } },
  withdrawal: { places: [/^(?:last|first|\d+)$/, /^(?:complete|release)$/] },
  vault: { options: { chain: whole, decimals: whole } },
  deposit: { places: [name, amount], options: { index: whole } },
  chain: {
    places: [/^(?:last|first|\d+)$/, oneOf(withdrawalFacts)],
    options: { late: whole },
  },
  withdrawals: { places: [amount, amount] },
  prices: { many: /^[^\s=]+=\d[\d.]*$/, options: afterMs, symbol: true },
  steady: {
    places: [amount],
    options: { for: whole, every: whole, source: word },
    one: [['for']],
    symbol: true,
  },
  tick: { many: /^[A-Z0-9]+USDT=\d[\d.]*$/, options: afterMs },
  funding: { places: [/^(settle|whole)$/], symbol: true },
  book: { places: [/^bids$/], many: /^(?:asks|\d+(?:\.\d+)?@\d+(?:\.\d+)?)$/, symbol: true },
  mark: { places: [amount], symbol: true },
  openInterest: { places: [amount, amount], symbol: true },
  shows: { pairs: 'figures', symbol: true },
  trades: { many: level, symbol: true },
  funds: { pairs: 'figures' },
  events: { pairs: 'figures' },
  wealth: { places: [name], many: /^(?:[a-z]\w*|-?\d+(?:\.\d+)?)$/, flags: ['atMost'] },
  rows: { places: [name], many: amount },
};
/** Everything that the last step did; it is compared with the words unchanged. */
const tellings =
  'flags liquidated takenOver deleveraged reduced shared realized covered helped charged paid funded delivered settled';
const telling: Shape = { many: /^/, symbol: true };

/** By the second word; the first is the name of an account. */
const stepsOfAccount: Readonly<Record<string, Shape>> = {
  buy: order,
  sell: order,
  'test buy': order,
  'test sell': order,
  'trigger buy': trigger,
  'trigger sell': trigger,
  'test trigger buy': trigger,
  'test trigger sell': trigger,
  modify: {
    places: [word, amount],
    options: { '@': amount },
    flags: ['buy', 'sell'],
    one: [['@']],
    atMostOne: [['buy', 'sell']],
    symbol: true,
  },
  cancel: { places: [word] },
  cancelAll: { flags: ['every'], symbol: true },
  leverage: { places: [amount], symbol: true },
  countdown: { places: [amount], symbol: true },
  arm: { places: [whole], many: symbolWord },
  disarm: { places: [whole] },
  withdraw: { places: [amount], options: key },
  code: { places: [word] },
  bind: { places: [word] },
  claim: {},
  mode: { places: [/^(?:cross|isolated|unified)$/] },
  collateral: { places: [/^[-+]?\d+(?:\.\d+)?$/], symbol: true },
  protect: {
    options: {
      profit: /^(?:none|\d+(?:\.\d+)?)$/,
      profitAt: amount,
      loss: /^(?:none|\d+(?:\.\d+)?)$/,
      lossAt: amount,
    },
    symbol: true,
  },
  cancelTrigger: { places: [word] },
  cancelTriggers: { flags: ['every'], symbol: true },
  modifyTrigger: {
    places: [word],
    options: { '@': amount, quantity: amount, stop: amount, callback: amount },
    symbol: true,
  },
  trigger: { places: [word], pairs: 'figures' },
  triggers: { many: word, symbol: true },
  has: { pairs: 'figures', symbol: true },
  order: { places: [word], pairs: 'figures' },
};

type Word = { readonly text: string; readonly column: number };
export type Mistake = { readonly column: number; readonly message: string };

/** The defect of a step, or undefined. Columns count from 1. */
export function checkStep(
  line: string,
  isMarket: (symbol: string) => boolean,
): Mistake | undefined {
  const words = [...line.matchAll(/\S+/g)].map((match) => ({
    text: match[0],
    column: match.index + 1,
  }));
  const found = shapeOf(words);
  if ('message' in found) return found;
  return checkWords(found.shape, words.slice(found.verb), isMarket, line.trimEnd().length + 1);
}

function shapeOf(words: readonly Word[]): { shape: Shape; verb: number } | Mistake {
  const [first, second] = words;
  const ofAll = stepsOfAll[first!.text];
  if (ofAll !== undefined) return { shape: ofAll, verb: 1 };
  if (tellings.split(' ').includes(first!.text)) return { shape: telling, verb: 1 };
  if (!name.test(first!.text)) return unknown(first!);
  if (second === undefined) return { column: first!.column, message: 'a step has a verb' };
  for (const length of [3, 2, 1]) {
    const verb = words.slice(1, 1 + length).map(({ text }) => text);
    const shape = stepsOfAccount[verb.join(' ')];
    if (shape !== undefined) return { shape, verb: 1 + length };
  }
  return unknown(second);
}

const unknown = ({ text, column }: Word): Mistake => ({
  column,
  message: `${text} is unknown here`,
});

function checkWords(
  shape: Shape,
  words: readonly Word[],
  isMarket: (symbol: string) => boolean,
  end: number,
): Mistake | undefined {
  const { options = {}, flags = [], places = [], optional, many, pairs, symbol } = shape;
  const given = new Set<string>();
  let symbols = 0;
  let place = 0;
  let rest = 0;
  for (let at = 0; at < words.length; at += 1) {
    const current = words[at]!;
    const { text, column } = current;
    const value = words[at + 1];
    const option = Object.hasOwn(options, text) ? options[text] : undefined;
    const isPair = pairs !== undefined && place === places.length && option === undefined;
    if (given.has(text)) return { column, message: `${text} is there twice` };
    if (option !== undefined) {
      if (value === undefined) return { column: end, message: `${text} has no value` };
      if (!option.test(value.text)) return unknown(value);
      given.add(text);
      at += 1;
    } else if (flags.includes(text)) given.add(text);
    else if (symbol && symbolWord.test(text)) {
      symbols += 1;
      if (!isMarket(text)) return { column, message: `${text} is no market yet` };
      if (symbols > 1) return { column, message: 'a step is of one market' };
    } else if (place < places.length) {
      if (!places[place]!.test(text)) return unknown(current);
      place += 1;
    } else if (isPair) {
      if (value === undefined) return { column: end, message: `${text} has no value` };
      given.add(text);
      rest += 1;
      at += 1;
    } else if (optional?.test(text) && !given.has('#')) given.add('#');
    else if (many?.test(text)) rest += 1;
    else return unknown(current);
  }
  if (place < places.length) return { column: end, message: 'a word is missing' };
  if (pairs === 'figures' && rest === 0) return { column: end, message: 'no figure is named' };
  return checkChoices(shape, given, end);
}

function checkChoices({ one = [], atMostOne = [] }: Shape, given: Set<string>, end: number) {
  const count = (names: readonly string[]): number =>
    names.filter((each) => given.has(each)).length;
  const say = (names: readonly string[]): string => names.join(', ').replace('#', 'a quantity');
  for (const names of one) {
    if (count(names) === 1) continue;
    return { column: end, message: `exactly one is needed of ${say(names)}` };
  }
  for (const names of atMostOne) {
    if (count(names) <= 1) continue;
    return { column: end, message: `at most one may be there of ${say(names)}` };
  }
  return undefined;
}
