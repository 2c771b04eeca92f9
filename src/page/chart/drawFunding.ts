// Draws settled funding as columns. Numbers here are for pixels alone.

import { createChart, HistogramSeries, type UTCTimestamp } from 'lightweight-charts';
import { followSize } from './followSize.ts';
import { type ChartColours, lookOf } from './priceChart.ts';

type Funding = {
  readonly colours: ChartColours;
  /** Seconds of the shown clock, and percent; oldest first. */
  readonly columns: readonly { readonly time: number; readonly value: number }[];
};

/** Returns the way to remove it. */
export function drawFunding(place: HTMLElement, { colours, columns }: Funding): () => void {
  const chart = createChart(place, {
    ...lookOf(colours),
    rightPriceScale: { borderVisible: false },
    timeScale: { borderVisible: false, timeVisible: true },
  });
  const series = chart.addSeries(HistogramSeries, {
    priceFormat: { type: 'custom', minMove: 0.0001, formatter: (value: number) => percent(value) },
    priceLineVisible: false,
  });
  series.setData(
    columns.map(({ time, value }) => ({
      time: time as UTCTimestamp,
      value,
      color: value < 0 ? colours.down : colours.up,
    })),
  );
  place.querySelector('table')?.setAttribute('role', 'presentation');
  const stopSizes = followSize(place, ({ width, height }) => {
    chart.resize(width, height);
    chart.timeScale().fitContent();
  });
  return () => {
    stopSizes();
    chart.remove();
  };
}

const percent = (value: number): string => `${value.toFixed(4)}%`;
