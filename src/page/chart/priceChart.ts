// The drawing of candles and volume, with lines at prices and marks of fills. It is loaded after
// the page has been drawn: the library takes 55 kB. Numbers here are for pixels alone.

import {
  type AutoscaleInfo,
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  HistogramSeries,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Candle } from '../state/candleFeed.ts';
import { grouping } from '../state/grouping.ts';
import { createCandleLegend } from './candleLegend.ts';
import { type ChartFill, createFillMarks } from './fillMarks.ts';
import type { Size } from './followSize.ts';
import { type ChartLine, createLineTags, type LineActs } from './lineTags.ts';

export type ChartColours = {
  readonly panel: string;
  readonly text: string;
  readonly line: string;
  readonly up: string;
  readonly down: string;
  readonly upSoft: string;
  readonly downSoft: string;
};

export type PriceChart = {
  /** Oldest first. */
  readonly setAll: (candles: readonly Candle[]) => void;
  /** The last candle as it is now, or one that follows it. */
  readonly setLast: (candle: Candle) => void;
  readonly setColours: (colours: ChartColours) => void;
  readonly setLines: (lines: readonly ChartLine[]) => void;
  readonly setFills: (fills: readonly ChartFill[]) => void;
  readonly resize: (size: Size) => void;
  readonly remove: () => void;
};

export type PriceChartOptions = LineActs & {
  readonly place: HTMLElement;
  /** Above the canvas: the tags of lines. */
  readonly tags: HTMLElement;
  /** Of the place. */
  readonly size: Size;
  readonly colours: ChartColours;
  readonly decimals: number;
  /** The price step, for the axis. */
  readonly tick: number;
  /** Seconds by which the shown clock is ahead of UTC at a time in milliseconds. */
  readonly offsetOf: (time: number) => number;
  /** The person has come near to the oldest candle. */
  readonly onNearStart: () => void;
};

const nearStart = 20;
const volumeShare = 0.82;

function openSeries({ place, size, colours, decimals, tick }: PriceChartOptions) {
  const chart = createChart(place, {
    ...size,
    ...lookOf(colours),
    crosshair: { mode: CrosshairMode.Normal },
    rightPriceScale: {
      borderVisible: false,
      entireTextOnly: true,
      scaleMargins: { top: 0.08, bottom: 0.22 },
    },
    timeScale: { borderVisible: false, timeVisible: true, secondsVisible: false, rightOffset: 6 },
  });
  const formatter = (price: number): string => grouping(price.toFixed(decimals));
  const priceFormat = { type: 'custom', minMove: tick, formatter } as const;
  const prices = chart.addSeries(CandlestickSeries, { ...candleLook(colours), priceFormat });
  const volumes = chart.addSeries(HistogramSeries, {
    priceFormat: { type: 'volume' },
    priceScaleId: '',
    lastValueVisible: false,
    priceLineVisible: false,
  });
  volumes.priceScale().applyOptions({ scaleMargins: { top: volumeShare, bottom: 0 } });
  // The library arranges its canvases in a table, which is none for people who hear the page.
  place.querySelector('table')?.setAttribute('role', 'presentation');
  return { chart, prices, volumes };
}

export function createPriceChart(options: PriceChartOptions): PriceChart {
  const { onNearStart } = options;
  const opened = openSeries(options);
  const { chart, prices } = opened;
  const endLegend = createCandleLegend({ ...options, chart, series: prices });
  const tags = createLineTags({ ...options, chart, series: prices });
  let lines: readonly ChartLine[] = [];
  prices.applyOptions({
    autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => withLines(original(), lines),
  });
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    if (range !== null && range.from < nearStart) onNearStart();
  });
  return {
    ...drawCandles(options, opened),
    setLines: (next) => {
      lines = next;
      tags.setLines(next);
    },
    // At once: an empty canvas would flicker.
    resize: ({ width, height }) => chart.resize(width, height, true),
    remove: () => {
      endLegend();
      tags.remove();
      chart.remove();
    },
  };
}

/** Candles, their volume, and the marks of fills at them. */
function drawCandles(
  { colours, offsetOf }: PriceChartOptions,
  { chart, prices, volumes }: ReturnType<typeof openSeries>,
): Pick<PriceChart, 'setAll' | 'setLast' | 'setColours' | 'setFills'> {
  let look = colours;
  let all: Candle[] = [];
  let fills: readonly ChartFill[] = [];
  const shownTime = (time: number) => (time / 1000 + offsetOf(time)) as UTCTimestamp;
  const volumeOf = (candle: Candle) => ({
    time: shownTime(candle.time),
    value: candle.volume,
    color: candle.close >= candle.open ? look.upSoft : look.downSoft,
  });
  const priceOf = ({ time, open, high, low, close }: Candle) => ({
    ...{ open, high, low, close },
    time: shownTime(time),
  });
  const mark = createFillMarks({
    chart,
    series: prices,
    candles: () => all,
    colours: () => look,
    shownTime,
  });
  const drawFills = (): void => mark(fills);
  return {
    setAll: (candles) => {
      all = [...candles];
      prices.setData(candles.map(priceOf));
      volumes.setData(candles.map(volumeOf));
      drawFills();
    },
    setLast: (candle) => {
      prices.update(priceOf(candle));
      volumes.update(volumeOf(candle));
      const isNew = all.at(-1)?.time !== candle.time;
      if (!isNew) all.pop();
      all.push(candle);
      // Fills of a candle may be known before the candle is.
      if (isNew) drawFills();
    },
    setColours: (next) => {
      look = next;
      chart.applyOptions(lookOf(next));
      prices.applyOptions(candleLook(next));
      volumes.setData(all.map(volumeOf));
    },
    setFills: (next) => {
      fills = next;
      drawFills();
    },
  };
}

/** How far from the candles a line may be that the scale makes room for, as a part of the price. */
const roomPart = 0.02;

/** Lines near the candles are in sight; those farther away would make the candles flat. */
function withLines(info: AutoscaleInfo | null, lines: readonly ChartLine[]): AutoscaleInfo | null {
  const range = info?.priceRange;
  if (info === null || range === undefined || range === null) return info;
  const { minValue, maxValue } = range;
  const near = lines
    .map(({ price }) => price)
    .filter((price) => price > minValue * (1 - roomPart) && price < maxValue * (1 + roomPart));
  const priceRange = {
    minValue: Math.min(minValue, ...near),
    maxValue: Math.max(maxValue, ...near),
  };
  return { ...info, priceRange };
}

/** Of every chart of the library. */
export const lookOf = ({ panel, text, line }: ChartColours) => ({
  layout: {
    background: { type: ColorType.Solid, color: panel },
    textColor: text,
    fontSize: 11,
    // Its own logo needs styles that the policy forbids; the page has a notice of its own.
    attributionLogo: false,
  },
  grid: { vertLines: { color: line }, horzLines: { color: line } },
});

const candleLook = ({ up, down }: ChartColours) => ({
  upColor: up,
  downColor: down,
  wickUpColor: up,
  wickDownColor: down,
  borderVisible: false,
});
