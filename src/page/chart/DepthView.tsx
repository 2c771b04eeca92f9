// The depth of the book: how much rests up to each price, both sides of the middle.

import { useEffect, useRef } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import type { Market } from '../state/market.ts';
import { chartColours } from './chartColours.ts';
import { chartViewMessages } from './chartViewMessages.ts';
import { drawDepth } from './drawDepth.ts';

export function DepthView({ market }: { market: Market }) {
  const { feed, preferences } = usePage();
  const canvas = useRef<HTMLCanvasElement>(null);
  const open = feed.value;
  const look = `${preferences.theme.value} ${preferences.palette.value}`;
  const unit = preferences.sizeUnit.value;
  useEffect(() => {
    const place = canvas.current;
    if (place === null || open === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pointer: number | undefined;
    const draw = (): void => {
      timer = undefined;
      const colours = chartColours(document.documentElement);
      drawDepth(place, { book: open.book, market: open.market, colours, pointer, unit });
    };
    const soon = (): void => {
      timer ??= setTimeout(draw, drawMs);
    };
    const sizes = new ResizeObserver(draw);
    sizes.observe(place);
    const stop = open.onBook(soon);
    const point = (event: PointerEvent): void => {
      pointer = event.type === 'pointerleave' ? undefined : event.offsetX;
      soon();
    };
    place.addEventListener('pointermove', point);
    place.addEventListener('pointerleave', point);
    return () => {
      sizes.disconnect();
      stop();
      clearTimeout(timer);
      place.removeEventListener('pointermove', point);
      place.removeEventListener('pointerleave', point);
    };
  }, [open, look, unit]);
  return (
    <canvas
      class="chart-place chart-canvas"
      ref={canvas}
      role="img"
      aria-label={chartViewMessages().depthPicture(market.symbol)}
    />
  );
}

/** The eye sees no more of it, and the book changes many times a second. */
const drawMs = 250;
