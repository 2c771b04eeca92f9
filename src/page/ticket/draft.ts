// An order as it stands in the ticket: the texts that were typed and the choices, and which of them
// count for its type. What the texts mean: readDraft.ts.

import type { SelfTradeMode, TimeInForce, TriggerType } from '../state/orderWish.ts';

/** In the order in which the ticket shows them. */
export const orderTypes = ['LIMIT', 'MARKET', 'STOP', 'TAKE_PROFIT', 'TRAILING'] as const;
export type OrderType = (typeof orderTypes)[number];

export type DraftTime = TimeInForce | 'GTD';

export type Draft = {
  readonly type: OrderType;
  /** What a stop or a take-profit becomes when it fires. */
  readonly runsAs: 'MARKET' | 'LIMIT';
  readonly trigger: string;
  /** Of a trailing stop: percent. */
  readonly callback: string;
  readonly activation: string;
  readonly price: string;
  readonly size: string;
  /** In what the size was typed. */
  readonly unit: 'base' | 'quote';
  /** Of a market order: percent. */
  readonly slippage: string;
  readonly timeInForce: DraftTime;
  /** Date and time as the field of the browser has them. */
  readonly goodTill: string;
  readonly reduceOnly: boolean;
  /** A stop or a take-profit that closes the whole position. */
  readonly closesAll: boolean;
  /** Empty: the market's. */
  readonly selfTrade: SelfTradeMode | '';
  readonly hasLegs: boolean;
  /** Whether legs are typed as prices, or as distances from the price of the order. */
  readonly legsAs: 'price' | 'percent';
  readonly takeProfit: string;
  /** Empty: the leg becomes a market order. */
  readonly takeProfitPrice: string;
  readonly stopLoss: string;
  readonly stopLossPrice: string;
};

export type ChangeDraft = (part: Partial<Draft>) => void;

export const emptyDraft: Draft = {
  type: 'LIMIT',
  runsAs: 'MARKET',
  trigger: '',
  callback: '1',
  activation: '',
  price: '',
  size: '',
  unit: 'base',
  slippage: '',
  timeInForce: 'GTC',
  goodTill: '',
  reduceOnly: false,
  closesAll: false,
  selfTrade: '',
  hasLegs: false,
  legsAs: 'price',
  takeProfit: '',
  takeProfitPrice: '',
  stopLoss: '',
  stopLossPrice: '',
};

/** What leaves the ticket with an order, so that a second click sends nothing: in groups. */
const leaving = [
  ['size'],
  ['trigger'],
  ['activation'],
  ['hasLegs', 'takeProfit', 'takeProfitPrice', 'stopLoss', 'stopLossPrice'],
] as const satisfies readonly (readonly (keyof Draft)[])[];

/**
 * The ticket after an order has been placed. A group that was changed since it was sent stays: it
 * belongs to the next order, which must not lose its stop-loss to the answer of the one before.
 */
export function afterSending(draft: Draft, sent: Draft): Draft {
  const left = leaving.filter((group) => group.every((name) => draft[name] === sent[name])).flat();
  return { ...draft, ...Object.fromEntries(left.map((name) => [name, emptyDraft[name]])) };
}

const isConditional = ({ type }: Draft): boolean => type === 'STOP' || type === 'TAKE_PROFIT';

/** Whether it waits for the mark before it becomes an order. */
export const isTriggerDraft = (draft: Draft): boolean =>
  isConditional(draft) || draft.type === 'TRAILING';

export type DraftParts = {
  readonly price: boolean;
  readonly trigger: boolean;
  readonly trails: boolean;
  readonly slippage: boolean;
  /** Whether it may close the whole position, and whether it does. */
  readonly mayCloseAll: boolean;
  readonly closesAll: boolean;
  readonly legs: boolean;
  /** Whether the legs may have limits: these are prices. */
  readonly legPrices: boolean;
  /** Empty where there is nothing to choose. */
  readonly times: readonly DraftTime[];
  readonly goodTill: boolean;
};

const restingTimes = ['GTC', 'IOC', 'FOK', 'GTX'] as const;

/** Which parts of a draft count for its type. */
export function partsOf(draft: Draft): DraftParts {
  const { type, runsAs, timeInForce, reduceOnly } = draft;
  const conditional = isConditional(draft);
  const waits = isTriggerDraft(draft);
  const price = type === 'LIMIT' || (conditional && runsAs === 'LIMIT');
  const mayCloseAll = conditional && runsAs === 'MARKET';
  const closesAll = mayCloseAll && draft.closesAll;
  const times: DraftTime[] = price ? [...restingTimes] : waits ? ['GTC'] : [];
  if (waits) times.push('GTD');
  return {
    price,
    trigger: conditional,
    trails: type === 'TRAILING',
    slippage: type === 'MARKET',
    mayCloseAll,
    closesAll,
    // What only reduces opens nothing that legs could protect (ATT-1).
    legs: draft.hasLegs && !reduceOnly && !closesAll,
    legPrices: draft.legsAs === 'price',
    times,
    goodTill: waits && timeInForce === 'GTD',
  };
}

/** The type under its name on the wire. */
export function triggerTypeOf({ type, runsAs }: Draft): TriggerType {
  if (type === 'TRAILING') return 'TRAILING_STOP_MARKET';
  const kind = type === 'STOP' ? 'STOP' : 'TAKE_PROFIT';
  return runsAs === 'LIMIT' ? kind : `${kind}_MARKET`;
}
