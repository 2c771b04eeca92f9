// What a client knows of one of its orders, by answers alone: a claim that a restart must not
// break. Quantities are text as on the wire; they compare as numbers of lots.

/** The part of an order's record that a claim is about. */
export type SeenOrder = {
  readonly status: string;
  readonly price: string;
  readonly origQty: string;
  readonly executedQty: string;
  /** Another type than it has now: it came of a trigger that has fired. */
  readonly origType: string;
  readonly type: string;
};

/** Price and quantity of a modify without an answer. */
export type Wanted = { readonly price: string; readonly origQty: string };

export type OrderClaim = {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  /**
   * `asked`: no answer came, it may be there or not. `refused`: it must not be there. `known`: it
   * must be there, and `seen` is what the last answer said.
   */
  state: 'asked' | 'refused' | 'known';
  seen: SeenOrder | undefined;
  /** A modify without an answer: it may have happened as a whole, or not at all. */
  modifyAsked: Wanted | undefined;
};

export function createClaim(
  order: Pick<OrderClaim, 'clientOrderId' | 'symbol' | 'side'>,
): OrderClaim {
  return { ...order, state: 'asked', seen: undefined, modifyAsked: undefined };
}

const finals = new Set(['FILLED', 'CANCELED', 'REJECTED']);

export function isFinal({ status }: SeenOrder): boolean {
  return finals.has(status);
}

/**
 * Takes an answer in. Answers of parallel requests may come in another order than they were made.
 */
export function learn(claim: OrderClaim, answer: SeenOrder): void {
  claim.state = 'known';
  const { seen } = claim;
  if (seen !== undefined) {
    if (isFinal(seen) && !isFinal(answer)) return;
    if (Number(seen.executedQty) > Number(answer.executedQty)) return;
  }
  claim.seen = answer;
}

/** How an answer of a restarted exchange breaks the claim; undefined when it does not. */
export function brokenBy(claim: OrderClaim, found: SeenOrder | undefined): string | undefined {
  const { seen, state, modifyAsked } = claim;
  if (found === undefined) return state === 'known' ? 'it is gone' : undefined;
  if (state === 'refused') return `it was refused, and is there as ${found.status}`;
  if (seen === undefined) return undefined;
  if (Number(found.executedQty) < Number(seen.executedQty)) {
    return `fills are gone: ${seen.executedQty} became ${found.executedQty}`;
  }
  if (isFinal(seen)) {
    const same = found.status === seen.status && found.executedQty === seen.executedQty;
    return same ? undefined : `it was ${seen.status}, and is ${found.status} again`;
  }
  const possible = [seen, ...(modifyAsked === undefined ? [] : termsOf(modifyAsked, seen, found))];
  const whole = possible.some(
    ({ price, origQty }) =>
      Number(price) === Number(found.price) && Number(origQty) === Number(found.origQty),
  );
  const wanted = possible.map(({ price, origQty }) => `${origQty} at ${price}`).join(' or ');
  const has = `${found.origQty} at ${found.price} (${found.status}, ${found.executedQty} filled)`;
  return whole ? undefined : `it has ${has}, and answers and requests said ${wanted}`;
}

/** What the order has when the modify was executed. */
function termsOf(asked: Wanted, seen: SeenOrder, found: SeenOrder): Wanted[] {
  const { origQty } = asked;
  // A quantity equal to what is filled ends the order, which keeps its price (ORD-5).
  const ends = found.status === 'FILLED' && Number(found.executedQty) === Number(origQty);
  return ends ? [asked, { price: seen.price, origQty }] : [asked];
}
