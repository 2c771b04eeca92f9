// Draws the depth of a book on a canvas. Numbers here are for pixels alone.

import type { Book, BookSide } from '../../client/book.ts';
import { compact, grouping } from '../state/grouping.ts';
import type { Market } from '../state/market.ts';
import type { ChartColours } from './priceChart.ts';

type Depth = {
  readonly book: Book;
  readonly market: Market;
  readonly colours: ChartColours;
  /** Where the pointer is, in pixels from the left. */
  readonly pointer: number | undefined;
  readonly unit: 'base' | 'quote';
};

/** Levels farther from the middle are left out. */
const distanceMost = 0.1;
const axisHeight = 22;
const headRoom = 1.15;
const marksAtBottom = 5;

/** Price in ticks, and the lots from the best price to it. */
type Point = { readonly ticks: number; readonly sum: number };

function pointsOf(side: BookSide, isBid: boolean, bound: number): Point[] {
  const ticks = isBid ? side.ticks.toReversed() : side.ticks;
  const points: Point[] = [];
  let sum = 0;
  for (const each of ticks) {
    if (isBid ? each < bound : each > bound) break;
    sum += side.lots.get(each) ?? 0;
    points.push({ ticks: each, sum });
  }
  return points;
}

export function drawDepth(canvas: HTMLCanvasElement, depth: Depth): void {
  const { book, colours } = depth;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const pen = canvas.getContext('2d');
  const [bid, ask] = [book.bids.ticks.at(-1), book.asks.ticks[0]];
  if (pen === null || bid === undefined || ask === undefined) return;
  pen.scale(scale, scale);
  pen.font = '11px system-ui, sans-serif';
  const middle = (bid + ask) / 2;
  const reach = Math.min(
    middle * distanceMost,
    Math.max(middle - book.bids.ticks[0]!, book.asks.ticks.at(-1)! - middle),
  );
  const bids = pointsOf(book.bids, true, middle - reach);
  const asks = pointsOf(book.asks, false, middle + reach);
  const most = Math.max(bids.at(-1)?.sum ?? 1, asks.at(-1)?.sum ?? 1) * headRoom;
  const bottom = height - axisHeight;
  const place = {
    x: (ticks: number): number => ((ticks - middle + reach) / (2 * reach)) * width,
    y: (sum: number): number => bottom - (sum / most) * bottom,
    edge: (isBid: boolean): number => (isBid ? 0 : width),
    bottom,
  };
  drawSide(pen, bids, { ...place, end: place.edge(true), fill: colours.upSoft, line: colours.up });
  drawSide(pen, asks, {
    ...place,
    end: place.edge(false),
    fill: colours.downSoft,
    line: colours.down,
  });
  pen.fillStyle = colours.text;
  pen.textAlign = 'center';
  for (let mark = 1; mark < marksAtBottom; mark += 1) {
    const part = mark / marksAtBottom;
    const ticks = Math.round(middle - reach + 2 * reach * part);
    pen.fillText(priceText(ticks, depth), width * part, height - 7);
  }
  if (depth.pointer !== undefined) {
    const ticks = middle - reach + (depth.pointer / width) * 2 * reach;
    const found = (ticks < middle ? bids : asks).findLast((point) =>
      ticks < middle ? point.ticks >= ticks : point.ticks <= ticks,
    );
    if (found !== undefined) drawPointer(pen, found, { depth, width, ...place });
  }
}

type Place = {
  readonly x: (ticks: number) => number;
  readonly y: (sum: number) => number;
  readonly bottom: number;
};

type SidePlace = Place & { readonly end: number; readonly fill: string; readonly line: string };

/** Steps: a sum counts from its price on to the next one. */
function drawSide(pen: CanvasRenderingContext2D, points: readonly Point[], place: SidePlace): void {
  const { x, y, bottom, end, fill, line } = place;
  const [first] = points;
  if (first === undefined) return;
  const path = new Path2D();
  path.moveTo(x(first.ticks), bottom);
  let before = bottom;
  for (const { ticks, sum } of points) {
    path.lineTo(x(ticks), before);
    before = y(sum);
    path.lineTo(x(ticks), before);
  }
  path.lineTo(end, before);
  pen.strokeStyle = line;
  pen.lineWidth = 1.5;
  pen.stroke(path);
  path.lineTo(end, bottom);
  path.closePath();
  pen.fillStyle = fill;
  pen.fill(path);
}

type PointerPlace = Place & { readonly depth: Depth; readonly width: number };

function drawPointer(pen: CanvasRenderingContext2D, point: Point, place: PointerPlace): void {
  const { x, y, bottom, depth, width } = place;
  const [left, top] = [x(point.ticks), y(point.sum)];
  pen.strokeStyle = depth.colours.text;
  pen.lineWidth = 1;
  pen.setLineDash([3, 3]);
  pen.beginPath();
  pen.moveTo(left, top);
  pen.lineTo(left, bottom);
  pen.stroke();
  pen.setLineDash([]);
  pen.textAlign = left > width / 2 ? 'right' : 'left';
  const text = `${priceText(point.ticks, depth)}: ${sumText(point, depth)}`;
  pen.fillText(text, left + (left > width / 2 ? -6 : 6), Math.max(14, top - 8));
}

const priceText = (ticks: number, { market: { tick } }: Depth): string =>
  grouping(((ticks * tick.step) / 10 ** tick.decimals).toFixed(tick.decimals));

/** USDT at this price, or base units. */
function sumText({ ticks, sum }: Point, { market, unit }: Depth): string {
  const { lot, grain, base } = market;
  if (unit === 'quote') {
    return `${compact(String(Math.round((ticks * sum * Number(grain)) / 1e6)))} USDT`;
  }
  return `${grouping(((sum * lot.step) / 10 ** lot.decimals).toFixed(lot.decimals))} ${base}`;
}
