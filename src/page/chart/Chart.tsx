// The chart of the chosen market: intervals, candles, and lines of the account's orders and
// position.

import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Interval, intervals } from '../../units/interval.ts';
import { usePage } from '../components/usePage.tsx';
import { tradingMessages } from '../messages/tradingMessages.ts';
import { openCandleFeed } from '../state/candleFeed.ts';
import { keptSignal } from '../state/keptSignal.ts';
import type { Market } from '../state/market.ts';
import type { Page } from '../state/page.ts';
import { shownOffsetSeconds } from '../state/timeText.ts';
import './chart.css';
import { chartColours } from './chartColours.ts';
import { chartMessages } from './chartMessages.ts';
import type { ChartLine, PriceChart } from './priceChart.ts';

const usualInterval: Interval = '15m';

export function Chart() {
  const page = usePage();
  const [kept] = useState(() =>
    keptSignal(
      page.options.store,
      'evermark.interval',
      (value) => intervals.find((each) => each === value) ?? usualInterval,
    ),
  );
  const text = chartMessages();
  const market = page.feed.value?.market;
  const interval = kept.value;
  return (
    <section class="panel chart" aria-label={text.chart}>
      <div class="panel-head chart-head">
        <fieldset class="intervals" aria-label={text.interval}>
          {intervals.map((each) => (
            <button
              key={each}
              type="button"
              class="interval"
              aria-pressed={each === interval}
              onClick={() => {
                kept.value = each;
              }}
            >
              {each}
            </button>
          ))}
        </fieldset>
      </div>
      {market !== undefined && (
        <Canvas
          key={`${market.symbol} ${interval} ${page.preferences.clock.value}`}
          market={market}
          interval={interval}
        />
      )}
    </section>
  );
}

function Canvas({ market, interval }: { market: Market; interval: Interval }) {
  const page = usePage();
  const place = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<PriceChart>();
  const [state, setState] = useState<'loading' | 'shown' | 'empty'>('loading');
  const text = chartMessages();
  useEffect(() => {
    const opened = openChart(page, { market, interval, place: place.current!, setChart, setState });
    return opened.close;
  }, [page, market.symbol, interval]);
  useSignalEffect(() => {
    // Read by name: the styles are there when the attributes of the document are set.
    page.preferences.theme.value;
    page.preferences.palette.value;
    requestAnimationFrame(() => chart?.setColours(chartColours(document.documentElement)));
  });
  const lines = linesOf(page, market);
  const drawn = JSON.stringify(lines);
  useEffect(() => chart?.setLines(lines), [chart, drawn]);
  return (
    <div class="chart-body">
      <div
        class="chart-place"
        ref={place}
        role="img"
        aria-label={text.picture(market.symbol, interval)}
      />
      <span class="chart-notice">
        {text.madeWith}{' '}
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          TradingView
        </a>
      </span>
      {state !== 'shown' && (
        <p class="chart-state muted">{state === 'loading' ? text.loading : text.empty}</p>
      )}
    </div>
  );
}

type OpenChart = {
  readonly market: Market;
  readonly interval: Interval;
  readonly place: HTMLElement;
  readonly setChart: (chart: PriceChart | undefined) => void;
  readonly setState: (state: 'loading' | 'shown' | 'empty') => void;
};

/** Loads the library, then the candles. */
function openChart(page: Page, { market, interval, place, setChart, setState }: OpenChart) {
  let closed = false;
  let close = (): void => {};
  const open = async (): Promise<void> => {
    const { createPriceChart } = await import('./priceChart.ts');
    if (closed) return;
    const clock = page.preferences.clock.peek();
    const chart = createPriceChart({
      place,
      colours: chartColours(document.documentElement),
      decimals: market.tick.decimals,
      tick: market.tick.step / 10 ** market.tick.decimals,
      offsetOf: (time) => shownOffsetSeconds(time, clock),
      onNearStart: () => void feed.readEarlier(),
    });
    const feed = openCandleFeed({
      client: page.link.client,
      requests: page.requests,
      symbol: market.symbol,
      interval,
      onAll: (candles) => {
        chart.setAll(candles);
        setState(candles.length === 0 ? 'empty' : 'shown');
      },
      onLast: (candle) => {
        chart.setLast(candle);
        setState('shown');
      },
    });
    setChart(chart);
    close = () => {
      feed.close();
      chart.remove();
    };
  };
  void open();
  return {
    close: () => {
      closed = true;
      setChart(undefined);
      close();
    },
  };
}

/** Orders at one price are one line. */
function linesOf({ account, preferences }: Page, market: Market): ChartLine[] {
  // The colours change with these.
  const look = `${preferences.theme.value} ${preferences.palette.value}`;
  const colours = look === '' ? undefined : chartColours(document.documentElement);
  const { up = '', down = '', text = '' } = colours ?? {};
  const lines: ChartLine[] = [];
  const position = account.positions.value.get(market.symbol);
  if (position !== undefined) {
    const { entry_price, position_amt, liquidation_price } = position;
    lines.push({
      id: 'position',
      price: Number(entry_price),
      title: position_amt,
      colour: position_amt.startsWith('-') ? down : up,
      isDashed: false,
    });
    // "0" means that no price liquidates it.
    if (Number(liquidation_price) > 0) {
      lines.push({
        id: 'liquidation',
        price: Number(liquidation_price),
        title: chartMessages().liquidation,
        colour: text,
        isDashed: true,
      });
    }
  }
  const sides = tradingMessages().sides;
  const merged = new Map<string, { count: number; line: ChartLine }>();
  for (const { symbol, side, price, orig_qty } of account.orders.value.values()) {
    if (symbol !== market.symbol) continue;
    const key = `${side} ${price}`;
    const count = (merged.get(key)?.count ?? 0) + 1;
    const title = count === 1 ? `${sides[side]} ${orig_qty}` : `${sides[side]} ×${count}`;
    const colour = side === 'BUY' ? up : down;
    merged.set(key, {
      count,
      line: { id: key, price: Number(price), title, colour, isDashed: true },
    });
  }
  return [...lines, ...Array.from(merged.values(), ({ line }) => line)];
}
