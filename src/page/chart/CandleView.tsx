// The candles of a market, with the fills of the account as marks, and its orders, triggers and
// position as lines that can be dragged.

import { useSignalEffect } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Interval } from '../../units/interval.ts';
import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { cancelOrder, cancelTrigger } from '../state/cancelOrder.ts';
import { type CandleFeed, type CandleSource, openCandleFeed } from '../state/candleFeed.ts';
import { loadPart } from '../state/loadPart.ts';
import type { Market } from '../state/market.ts';
import type { Page } from '../state/page.ts';
import { dateText, shownOffsetSeconds } from '../state/timeText.ts';
import { tradeCandles } from '../state/tradeCandles.ts';
import type { AskedAct, ConfirmChartActProps } from './ConfirmChartAct.tsx';
import { chartColours } from './chartColours.ts';
import { type ChartAct, chartLines } from './chartLines.ts';
import { chartMessages } from './chartMessages.ts';
import { followSize, type Size } from './followSize.ts';
import type { PriceChart } from './priceChart.ts';

export const candleKinds = ['trade', 'mark', 'index'] as const;
export type CandleKind = (typeof candleKinds)[number];

/** What stands in place of candles; `failed` says why the drawing could not be loaded. */
type ChartState = 'loading' | 'shown' | 'few' | 'empty' | { readonly failed: string };

/** Fewer need a word about their number. */
const manyCandles = 15;

type CandleViewProps = {
  readonly market: Market;
  readonly interval: Interval;
  readonly kind: CandleKind;
};

export function CandleView({ market, interval, kind }: CandleViewProps) {
  const page = usePage();
  const place = useRef<HTMLDivElement>(null);
  const tags = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<PriceChart>();
  const [state, setState] = useState<ChartState>('loading');
  const { question, onAct } = useQuestion(page, market);
  const text = chartMessages();
  useEffect(() => {
    const places = { place: place.current!, tags: tags.current! };
    const opened = openChart(page, { market, interval, kind, ...places, setChart, setState });
    return opened.close;
  }, [page, market.symbol, interval, kind]);
  useSignalEffect(() => {
    // Read by name: the styles are there when the attributes of the document are set.
    page.preferences.theme.value;
    page.preferences.palette.value;
    const paint = (): void => chart?.setColours(chartColours(document.documentElement));
    const planned = requestAnimationFrame(paint);
    return () => cancelAnimationFrame(planned);
  });
  useAccount(page, { market, chart, onAct });
  return (
    <div class="chart-body">
      <div
        class="chart-place"
        ref={place}
        role="img"
        aria-label={text.picture(market.symbol, interval)}
      />
      <div class="chart-tags" ref={tags} />
      <span class="chart-notice">
        {text.madeWith}{' '}
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          TradingView
        </a>
      </span>
      {state === 'few' && <Young market={market} />}
      {state !== 'shown' && state !== 'few' && (
        <p class="chart-state muted">{typeof state === 'string' ? text[state] : state.failed}</p>
      )}
      {question}
    </div>
  );
}

/** Says why the chart is nearly empty. */
function Young({ market }: Pick<CandleViewProps, 'market'>) {
  const { preferences } = usePage();
  const when = dateText(market.record.onboard_date, preferences.clock.value);
  return <p class="chart-young muted">{chartMessages().young(when)}</p>;
}

/** What a person did by hand, and the question that is open about it. */
function useQuestion(page: Page, market: Market) {
  type Question = {
    readonly act: AskedAct;
    readonly Dialog: ComponentType<ConfirmChartActProps>;
  };
  const [open, setOpen] = useState<Question>();
  const ask = async (act: AskedAct): Promise<void> => {
    try {
      const loaded = await loadPart(page.options, () => import('./ConfirmChartAct.tsx'));
      setOpen({ act, Dialog: loaded.ConfirmChartAct });
    } catch (error) {
      page.notices.say({ kind: 'bad', title: failureText(error), text: '' });
    }
  };
  const onAct = async (act: ChartAct): Promise<void> => {
    if (act.kind === 'removeOrder') await cancelOrder(page, act.order);
    else if (act.kind === 'removeTrigger') await cancelTrigger(page, act.trigger);
    else await ask(act);
  };
  const question = open && (
    <open.Dialog act={open.act} market={market} onClose={() => setOpen(undefined)} />
  );
  return { question, onAct };
}

type AccountOnChart = {
  readonly market: Market;
  readonly chart: PriceChart | undefined;
  readonly onAct: (act: ChartAct) => Promise<void>;
};

/** Gives the chart its lines and marks, whenever they change. */
function useAccount(page: Page, { market, chart, onAct }: AccountOnChart): void {
  const { preferences, account } = page;
  // The colours change with these.
  const look = `${preferences.theme.value} ${preferences.palette.value}`;
  const colours = chartColours(document.documentElement);
  const lines = chartLines(page, { market, colours, onAct: (act) => void onAct(act) });
  const drawn = JSON.stringify(lines);
  useEffect(() => chart?.setLines(lines), [chart, drawn, look]);
  const fills = account.fills.value;
  useEffect(
    () => chart?.setFills(fills.filter(({ symbol }) => symbol === market.symbol)),
    [chart, fills],
  );
}

type OpenChart = CandleViewProps & {
  readonly place: HTMLElement;
  readonly tags: HTMLElement;
  readonly setChart: (chart: PriceChart | undefined) => void;
  readonly setState: (state: ChartState) => void;
};

/** What reads candles of mark and index is loaded when they are chosen. */
async function sourceOf(
  page: Page,
  { market, interval, kind }: CandleViewProps,
): Promise<CandleSource> {
  const { symbol } = market;
  const { requests, options } = page;
  if (kind === 'trade') {
    return tradeCandles({ client: page.link.client, requests, symbol, interval });
  }
  const { openPriceCandles } = await loadPart(
    options,
    () => import('../state/openPriceCandles.ts'),
  );
  return openPriceCandles(page, { kind, symbol, interval });
}

/** Once the place is in sight, loads the library, then the candles. */
function openChart(page: Page, options: OpenChart) {
  const { place, setChart } = options;
  let closed = false;
  let size: Size | undefined;
  let chart: PriceChart | undefined;
  let feed: CandleFeed | undefined;
  const open = async (): Promise<void> => {
    const { createPriceChart } = await loadPart(page.options, () => import('./priceChart.ts'));
    const source = await sourceOf(page, options);
    if (closed || size === undefined) return;
    chart = createPriceChart({
      ...chartOptions(page, options),
      size,
      onNearStart: () => void feed?.readEarlier(),
    });
    feed = fillChart(source, options, chart);
    setChart(chart);
  };
  const stopSizes = followSize(place, (next) => {
    const isFirst = size === undefined;
    size = next;
    if (isFirst) {
      open().catch((error) => {
        if (!closed) options.setState({ failed: failureText(error) });
      });
    } else chart?.resize(next);
  });
  return {
    close: () => {
      closed = true;
      stopSizes();
      setChart(undefined);
      feed?.close();
      chart?.remove();
    },
  };
}

function chartOptions({ preferences }: Page, { market, place, tags }: OpenChart) {
  const clock = preferences.clock.peek();
  return {
    place,
    tags,
    colours: chartColours(document.documentElement),
    decimals: market.tick.decimals,
    tick: market.tick.step / 10 ** market.tick.decimals,
    hint: chartMessages().hint,
    offsetOf: (time: number) => shownOffsetSeconds(time, clock),
  };
}

function fillChart(
  source: CandleSource,
  { interval, setState }: OpenChart,
  chart: PriceChart,
): CandleFeed {
  let count = 0;
  let newest = 0;
  const say = (): void => {
    setState(count === 0 ? 'empty' : count < manyCandles ? 'few' : 'shown');
  };
  return openCandleFeed({
    source,
    interval,
    onAll: (candles) => {
      chart.setAll(candles);
      count = candles.length;
      newest = candles.at(-1)?.time ?? 0;
      say();
    },
    onLast: (candle) => {
      chart.setLast(candle);
      if (candle.time > newest) count += 1;
      newest = candle.time;
      say();
    },
  });
}
