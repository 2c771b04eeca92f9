// The ticket: an order is typed here and sent.

import { useSignalEffect } from '@preact/signals';
import { useState } from 'preact/hooks';
import { SignInPrompt } from '../account/SignInPrompt.tsx';
import { NumberField } from '../components/NumberField.tsx';
import { Tabs } from '../components/Tabs.tsx';
import { usePage } from '../components/usePage.tsx';
import { bestAsk, bestBid } from '../state/book.ts';
import { gridText, plainText, scaledOf, stepsOf } from '../state/grid.ts';
import { cut } from '../state/grouping.ts';
import type { Market } from '../state/market.ts';
import type { Page } from '../state/page.ts';
import { placeOrder, type Side, type TimeInForce } from '../state/placeOrder.ts';
import { readTyped } from '../state/readTyped.ts';
import {
  type Draft,
  type DraftProblem,
  emptyDraft,
  lotsFor,
  marginOf,
  orderTypes,
  problemOf,
  quoteGrid,
  type Reading,
  readDraft,
  wishOf,
} from './draft.ts';
import { LeverageField, leverageOf } from './LeverageField.tsx';
import './ticket.css';
import { ticketMessages } from './ticketMessages.ts';

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

const moneyDecimals = 6;

function OrderForm({ market }: { market: Market }) {
  const page = usePage();
  const { draft, change } = useDraft(page);
  const [isSending, setSending] = useState(false);
  /** Missing values are shown once the person has tried to send. */
  const [wasTried, setTried] = useState(false);
  const marketTicks = ticksOfMarket(page, market);
  const reading = readDraft(draft, market, marketTicks);
  const problem = problemOf(draft, reading, market);
  const problemIn = (field: 'price' | 'size'): string =>
    problem?.field === field && (wasTried || isMalformed(problem))
      ? problemText(problem, draft, market)
      : '';
  const send = async (side: Side): Promise<void> => {
    setTried(true);
    const wish = wishOf(draft, reading, { market, side });
    if (wish === undefined || isSending) return;
    setSending(true);
    const isPlaced = await placeOrder(page, wish);
    setSending(false);
    if (!isPlaced) return;
    setTried(false);
    change({ size: '' });
  };
  const ticks = reading.ticks ?? marketTicks;
  return (
    <>
      <OrderHead draft={draft} change={change} market={market} />
      <form class="ticket-form" onSubmit={(event) => event.preventDefault()}>
        <Available />
        {draft.type === 'LIMIT' && (
          <PriceField {...{ draft, change, market }} problem={problemIn('price')} />
        )}
        <SizeField {...{ draft, change, market, reading }} problem={problemIn('size')} />
        <PercentSlider {...{ draft, change, market, ticks, reading }} />
        <Options draft={draft} change={change} />
        <Sums draft={draft} reading={reading} market={market} />
        <Send isSending={isSending} onSend={send} />
      </form>
    </>
  );
}

type Change = (part: Partial<Draft>) => void;

/** The draft; prices and sizes that are clicked elsewhere on the page go into it. */
function useDraft({ pickedPrice, pickedSize }: Page): { draft: Draft; change: Change } {
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const change: Change = (part) => setDraft((before) => ({ ...before, ...part }));
  useSignalEffect(() => {
    const price = pickedPrice.value;
    if (price === undefined) return;
    pickedPrice.value = undefined;
    change({ type: 'LIMIT', price });
  });
  useSignalEffect(() => {
    const size = pickedSize.value;
    if (size === undefined) return;
    pickedSize.value = undefined;
    change({ unit: 'base', size });
  });
  return { draft, change };
}

type PartProps = { readonly draft: Draft; readonly change: Change; readonly market: Market };

function OrderHead({ draft, change, market }: PartProps) {
  const text = ticketMessages();
  return (
    <div class="panel-head">
      <Tabs
        label={text.type}
        items={orderTypes.map((id) => ({ id, label: text.types[id] }))}
        chosen={draft.type}
        onChoose={(type) => change({ type })}
      />
      <LeverageField market={market} />
    </div>
  );
}

function PriceField({ draft, change, market, problem }: PartProps & { problem: string }) {
  return (
    <NumberField
      label={ticketMessages().price}
      value={draft.price}
      onType={(price) => change({ price })}
      unit={<LastButton market={market} onPick={(price) => change({ price })} />}
      problem={problem}
      onStep={(direction) => change({ price: stepped(draft.price, direction, market) })}
    />
  );
}

type SizeFieldProps = PartProps & { readonly reading: Reading; readonly problem: string };

function SizeField({ draft, change, market, reading, problem }: SizeFieldProps) {
  const text = ticketMessages();
  return (
    <NumberField
      label={text.size}
      value={draft.size}
      onType={(size) => change({ size })}
      unit={
        <button
          type="button"
          class="unit-button"
          title={text.sizeUnit}
          onClick={() => change(otherUnit(draft, reading, market))}
        >
          {draft.unit === 'base' ? market.base : market.quote}
        </button>
      }
      problem={problem}
    />
  );
}

type SumsProps = { draft: Draft; reading: Reading; market: Market };

function Sums({ draft, reading: { value }, market }: SumsProps) {
  const leverage = leverageOf(usePage(), market);
  const text = ticketMessages();
  const needsMargin = value !== undefined && !draft.reduceOnly;
  return (
    <dl class="ticket-sums">
      <div>
        <dt>{text.orderValue}</dt>
        <dd>{moneyText(value)}</dd>
      </div>
      <div>
        <dt>{text.margin}</dt>
        <dd>{moneyText(needsMargin ? marginOf(value, leverage) : undefined)}</dd>
      </div>
    </dl>
  );
}

function Send({ isSending, onSend }: { isSending: boolean; onSend: (side: Side) => void }) {
  const { session } = usePage();
  const text = ticketMessages();
  if (session.login.value === undefined) return <SignInPrompt />;
  return (
    <div class="ticket-buttons">
      <button
        type="button"
        class="button button-buy"
        disabled={isSending}
        onClick={() => onSend('BUY')}
      >
        {text.buy}
      </button>
      <button
        type="button"
        class="button button-sell"
        disabled={isSending}
        onClick={() => onSend('SELL')}
      >
        {text.sell}
      </button>
    </div>
  );
}

function Available() {
  const { account } = usePage();
  const text = ticketMessages();
  const balance = account.balance.value;
  return (
    <p class="ticket-line">
      <span class="muted">{text.available}</span>
      <span>{balance === undefined ? '–' : `${cut(balance.available_balance, 2)} USDT`}</span>
    </p>
  );
}

function LastButton({ market, onPick }: { market: Market; onPick: (price: string) => void }) {
  const page = usePage();
  return (
    <button
      type="button"
      class="unit-button"
      onClick={() => {
        const last = page.feed.value?.last.value?.price;
        const price = last ?? page.tickers.of(market.symbol).value?.last_price;
        if (price !== undefined) onPick(price);
      }}
    >
      {ticketMessages().last}
    </button>
  );
}

type OptionsProps = Omit<PartProps, 'market'>;

const timesInForce: readonly TimeInForce[] = ['GTC', 'IOC', 'FOK', 'GTX'];

function Options({ draft, change }: OptionsProps) {
  const text = ticketMessages();
  return (
    <div class="ticket-options">
      <label class="check">
        <input
          type="checkbox"
          checked={draft.reduceOnly}
          onChange={(event) => change({ reduceOnly: event.currentTarget.checked })}
        />
        {text.reduceOnly}
      </label>
      {draft.type === 'LIMIT' && (
        <select
          class="select"
          aria-label={text.timeInForce}
          value={draft.timeInForce}
          onChange={(event) => change({ timeInForce: event.currentTarget.value as TimeInForce })}
        >
          {timesInForce.map((each) => (
            <option key={each} value={each}>
              {text.timesInForce[each]}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

type PercentSliderProps = PartProps & {
  readonly ticks: bigint | undefined;
  readonly reading: Reading;
};

/** The part of what the available money could open, or of the position if the order reduces it. */
function PercentSlider({ draft, change, market, ticks, reading }: PercentSliderProps) {
  const page = usePage();
  const { account } = page;
  const available = scaledOf(account.balance.value?.available_balance ?? '0', moneyDecimals);
  const amount = account.positions.value.get(market.symbol)?.position_amt ?? '0';
  const held = stepsOf(amount.replace('-', ''), market.lot);
  const leverage = leverageOf(page, market);
  const opens = ticks === undefined ? 0n : lotsFor(available, { ticks, leverage, market });
  const most = draft.reduceOnly ? held : opens;
  const percent = most === 0n ? 0 : Number(((reading.lots ?? 0n) * 100n) / most);
  return (
    <div class="percent">
      <input
        type="range"
        min="0"
        max="100"
        step="1"
        aria-label={ticketMessages().percent}
        disabled={most === 0n}
        value={Math.min(100, percent)}
        onInput={(event) => {
          const wanted = (most * BigInt(event.currentTarget.value)) / 100n;
          change({ unit: 'base', size: wanted === 0n ? '' : gridText(wanted, market.lot) });
        }}
      />
      <output class="percent-value">{Math.min(percent, percentMax)}%</output>
    </div>
  );
}

/** What there is room for. */
const percentMax = 999;

/** At which a market order is valued: the middle of the book, or the mark. */
function ticksOfMarket({ feed, tickers }: Page, market: Market): bigint | undefined {
  const mark = tickers.of(market.symbol).value?.mark_price;
  const book = feed.value?.book;
  const [bid, ask] = book === undefined ? [] : [bestBid(book), bestAsk(book)];
  if (bid !== undefined && ask !== undefined) return BigInt(Math.round((bid + ask) / 2));
  return mark === undefined ? undefined : stepsOf(mark, market.tick);
}

/** The typed price, one tick up or down. */
function stepped(price: string, direction: 1 | -1, { tick }: Market): string {
  const read = readTyped(price, tick);
  if (read.kind !== 'steps') return price;
  const next = read.steps + BigInt(direction);
  return next <= 0n ? price : gridText(next, tick);
}

/** The same size in the other unit, as far as it is known. */
function otherUnit({ unit }: Draft, { lots, value }: Reading, { lot }: Market): Partial<Draft> {
  if (unit === 'quote') {
    const known = lots !== undefined && lots > 0n;
    return { unit: 'base', size: known ? gridText(lots, lot) : '' };
  }
  const cents = value === undefined ? undefined : value / 10_000n;
  const known = cents !== undefined && cents > 0n;
  return { unit: 'quote', size: known ? plainText(cents, quoteGrid.decimals) : '' };
}

const moneyText = (value: bigint | undefined): string =>
  value === undefined ? '–' : `${cut(plainText(value, moneyDecimals), 2)} USDT`;

/** What is wrong at once, before the order is sent. */
const isMalformed = ({ kind }: DraftProblem): boolean =>
  kind !== 'empty' && kind !== 'belowMinimum' && kind !== 'aboveMaximum';

function problemText({ field, kind }: DraftProblem, draft: Draft, market: Market): string {
  const text = ticketMessages();
  const grid = field === 'price' ? market.tick : draft.unit === 'base' ? market.lot : quoteGrid;
  switch (kind) {
    case 'empty':
      return field === 'price' ? text.priceMissing : text.sizeMissing;
    case 'offGrid':
      return text.problems.offGrid(gridText(1n, grid));
    case 'belowMinimum':
      return text.valueLeast(cut(plainText(market.orderMin, moneyDecimals), 2));
    case 'aboveMaximum':
      return text.valueMost(cut(plainText(market.orderMax, moneyDecimals), 2));
    default:
      return text.problems[kind];
  }
}
