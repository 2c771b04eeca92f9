// The candle under the pointer in numbers, above the chart while the pointer is there.

import type { CandlestickData, IChartApi, ISeriesApi } from 'lightweight-charts';
import { grouping } from '../state/grouping.ts';
import { chartMessages } from './chartMessages.ts';

type CandleLegendOptions = {
  readonly chart: IChartApi;
  readonly series: ISeriesApi<'Candlestick'>;
  /** Where it stands. */
  readonly tags: HTMLElement;
  readonly decimals: number;
};

const hundred = 100;

/** Gives the way to end it. */
export function createCandleLegend(options: CandleLegendOptions): () => void {
  const { chart, series, tags, decimals } = options;
  const legend = document.createElement('p');
  legend.hidden = true;
  // It names what the picture shows; people who hear the page have the prices elsewhere.
  legend.ariaHidden = 'true';
  tags.append(legend);
  chart.subscribeCrosshairMove(({ seriesData }) => {
    const candle = seriesData.get(series) as CandlestickData | undefined;
    legend.hidden = candle === undefined;
    if (candle === undefined) return;
    const { open, high, low, close } = candle;
    const price = (value: number): string => grouping(value.toFixed(decimals));
    const change = (close / open - 1) * hundred;
    legend.className = `chart-legend ${close >= open ? 'up' : 'down'}`;
    legend.textContent = chartMessages().candle(
      [open, high, low, close].map(price),
      `${change > 0 ? '+' : ''}${change.toFixed(2)}%`,
    );
  });
  return () => legend.remove();
}
