// The drawing of candles and volume, with lines at prices. It is loaded after the page has been
// drawn: the library takes 55 kB. Numbers here are for pixels alone.

import {
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  HistogramSeries,
  type IPriceLine,
  LineStyle,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Candle } from '../state/candleFeed.ts';

export type ChartColours = {
  readonly panel: string;
  readonly text: string;
  readonly line: string;
  readonly up: string;
  readonly down: string;
  readonly upSoft: string;
  readonly downSoft: string;
};

/** A line at a price: an own order, a position, a liquidation price. */
export type ChartLine = {
  readonly id: string;
  readonly price: number;
  readonly title: string;
  readonly colour: string;
  readonly isDashed: boolean;
};

export type PriceChart = {
  readonly setAll: (candles: readonly Candle[]) => void;
  readonly setLast: (candle: Candle) => void;
  readonly setColours: (colours: ChartColours) => void;
  readonly setLines: (lines: readonly ChartLine[]) => void;
  readonly remove: () => void;
};

export type PriceChartOptions = {
  readonly place: HTMLElement;
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

function openSeries({ place, colours, decimals, tick }: PriceChartOptions) {
  const chart = createChart(place, {
    autoSize: true,
    ...lookOf(colours),
    crosshair: { mode: CrosshairMode.Normal },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.22 } },
    timeScale: { borderVisible: false, timeVisible: true, secondsVisible: false, rightOffset: 6 },
  });
  const priceFormat = { type: 'price', precision: decimals, minMove: tick } as const;
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
  const { colours, offsetOf, onNearStart } = options;
  const { chart, prices, volumes } = openSeries(options);
  let soft = colours;
  let lines: IPriceLine[] = [];
  let all: readonly Candle[] = [];
  const timeOf = ({ time }: Candle): UTCTimestamp => (time / 1000 + offsetOf(time)) as UTCTimestamp;
  const volumeOf = (candle: Candle) => ({
    time: timeOf(candle),
    value: candle.volume,
    color: candle.close >= candle.open ? soft.upSoft : soft.downSoft,
  });
  const priceOf = (candle: Candle) => ({ ...candle, time: timeOf(candle) });
  const setAll = (candles: readonly Candle[]): void => {
    all = candles;
    prices.setData(candles.map(priceOf));
    volumes.setData(candles.map(volumeOf));
  };
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    if (range !== null && range.from < nearStart) onNearStart();
  });
  return {
    setAll,
    setLast: (candle) => {
      prices.update(priceOf(candle));
      volumes.update(volumeOf(candle));
    },
    setColours: (next) => {
      soft = next;
      chart.applyOptions(lookOf(next));
      prices.applyOptions(candleLook(next));
      volumes.setData(all.map(volumeOf));
    },
    setLines: (wanted) => {
      for (const line of lines) prices.removePriceLine(line);
      lines = wanted.map(({ price, title, colour, isDashed }) =>
        prices.createPriceLine({
          price,
          title,
          color: colour,
          lineWidth: 1,
          lineStyle: isDashed ? LineStyle.Dashed : LineStyle.Solid,
          axisLabelVisible: true,
        }),
      );
    },
    remove: () => chart.remove(),
  };
}

const lookOf = ({ panel, text, line }: ChartColours) => ({
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
