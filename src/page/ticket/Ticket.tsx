// The ticket: an order is typed here and sent.

import { useSignalEffect } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { bestAsk, bestBid } from '../../client/book.ts';
import { FaucetButton } from '../account/FaucetButton.tsx';
import { SignInPrompt } from '../account/SignInPrompt.tsx';
import { Problem } from '../components/Problem.tsx';
import { usePage } from '../components/usePage.tsx';
import { useHotkeys } from '../hotkeys/useHotkeys.ts';
import { stepsOf } from '../state/grid.ts';
import { cut } from '../state/grouping.ts';
import type { Market } from '../state/market.ts';
import type { Side, Wish } from '../state/orderWish.ts';
import type { Page } from '../state/page.ts';
import { tryToPlace } from '../state/placeOrder.ts';
import { afterSending, type ChangeDraft, type Draft, emptyDraft, partsOf } from './draft.ts';
import { draftWish } from './draftWish.ts';
import { needsMoney } from './needsMoney.ts';
import { OrderFigures } from './OrderFigures.tsx';
import { OrderHead } from './OrderHead.tsx';
import { OrderLegs } from './OrderLegs.tsx';
import { OrderOptions } from './OrderOptions.tsx';
import { OrderPrices, OrderSlippage } from './OrderPrices.tsx';
import { OrderSize } from './OrderSize.tsx';
import { OrderWarnings } from './OrderWarnings.tsx';
import type { OrderFormState } from './orderFormState.ts';
import { isSaidAtOnce, problemText } from './problemText.ts';
import { type DraftField, problemsOf, readDraft } from './readDraft.ts';
import { refusalPlace } from './refusalPlace.ts';
import { SelfTradeChoice } from './SelfTradeChoice.tsx';
import './ticket.css';
import { ticketMessages } from './ticketMessages.ts';
import { AskPreview, usePreviewer } from './usePreview.ts';

export function Ticket() {
  const { feed } = usePage();
  const text = ticketMessages();
  const market = feed.value?.market;
  return (
    <section class="panel ticket" aria-label={text.order}>
      {market !== undefined && <OrderForm key={market.symbol} market={market} />}
    </section>
  );
}

function OrderForm({ market }: { market: Market }) {
  const state = useOrderForm(market);
  const { send, isSlow, refusal } = state;
  const previewer = usePreviewer();
  const form = useRef<HTMLFormElement>(null);
  useTicketHotkeys(state, form);
  return (
    <>
      <OrderHead state={state} />
      <form ref={form} class="ticket-form" onSubmit={(event) => event.preventDefault()}>
        <Available />
        <OrderPrices state={state} />
        <OrderSize state={state} />
        <OrderSlippage state={state} />
        <OrderOptions state={state} />
        <OrderLegs state={state} />
        <SelfTradeChoice state={state} />
        <AskPreview state={state} previewer={previewer} />
        <OrderWarnings state={state} previewer={previewer} />
        <Problem text={refusal('order')} />
        <Send isWaiting={isSlow} onSend={send} />
        <OrderFigures state={state} previewer={previewer} />
      </form>
    </>
  );
}

function useTicketHotkeys(
  { draft, change, send }: OrderFormState,
  form: { readonly current: HTMLFormElement | null },
): void {
  const focus = (name: string): void => {
    const field = form.current?.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.select();
  };
  useHotkeys({
    buy: () => void send('BUY'),
    sell: () => void send('SELL'),
    limit: () => change({ type: 'LIMIT', timeInForce: 'GTC' }),
    market: () => change({ type: 'MARKET', timeInForce: 'GTC' }),
    price: () => focus('price'),
    size: () => focus('size'),
    reduceOnly: () => change({ reduceOnly: !draft.reduceOnly }),
  });
}

/** The draft with what it means, and the way to send it. */
function useOrderForm(market: Market): OrderFormState {
  const page = usePage();
  const { draft, change, clear } = useDraft(page);
  const { isSlow, sendOnce } = useSending();
  /** Missing values are shown once the person has tried to send. */
  const [wasTried, setTried] = useState(false);
  const [failed, setFailed] = useState<{ readonly error: unknown }>();
  const inUtc = page.preferences.clock.value === 'utc';
  const marketTicks = ticksOfMarket(page, market);
  const reading = readDraft(draft, { market, marketTicks, inUtc });
  const problems = problemsOf(draft, reading, { market, now: page.serverClock.now() });
  const wishOf = (side: Side): Wish | undefined =>
    problems.size === 0 ? draftWish(draft, reading, { market, side }) : undefined;
  const place = failed && refusalPlace(failed.error);
  const refusal: OrderFormState['refusal'] = (field) => {
    if (place === undefined) return '';
    const shownAt = place.part === 'order' || isShown(place.part, draft) ? place.part : 'order';
    return shownAt === field ? place.text : '';
  };
  const problem = (field: DraftField): string => {
    const kind = problems.get(field);
    if (kind !== undefined && (wasTried || isSaidAtOnce(kind))) {
      return problemText(field, kind, { draft, market });
    }
    return refusal(field);
  };
  const changeAndForget: ChangeDraft = (part) => {
    setFailed(undefined);
    change(part);
  };
  const send = async (side: Side): Promise<void> => {
    const wish = wishOf(side);
    if (wish === undefined) setTried(true);
    // A hotkey may come before the login.
    const hasLogin = page.session.login.value !== undefined;
    if (wish === undefined || !hasLogin) return;
    await sendOnce(async () => {
      const found = await tryToPlace(page, wish);
      setFailed(found);
      setTried(found !== undefined);
      if (found === undefined) clear(draft);
    });
  };
  return {
    draft,
    change: changeAndForget,
    market,
    marketTicks,
    reading,
    wishOf,
    problem,
    refusal,
    send,
    isSlow,
  };
}

/** An answer usually comes sooner than a person sees that a button is disabled. */
const slowMs = 150;

/** Sends one order at a time; `isSlow` once the answer lets a person wait. */
function useSending() {
  const [isSlow, setSlow] = useState(false);
  const isSending = useRef(false);
  const sendOnce = async (act: () => Promise<void>): Promise<void> => {
    if (isSending.current) return;
    isSending.current = true;
    const timer = setTimeout(() => setSlow(true), slowMs);
    try {
      await act();
    } finally {
      clearTimeout(timer);
      isSending.current = false;
      setSlow(false);
    }
  };
  return { isSlow, sendOnce };
}

type RefusedPart = ReturnType<typeof refusalPlace>['part'];

/** Whether the ticket has a place for it now; the head shows the leverage always. */
function isShown(part: RefusedPart, draft: Draft): boolean {
  const parts = partsOf(draft);
  switch (part) {
    case 'price':
    case 'trigger':
    case 'slippage':
    case 'goodTill':
      return parts[part];
    case 'callback':
      return parts.trails;
    case 'takeProfit':
    case 'stopLoss':
      return parts.legs;
    case 'size':
      return !parts.closesAll;
    default:
      return true;
  }
}

type DraftState = {
  readonly draft: Draft;
  readonly change: ChangeDraft;
  /** Takes out what has been sent. */
  readonly clear: (sent: Draft) => void;
};

/** The draft; prices and sizes that are clicked elsewhere on the page go into it. */
function useDraft({ pickedPrice, pickedSize }: Page): DraftState {
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const change: ChangeDraft = (part) => setDraft((before) => ({ ...before, ...part }));
  useSignalEffect(() => {
    const price = pickedPrice.value;
    if (price === undefined) return;
    pickedPrice.value = undefined;
    setDraft((before) => ({ ...before, ...pickedInto(before, price) }));
  });
  useSignalEffect(() => {
    const size = pickedSize.value;
    if (size === undefined) return;
    pickedSize.value = undefined;
    change({ unit: 'base', size });
  });
  const clear = (sent: Draft): void => setDraft((before) => afterSending(before, sent));
  return { draft, change, clear };
}

/** A price goes where the type has one; else the order becomes a LIMIT. */
function pickedInto(draft: Draft, price: string): Partial<Draft> {
  const parts = partsOf(draft);
  if (parts.price) return { price };
  if (parts.trigger) return { trigger: price };
  return parts.trails ? { activation: price } : { type: 'LIMIT', price };
}

function Send({ isWaiting, onSend }: { isWaiting: boolean; onSend: (side: Side) => void }) {
  const { session } = usePage();
  const text = ticketMessages();
  if (session.login.value === undefined) return <SignInPrompt />;
  return (
    <div class="ticket-buttons">
      <button
        type="button"
        class="button button-buy"
        disabled={isWaiting}
        onClick={() => onSend('BUY')}
      >
        {text.buy}
      </button>
      <button
        type="button"
        class="button button-sell"
        disabled={isWaiting}
        onClick={() => onSend('SELL')}
      >
        {text.sell}
      </button>
    </div>
  );
}

function Available() {
  const page = usePage();
  const text = ticketMessages();
  const balance = page.account.balance.value;
  return (
    <>
      <p class="ticket-line">
        <span class="muted">{text.available}</span>
        <span>{balance === undefined ? '–' : `${cut(balance.available_balance, 2)} USDT`}</span>
      </p>
      {page.facts.isTestnet && needsMoney(page) && <FaucetButton isMain />}
    </>
  );
}

/** At which a market order is valued: the middle of the book, or the mark. */
function ticksOfMarket({ feed, tickers }: Page, market: Market): bigint | undefined {
  const mark = tickers.of(market.symbol).value?.mark_price;
  const book = feed.value?.book;
  const [bid, ask] = book === undefined ? [] : [bestBid(book), bestAsk(book)];
  if (bid !== undefined && ask !== undefined) return BigInt(Math.round((bid + ask) / 2));
  return mark === undefined ? undefined : stepsOf(mark, market.tick);
}
