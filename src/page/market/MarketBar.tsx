// The bar of the chosen market: its name (which opens the search), prices, the last 24 hours, open
// interest, funding with its countdown, and whether it trades.

import { untracked, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLoadedDialog } from '../components/useLoadedDialog.ts';
import { usePage } from '../components/usePage.tsx';
import { scaledOf } from '../state/grid.ts';
import { compact, cut, signed } from '../state/grouping.ts';
import type { Market } from '../state/market.ts';
import type { Page } from '../state/page.ts';
import type { Ticker } from '../state/tickers.ts';
import { FundingCountdown } from './FundingCountdown.tsx';
import './marketBar.css';
import { marketMessages } from './marketMessages.ts';
// Styles of what is loaded later do not come with it.
import './marketSearch.css';

export function MarketBar() {
  const { feed, tickers, marketsProblem } = usePage();
  const { Shown, show, hide } = useLoadedDialog(
    async () => (await import('./MarketSearch.tsx')).MarketSearch,
  );
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      void show();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const text = marketMessages();
  const open = feed.value;
  const ticker = open && tickers.of(open.market.symbol).value;
  return (
    <section class="panel market-bar" aria-label={text.market}>
      <button
        type="button"
        class="market-name"
        title={`${text.choose} (Ctrl+K)`}
        onClick={() => void show()}
      >
        <span>{open === undefined ? '…' : `${open.market.base}-${open.market.quote}`}</span>
        {open !== undefined && (
          <span class="market-tag">{text.leverageMax(open.market.maxLeverage)}</span>
        )}
        <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
          <path d="M2 3.5 5 6.5 8 3.5" fill="none" stroke="currentColor" stroke-width="1.4" />
        </svg>
      </button>
      {open === undefined ? (
        <span class="muted">{marketsProblem.value || text.loading}</span>
      ) : (
        <>
          <LastPrice />
          <Figures market={open.market} ticker={ticker} />
          <MarketState {...(ticker ?? open.market.record)} />
        </>
      )}
      {Shown !== undefined && <Shown onClose={hide} />}
    </section>
  );
}

function LastPrice() {
  const page = usePage();
  const open = page.feed.value;
  useTitle(page);
  if (open === undefined) return null;
  const last = open.last.value;
  const direction =
    last === undefined || last.direction === 0 ? '' : last.direction > 0 ? 'up' : 'down';
  return <strong class={`last-price ${direction}`}>{lastPriceOf(page) ?? '–'}</strong>;
}

/** Of the last trade, or what the ticker says of it. */
function lastPriceOf({ feed, tickers }: Page): string | undefined {
  const open = feed.value;
  if (open === undefined) return undefined;
  const price = open.last.value?.price ?? tickers.of(open.market.symbol).value?.last_price;
  return price === undefined ? undefined : cut(price, open.market.tick.decimals);
}

/** The title of the tab follows once a second: each change costs the browser more than a frame. */
function useTitle(page: Page): void {
  const { now, feed } = page;
  useSignalEffect(() => {
    now.value;
    const symbol = feed.value?.market.symbol;
    const price = untracked(() => lastPriceOf(page));
    const title = price === undefined ? 'Evermark' : `${price} ${symbol} · Evermark`;
    if (document.title !== title) document.title = title;
  });
}

function Figures({ market, ticker }: { market: Market; ticker: Ticker | undefined }) {
  const text = marketMessages();
  const { decimals } = market.tick;
  const price = (value: string | undefined): string =>
    value === undefined ? '–' : cut(value, decimals);
  const change = ticker && scaledOf(ticker.price_change_24h, decimals);
  const percent = ticker && scaledOf(ticker.price_change_percent_24h, 2);
  const tone = change === undefined || change === 0n ? '' : change > 0n ? 'up' : 'down';
  return (
    // What scrolls must be reachable by the keyboard.
    <dl class="figures" tabIndex={0}>
      <Figure name={text.mark}>{price(ticker?.mark_price)}</Figure>
      <Figure name={text.index}>{price(ticker?.index_price)}</Figure>
      <Figure name={text.change} tone={tone}>
        {change === undefined || percent === undefined
          ? '–'
          : `${signed(change, decimals)} ${signed(percent, 2)}%`}
      </Figure>
      <Figure name={text.high}>{price(ticker?.high_24h)}</Figure>
      <Figure name={text.low}>{price(ticker?.low_24h)}</Figure>
      <Figure name={text.volume}>{ticker ? compact(ticker.volume_24h_usd) : '–'}</Figure>
      <Figure name={text.openInterest}>{ticker ? openInterest(ticker) : '–'}</Figure>
      <Figure name={text.funding} title={text.fundingHint}>
        <FundingCountdown hasInterest={hasOpenInterest(ticker)} />
      </Figure>
    </dl>
  );
}

type FigureProps = { name: string; tone?: string; title?: string; children: ComponentChildren };

function Figure({ name, tone = '', title, children }: FigureProps) {
  return (
    <div class="figure" title={title}>
      <dt>{name}</dt>
      <dd class={tone}>{children}</dd>
    </div>
  );
}

/** Both sides together, as USDT. */
const openInterest = ({ open_interest_long, open_interest_short }: Ticker): string => {
  const sum = scaledOf(open_interest_long, 0) + scaledOf(open_interest_short, 0);
  return compact(String(sum));
};

const hasOpenInterest = (ticker: Ticker | undefined): boolean =>
  ticker !== undefined && scaledOf(ticker.open_interest_long, 2) > 0n;

function MarketState({ status, restriction }: Pick<Ticker, 'status' | 'restriction'>) {
  const text = marketMessages();
  if (status === 'TRADING' && restriction === 'none') return null;
  const said =
    text.restrictions[restriction as keyof typeof text.restrictions] ||
    text.states[status as keyof typeof text.states];
  return (
    <span class="market-state" role="status">
      {said}
    </span>
  );
}
