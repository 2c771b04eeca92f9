// The last trades of the market, newest above. The rows stay; their texts are written anew.

import { useEffect, useRef } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import type { TradeRow } from '../state/followTrades.ts';
import { plainText, rescaled, stepsOf } from '../state/grid.ts';
import { cut, grouping } from '../state/grouping.ts';
import { notionalOf } from '../state/market.ts';
import type { MarketFeed } from '../state/marketFeed.ts';
import { timeText } from '../state/timeText.ts';
import { bookMessages } from './bookMessages.ts';
import { el } from './el.ts';

export function TradeList() {
  const { feed, preferences } = usePage();
  const text = bookMessages();
  const open = feed.value;
  const unit = preferences.sizeUnit.value === 'base' ? (open?.market.base ?? '') : 'USDT';
  return (
    <section class="panel trades" aria-label={text.trades}>
      <div class="panel-head">
        <h2>{text.trades}</h2>
      </div>
      <div class="trade-head" aria-hidden="true">
        <span>{text.price}</span>
        <span>{text.size(unit)}</span>
        <span>{text.time}</span>
      </div>
      {open !== undefined && <Rows key={open.market.symbol} feed={open} />}
    </section>
  );
}

const rowHeight = 20;
const moneyDecimals = 6;

function Rows({ feed }: { feed: MarketFeed }) {
  const { preferences } = usePage();
  const box = useRef<HTMLDivElement>(null);
  const unit = preferences.sizeUnit.value;
  const clock = preferences.clock.value;
  useEffect(() => {
    const place = box.current;
    if (place === null) return;
    const { market } = feed;
    const views: RowView[] = [];
    let frame = 0;
    let count = 0;
    const sizeOf = ({ price, qty }: TradeRow): string => {
      if (unit === 'base') return grouping(qty);
      const money = notionalOf(market, stepsOf(price, market.tick), stepsOf(qty, market.lot));
      return grouping(plainText(rescaled(money, moneyDecimals, 0), 0));
    };
    const draw = (): void => {
      cancelAnimationFrame(frame);
      frame = 0;
      while (views.length < Math.min(count, feed.trades.length)) views.push(addRow(place));
      for (const { element } of views.splice(count)) element.remove();
      views.forEach((view, at) => {
        const trade = feed.trades[at];
        if (trade === undefined || view.shown === trade) return;
        view.shown = trade;
        if (view.side !== trade.taker_side) {
          view.side = trade.taker_side;
          view.element.dataset.side = trade.taker_side;
        }
        write(view.price, cut(trade.price, market.tick.decimals));
        write(view.size, sizeOf(trade));
        write(view.time, timeText(trade.time, clock));
      });
    };
    const later = (): void => {
      if (frame === 0) frame = requestAnimationFrame(draw);
    };
    // The height comes with the change: to ask for it would cost a layout at each drawing.
    const sizes = new ResizeObserver((entries) => {
      count = Math.floor(entries.at(-1)!.contentRect.height / rowHeight);
      later();
    });
    sizes.observe(place);
    const stop = feed.onTrades(draw);
    return () => {
      sizes.disconnect();
      stop();
      cancelAnimationFrame(frame);
      place.replaceChildren();
    };
  }, [feed, unit, clock]);
  return <div class="trade-list" ref={box} />;
}

type RowView = {
  readonly element: HTMLElement;
  readonly price: Text;
  readonly size: Text;
  readonly time: Text;
  side: TradeRow['taker_side'] | undefined;
  shown: TradeRow | undefined;
};

/** A text that is written is shaped and laid out anew, even when it is the same. */
function write(place: Text, text: string): void {
  if (place.data !== text) place.data = text;
}

function addRow(place: HTMLElement): RowView {
  const element = el('div', 'trade-row');
  const [price, size, time] = [new Text(), new Text(), new Text()];
  for (const text of [price, size, time]) {
    const cell = el('span', '');
    cell.append(text);
    element.append(cell);
  }
  place.append(element);
  return { element, price, size, time, side: undefined, shown: undefined };
}
