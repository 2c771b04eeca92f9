// The requests of the market maker, each counted against the exchange's limits: reading its orders,
// cancelling, amending, placing, the countdown (ORD-13). marketMaker.ts decides what to request,
// and when.

import { type Lots, noLots } from '../units/units.ts';
import type { MakerClient } from './makerClient.ts';
import {
  type JsonRecord,
  type MakerMarket,
  rowsOf,
  standingQuotesOf,
  textOnGrid,
  wholeOf,
} from './makerRecords.ts';
import type { Quote } from './quoteLadder.ts';
import type { RateBudget } from './rateBudget.ts';
import type { Amendment, StandingQuote } from './reconcileQuotes.ts';

/** What a request uses of the maker. */
export type MakerDesk = {
  readonly client: MakerClient;
  /** Requests that place or modify. */
  readonly orders: RateBudget;
  /** Weight of signed requests. */
  readonly weights: RateBudget;
  /** The prefix of the client ids of all its orders, in this run and earlier ones. */
  readonly prefix: string;
  /** A client id, new in every run. */
  readonly nextClientOrderId: () => string;
  /** Makes the next round read the markets and their statuses anew first. */
  readonly lookAgain: () => void;
  /** Reports an error once for each `key`. */
  readonly trouble: (key: string, message: string) => void;
};

type Cost = {
  readonly weight: number;
  /** Sent even if the budget is used up: a cancel must not wait. */
  readonly urgent?: boolean;
};

/** Items of one batch to place or amend, and to cancel (ORD-8). */
const placesPerBatch = 5;
const cancelsPerBatch = 10;
/**
 * Rejections of a single order that normal trading causes: the order is gone, or would have
 * matched.
 */
const ordinaryCodes: readonly unknown[] = [-2010, -2011, -2013];
/** The code for an order that would have matched, and for every order of a closed market. */
const rejectedCode = -2010;

/** A signed request of that weight. Rejects when it is refused, or must wait for its budget. */
export async function askExchange<T>(
  desk: MakerDesk,
  cost: Cost,
  ask: (client: MakerClient) => Promise<T>,
): Promise<T> {
  if (!desk.weights.take(cost.weight) && cost.urgent !== true) {
    throw new Error("a request waits: the minute's weight is used up");
  }
  return ask(desk.client);
}

/** The maker's own open orders on a market, of this run and of earlier ones. */
export async function readStanding(
  desk: MakerDesk,
  market: MakerMarket,
): Promise<readonly StandingQuote[]> {
  const { symbol } = market;
  const cost = { weight: 1, urgent: true };
  const body = await askExchange(desk, cost, ({ fapi }) => fapi.getOpenOrders({ symbol }));
  return standingQuotesOf(body, market, desk.prefix);
}

/** Cancels; true when every order was still open with the fills that were known. */
export async function cancelQuotes(
  desk: MakerDesk,
  market: MakerMarket,
  quotes: readonly StandingQuote[],
): Promise<boolean> {
  let clean = true;
  for (let i = 0; i < quotes.length; i += cancelsPerBatch) {
    const batch = quotes.slice(i, i + cancelsPerBatch);
    const orderIdList = batch.map(({ orderId }) => orderId);
    const items = await sendBatch(desk, { weight: 5, urgent: true }, batch.length, ({ fapi }) =>
      fapi.cancelBatchOrders({ symbol: market.symbol, orderIdList }),
    );
    for (const [at, item] of items.entries()) {
      const known = batch[at]!.filled;
      if (!accepted(desk, market, item) || filledOf(item, market) !== known) clean = false;
    }
  }
  return clean;
}

/** Amends; true when every amendment was accepted and none had to wait for the limits. */
export async function amendQuotes(
  desk: MakerDesk,
  market: MakerMarket,
  amends: readonly Amendment[],
): Promise<boolean> {
  let clean = true;
  for (let i = 0; i < amends.length; i += placesPerBatch) {
    if (!desk.orders.take(1)) return false;
    const batchOrders = amends.slice(i, i + placesPerBatch).map((amend) => ({
      symbol: market.symbol,
      orderId: amend.orderId,
      side: amend.side,
      quantity: textOnGrid(amend.lots, market.lot),
      price: textOnGrid(amend.ticks, market.tick),
    }));
    const items = await sendBatch(desk, { weight: 5 }, batchOrders.length, ({ fapi }) =>
      fapi.modifyBatchOrders({ batchOrders }),
    );
    for (const item of items) if (!accepted(desk, market, item)) clean = false;
  }
  return clean;
}

/** Places post-only orders, as many as the limits allow now. */
export async function placeQuotes(
  desk: MakerDesk,
  market: MakerMarket,
  quotes: readonly Quote[],
): Promise<void> {
  for (let i = 0; i < quotes.length; i += placesPerBatch) {
    if (!desk.orders.take(1)) return;
    const batchOrders = quotes.slice(i, i + placesPerBatch).map((quote) => ({
      symbol: market.symbol,
      side: quote.side,
      type: 'LIMIT',
      timeInForce: 'GTX',
      quantity: textOnGrid(quote.lots, market.lot),
      price: textOnGrid(quote.ticks, market.tick),
      newClientOrderId: desk.nextClientOrderId(),
    }));
    const items = await sendBatch(desk, { weight: 5 }, batchOrders.length, ({ fapi }) =>
      fapi.placeBatchOrders({ batchOrders }),
    );
    for (const item of items) accepted(desk, market, item);
  }
}

/** Takes the orders at the quote's price or better; gives the number of lots that it got. */
export async function takeQuote(desk: MakerDesk, market: MakerMarket, quote: Quote): Promise<Lots> {
  if (!desk.orders.take(1)) return noLots;
  const order = {
    symbol: market.symbol,
    side: quote.side,
    type: 'LIMIT',
    timeInForce: 'IOC',
    quantity: textOnGrid(quote.lots, market.lot),
    price: textOnGrid(quote.ticks, market.tick),
    newClientOrderId: desk.nextClientOrderId(),
  };
  const [item] = await sendBatch(desk, { weight: 5 }, 1, ({ fapi }) =>
    fapi.placeBatchOrders({ batchOrders: [order] }),
  );
  return accepted(desk, market, item!) ? (filledOf(item!, market) ?? noLots) : noLots;
}

/** Restarts the countdown, or ends it with 0 (ORD-13). */
export async function setCountdown(
  desk: MakerDesk,
  market: MakerMarket,
  milliseconds: number,
): Promise<void> {
  const parameters = { symbol: market.symbol, countdownTime: milliseconds };
  const cost = { weight: 1, urgent: true };
  await askExchange(desk, cost, ({ fapi }) => fapi.setCountdownCancelAll(parameters));
}

async function sendBatch(
  desk: MakerDesk,
  cost: Cost,
  size: number,
  ask: (client: MakerClient) => Promise<unknown>,
): Promise<readonly JsonRecord[]> {
  const items = rowsOf(await askExchange(desk, cost, ask), 'batchOrders');
  if (items.length !== size) throw new Error(`batchOrders answered ${items.length} items`);
  return items;
}

/** Whether the item of a batch is an order; unusual failures are reported. */
function accepted(desk: MakerDesk, market: MakerMarket, item: JsonRecord): boolean {
  if (typeof item.orderId === 'string') return true;
  if (item.code === rejectedCode) desk.lookAgain();
  if (!ordinaryCodes.includes(item.code)) {
    const complaint = complaintOf(item);
    desk.trouble(`${market.symbol} ${complaint}`, `${market.symbol}: an order got ${complaint}`);
  }
  return false;
}

function filledOf(item: JsonRecord, market: MakerMarket): Lots | undefined {
  const text = item.executedQty;
  return typeof text === 'string' ? (wholeOf(text, market.lot) as Lots) : undefined;
}

function complaintOf({ code, msg }: JsonRecord): string {
  const text = typeof msg === 'string' ? msg.slice(0, 200) : '';
  return typeof code === 'number' ? `${code} ${text}` : text;
}
