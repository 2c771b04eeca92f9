// What the ticket says about a field that cannot be sent as it is.

import { translated } from '../messages/language.ts';
import { typedProblem } from '../messages/typedProblem.ts';
import { plainText } from '../state/grid.ts';
import { cut } from '../state/grouping.ts';
import type { Market } from '../state/market.ts';
import type { Draft } from './draft.ts';
import { type DraftField, gridOfField, type ProblemKind } from './readDraft.ts';

export const problemMessages = translated('problem', {
  valueLeast: (least: string) => `The order must be worth at least ${least} USDT.`,
  valueMost: (most: string) => `The order may be worth at most ${most} USDT.`,
  noPrice: 'There is no price at the moment. Enter the size in base units.',
  noLegPrice: 'There is no price at the moment. Enter the legs as prices.',
  legsEmpty: 'Enter a take-profit or a stop-loss.',
  callbackRange: 'From 0.1 to 10 percent.',
  slippageRange: 'At most 100 percent.',
  legRange: 'Less than 100 percent.',
  dateRange: 'At least 10 minutes and at most 90 days ahead.',
  missing: {
    trigger: 'Enter a trigger price.',
    callback: 'Enter a callback.',
    price: 'Enter a price.',
    size: 'Enter a size.',
    goodTill: 'Enter a date and a time.',
    takeProfit: 'Enter the trigger price of the take-profit.',
    stopLoss: 'Enter the trigger price of the stop-loss.',
  },
});

const moneyDecimals = 6;

const usd = (money: bigint): string => cut(plainText(money, moneyDecimals), 2);

/** What is wrong as soon as it is typed; what is missing or too small is said after a try. */
export const isSaidAtOnce = (kind: ProblemKind): boolean =>
  kind === 'malformed' || kind === 'ambiguous' || kind === 'offGrid' || kind === 'tooLarge';

function rangeText(field: DraftField): string {
  const text = problemMessages();
  switch (field) {
    case 'callback':
      return text.callbackRange;
    case 'goodTill':
      return text.dateRange;
    case 'slippage':
      return text.slippageRange;
    default:
      return text.legRange;
  }
}

export function problemText(
  field: DraftField,
  kind: ProblemKind,
  { draft, market }: { readonly draft: Draft; readonly market: Market },
): string {
  const text = problemMessages();
  switch (kind) {
    case 'empty':
      return (text.missing as Readonly<Partial<Record<DraftField, string>>>)[field] ?? '';
    case 'belowMinimum':
      return text.valueLeast(usd(market.orderMin));
    case 'aboveMaximum':
      return text.valueMost(usd(market.orderMax));
    case 'outOfRange':
      return rangeText(field);
    case 'noPrice':
    case 'noLegPrice':
    case 'legsEmpty':
      return text[kind];
    default:
      return field === 'goodTill' ? '' : typedProblem(kind, gridOfField(field, draft, market));
  }
}
