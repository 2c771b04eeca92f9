// The lines of the chart: orders, triggers, the position and its liquidation price on one market,
// with what can be done to each by hand.

import { tradingMessages } from '../messages/tradingMessages.ts';
import type { Order, Position, Trigger } from '../state/account.ts';
import { isShort } from '../state/closePosition.ts';
import { positionFigures } from '../state/figures.ts';
import { grouping, signed } from '../state/grouping.ts';
import type { Market } from '../state/market.ts';
import type { Page } from '../state/page.ts';
import { chartMessages } from './chartMessages.ts';
import type { ChartLine, TagAct } from './lineTags.ts';
import type { ChartColours } from './priceChart.ts';

/** What a person did to a line; the chart asks before it is done. */
export type ChartAct =
  | { readonly kind: 'moveOrder'; readonly order: Order; readonly ticks: bigint }
  | { readonly kind: 'moveTrigger'; readonly trigger: Trigger; readonly ticks: bigint }
  | { readonly kind: 'removeOrder'; readonly order: Order }
  | { readonly kind: 'removeTrigger'; readonly trigger: Trigger }
  | { readonly kind: 'takeProfit' | 'stopLoss'; readonly ticks: bigint }
  | { readonly kind: 'protect' };

type ChartLinesOptions = {
  readonly market: Market;
  readonly colours: ChartColours;
  readonly onAct: (act: ChartAct) => void;
};

export function chartLines(page: Page, options: ChartLinesOptions): ChartLine[] {
  const { account } = page;
  const { symbol } = options.market;
  const orders = [...account.orders.value.values()].filter((each) => each.symbol === symbol);
  const triggers = [...account.triggers.value.values()].filter((each) => each.symbol === symbol);
  return [
    ...positionLines(page, options),
    ...mergedLines(orders, options),
    ...triggers.map((trigger) => triggerLine(trigger, options)),
  ];
}

function positionLines(page: Page, { market, colours, onAct }: ChartLinesOptions) {
  const position = page.account.positions.value.get(market.symbol);
  if (position === undefined) return [];
  const { entry_price, position_amt, liquidation_price } = position;
  const text = chartMessages();
  const title = `${grouping(position_amt)} ${market.base}`;
  const leg = (kind: 'takeProfit' | 'stopLoss', shown: string): TagAct => ({
    name: text.legOf[kind],
    shown,
    act: () => onAct({ kind: 'protect' }),
    drop: (ticks) => onAct({ kind, ticks }),
  });
  const lines: ChartLine[] = [
    {
      id: 'position',
      price: Number(entry_price),
      title,
      name: `${text.position} ${title}`,
      colour: isShort(position) ? colours.down : colours.up,
      isDashed: false,
      note: profitNote(page, market, position),
      acts: [leg('takeProfit', 'TP'), leg('stopLoss', 'SL')],
    },
  ];
  // "0" means that no price liquidates it.
  if (Number(liquidation_price) > 0) {
    lines.push({
      id: 'liquidation',
      price: Number(liquidation_price),
      title: text.liquidation,
      name: text.liquidation,
      colour: colours.text,
      isDashed: true,
      acts: [],
    });
  }
  return lines;
}

/** The profit at the newest mark, as the table of positions has it. */
function profitNote({ tickers }: Page, market: Market, position: Position) {
  const mark = tickers.of(market.symbol).value?.mark_price ?? position.mark_price;
  const { profit } = positionFigures(position, market, mark);
  const tone = profit === 0n ? '' : profit > 0n ? 'up' : 'down';
  return { text: signed(profit / centsPerMoney, 2), tone };
}

const centsPerMoney = 10_000n;

/** Orders at one price are one line, which cannot be moved. */
function mergedLines(orders: readonly Order[], { colours, onAct }: ChartLinesOptions): ChartLine[] {
  const text = chartMessages();
  const { sides } = tradingMessages();
  const groups = new Map<string, Order[]>();
  for (const order of orders) {
    const key = `${order.side} ${order.price}`;
    groups.set(key, [...(groups.get(key) ?? []), order]);
  }
  return Array.from(groups, ([key, group]): ChartLine => {
    const [order] = group as [Order];
    const { side, price, orig_qty, order_id } = order;
    const isAlone = group.length === 1;
    const title = isAlone ? `${sides[side]} ${orig_qty}` : `${sides[side]} ×${group.length}`;
    return {
      // An order that takes the place of an equal one is another: its acts are about it.
      id: isAlone ? `order ${order_id}` : key,
      price: Number(price),
      title,
      name: text.handle(title, grouping(price)),
      colour: side === 'BUY' ? colours.up : colours.down,
      isDashed: true,
      ...(isAlone ? { move: (ticks: bigint) => onAct({ kind: 'moveOrder', order, ticks }) } : {}),
      acts: isAlone
        ? [{ name: text.remove, shown: '×', act: () => onAct({ kind: 'removeOrder', order }) }]
        : [],
    };
  });
}

function triggerLine(trigger: Trigger, { colours, onAct }: ChartLinesOptions): ChartLine {
  const text = chartMessages();
  const { order_type: type, side, trigger_price, algo_id } = trigger;
  const title = `${text.short[type]} ${tradingMessages().sides[side]}${sizeOf(trigger)}`;
  const trails = type === 'TRAILING_STOP_MARKET';
  return {
    id: algo_id,
    price: Number(trigger_price),
    title,
    name: text.handle(title, grouping(trigger_price)),
    colour: side === 'BUY' ? colours.up : colours.down,
    isDashed: true,
    // A trailing stop follows the mark by itself.
    ...(trails ? {} : { move: (ticks: bigint) => onAct({ kind: 'moveTrigger', trigger, ticks }) }),
    acts: [{ name: text.remove, shown: '×', act: () => onAct({ kind: 'removeTrigger', trigger }) }],
  };
}

/** Empty for what closes the whole position, and for a leg that is pending. */
function sizeOf({ quantity, close_position, pair_id, parent_id }: Trigger): string {
  const ofPosition = close_position || (pair_id !== undefined && parent_id === undefined);
  return ofPosition || Number(quantity) === 0 ? '' : ` ${quantity}`;
}
