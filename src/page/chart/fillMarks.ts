// Marks the account's fills on the candles: an arrow below the candle of a buy, and one above the
// candle of a sell. The library's own marks can do more, and would be 2.8 kB of the first visit.

import type { IChartApi, ISeriesApi, ISeriesPrimitive, UTCTimestamp } from 'lightweight-charts';
import type { Candle } from '../state/candleFeed.ts';
import type { ChartColours } from './priceChart.ts';

/** A fill of the account, as the chart marks it. */
export type ChartFill = { readonly time: number; readonly side: 'BUY' | 'SELL' };

type FillMarksOptions = {
  readonly chart: IChartApi;
  readonly series: ISeriesApi<'Candlestick'>;
  /** Oldest first. */
  readonly candles: () => readonly Candle[];
  readonly colours: () => ChartColours;
  /** Where a candle is on the axis of time. */
  readonly shownTime: (time: number) => UTCTimestamp;
};

/** One for each candle and side. */
type Mark = {
  /** The place of its candle, whose low and high may still move. */
  readonly at: number;
  readonly time: UTCTimestamp;
  readonly isBuy: boolean;
};

/** The right half of an arrow that points upwards, in pixels from its tip. */
const arrow = [
  [0, 0],
  [4, 5],
  [1, 5],
  [1, 10],
] as const;
/** Between the candle and the tip. */
const tipGap = 4;

/** Gives the way to mark other fills, or the same ones on other candles. */
export function createFillMarks(options: FillMarksOptions): (fills: readonly ChartFill[]) => void {
  let marks: readonly Mark[] = [];
  let redraw = (): void => {};
  const draw: Renderer['draw'] = (target) =>
    target.useMediaCoordinateSpace(({ context }) => {
      for (const mark of marks) drawMark(context, mark, options);
    });
  const views = [{ zOrder: () => 'top' as const, renderer: () => ({ draw }) }];
  options.series.attachPrimitive({
    attached: ({ requestUpdate }) => {
      redraw = requestUpdate;
    },
    paneViews: () => views,
  });
  return (fills) => {
    marks = marksOf(fills, options);
    redraw();
  };
}

type View = ReturnType<NonNullable<ISeriesPrimitive['paneViews']>>[number];
type Renderer = NonNullable<ReturnType<View['renderer']>>;

/** Fills before the first candle have no mark. */
function marksOf(fills: readonly ChartFill[], { candles, shownTime }: FillMarksOptions): Mark[] {
  const all = candles();
  const found = new Map<string, Mark>();
  for (const { time, side } of fills) {
    const at = all.findLastIndex((each) => each.time <= time);
    const candle = all[at];
    if (candle === undefined) continue;
    found.set(`${at} ${side}`, { at, time: shownTime(candle.time), isBuy: side === 'BUY' });
  }
  return [...found.values()];
}

function drawMark(pen: CanvasRenderingContext2D, mark: Mark, options: FillMarksOptions): void {
  const { chart, series, candles, colours } = options;
  const { at, time, isBuy } = mark;
  const candle = candles()[at];
  if (candle === undefined) return;
  const x = chart.timeScale().timeToCoordinate(time);
  const y = series.priceToCoordinate(isBuy ? candle.low : candle.high);
  if (x === null || y === null) return;
  const down = isBuy ? 1 : -1;
  pen.beginPath();
  for (const [right, far] of arrow) pen.lineTo(x + right, y + down * (tipGap + far));
  for (const [left, far] of arrow.toReversed()) pen.lineTo(x - left, y + down * (tipGap + far));
  pen.fillStyle = isBuy ? colours().up : colours().down;
  pen.fill();
}
