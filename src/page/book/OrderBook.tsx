// The order book: asks above, bids below, the last price between them.

import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { groupings } from '../state/bookRows.ts';
import { gridText } from '../state/grid.ts';
import { cut } from '../state/grouping.ts';
import type { MarketFeed } from '../state/marketFeed.ts';
import './book.css';
import { bookMessages } from './bookMessages.ts';
import { drawLadders } from './drawLadders.ts';

export function OrderBook({ onPick }: { onPick: () => void }) {
  const { feed, preferences } = usePage();
  const [step, setStep] = useState<number>(1);
  const text = bookMessages();
  const open = feed.value;
  const unit = preferences.sizeUnit;
  const unitName = open === undefined ? '' : unit.value === 'base' ? open.market.base : 'USDT';
  return (
    <section class="panel book" aria-label={text.book}>
      <div class="panel-head">
        <h2>{text.book}</h2>
        <span class="book-choices">
          {open !== undefined && !open.bookIsLive.value && (
            <span class="market-state">{text.notLive}</span>
          )}
          {open !== undefined && (
            <select
              name="grouping"
              class="select"
              aria-label={text.grouping}
              value={step}
              onChange={(event) => setStep(Number(event.currentTarget.value))}
            >
              {groupings.map((ticks) => (
                <option key={ticks} value={ticks}>
                  {gridText(BigInt(ticks), open.market.tick)}
                </option>
              ))}
            </select>
          )}
          <button
            type="button"
            class="button-small"
            title={text.unit}
            onClick={() => {
              unit.value = unit.value === 'base' ? 'quote' : 'base';
            }}
          >
            {unitName}
          </button>
        </span>
      </div>
      <div class="book-head" aria-hidden="true">
        <span>{text.price}</span>
        <span>{text.size(unitName)}</span>
        <span>{text.sum(unitName)}</span>
      </div>
      {open !== undefined && (
        <Ladders key={open.market.symbol} feed={open} step={step} onPick={onPick} />
      )}
    </section>
  );
}

type LaddersProps = { feed: MarketFeed; step: number; onPick: () => void };

function Ladders({ feed, step, onPick }: LaddersProps) {
  const page = usePage();
  const box = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  const unit = page.preferences.sizeUnit.value;
  const { flash } = page.preferences;
  useEffect(() => {
    const [asks, bids] = [above.current, below.current];
    if (box.current === null || asks === null || bids === null) return;
    const places = { asks, bids };
    return drawLadders({ page, feed, step, onPick, box: box.current, places });
  }, [page, feed, step, unit, flash.value]);
  return (
    <div class="ladders" ref={box}>
      <div class="ladder-place" ref={above} />
      <Middle feed={feed} />
      <div class="ladder-place" ref={below} />
    </div>
  );
}

function Middle({ feed }: { feed: MarketFeed }) {
  const { tickers } = usePage();
  const last = feed.last.value;
  const ticker = tickers.of(feed.market.symbol).value;
  const { decimals } = feed.market.tick;
  const text = bookMessages();
  const tone = last === undefined || last.direction === 0 ? '' : last.direction > 0 ? 'up' : 'down';
  const price = last?.price ?? ticker?.last_price;
  return (
    <div class="book-middle">
      <strong class={tone}>{price === undefined ? '–' : cut(price, decimals)}</strong>
      <div class="book-figures">
        <span class="book-figure">
          {text.mark} {ticker ? cut(ticker.mark_price, decimals) : '–'}
        </span>
        <span class="book-figure">
          {text.spread} <span class="book-spread" />
        </span>
      </div>
    </div>
  );
}
