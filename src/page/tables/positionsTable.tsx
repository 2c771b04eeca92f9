// The open positions, each with its profit at the newest mark.

import type { Column } from '../components/Table.tsx';
import { generalMessages } from '../messages/generalMessages.ts';
import { Changeable, PositionActs } from '../positions/PositionActs.tsx';
import { positionMessages } from '../positions/positionMessages.ts';
import type { Position, Trigger } from '../state/account.ts';
import { isShort } from '../state/closePosition.ts';
import { rankKey } from '../state/deleveragingRanks.ts';
import { type PositionFigures, positionFigures } from '../state/figures.ts';
import { plainText, scaledOf } from '../state/grid.ts';
import { cut, grouping, ratioPercent, signed, trimmed } from '../state/grouping.ts';
import { marginRatioTone } from '../state/marginRatioTone.ts';
import type { Market } from '../state/market.ts';
import type { Page } from '../state/page.ts';
import { hasLegsOfOrders, protectionOf } from '../state/protectPosition.ts';
import { accountTable } from './accountTable.tsx';
import { DeleveragingRank } from './DeleveragingRank.tsx';
import { MarketCell } from './MarketCell.tsx';
import { tableMessages } from './tableMessages.ts';

type Row = {
  readonly position: Position;
  readonly market: Market | undefined;
  readonly mark: string;
  readonly figures: PositionFigures | undefined;
  /** From 0 to 4, which is closed first; undefined: not known. */
  readonly rank: number | undefined;
};

function rowOf({ markets, tickers, deleveragingRanks }: Page, position: Position): Row {
  const market = markets.value.find(({ symbol }) => symbol === position.symbol);
  const mark = tickers.of(position.symbol).value?.mark_price ?? position.mark_price;
  const figures = market && positionFigures(position, market, mark);
  const rank = deleveragingRanks.value.get(rankKey(position));
  return { position, market, mark, figures, rank };
}

const price = ({ market }: Row, value: string): string => cut(value, market?.tick.decimals ?? 2);

const columns: readonly Column<Row>[] = [
  {
    id: 'market',
    title: () => tableMessages().market,
    cell: ({ position }) => (
      <MarketCell symbol={position.symbol} side={isShort(position) ? 'SELL' : 'BUY'}>
        {position.leverage}x
      </MarketCell>
    ),
    plain: ({ position }) => position.symbol,
  },
  {
    id: 'size',
    title: () => tableMessages().size,
    isNumber: true,
    cell: ({ position, market }) => (
      <span class={isShort(position) ? 'down' : 'up'}>
        {grouping(position.position_amt)} {market?.base}
      </span>
    ),
    plain: ({ position }) => position.position_amt,
  },
  {
    id: 'value',
    title: () => tableMessages().value,
    isNumber: true,
    cell: ({ figures, position }) =>
      cut(figures === undefined ? position.notional : plainText(figures.notional, 6), 2),
    plain: ({ position }) => position.notional,
  },
  {
    id: 'entry',
    title: () => tableMessages().entry,
    isNumber: true,
    cell: (row) => price(row, row.position.entry_price),
    plain: ({ position }) => position.entry_price,
  },
  {
    id: 'mark',
    title: () => tableMessages().mark,
    isNumber: true,
    cell: (row) => price(row, row.mark),
    plain: ({ mark }) => mark,
  },
  {
    id: 'profit',
    title: () => tableMessages().profit,
    isNumber: true,
    cell: (row) => <Profit row={row} />,
    plain: ({ figures, position }) =>
      figures === undefined ? position.un_realized_profit : trimmed(plainText(figures.profit, 6)),
  },
  {
    id: 'liquidation',
    title: () => tableMessages().liquidation,
    isNumber: true,
    // "0" means that no price liquidates it.
    cell: (row) =>
      scaledOf(row.position.liquidation_price, 8) === 0n ? (
        <span class="muted" title={generalMessages().neverLiquidatedWhy}>
          {generalMessages().neverLiquidated}
        </span>
      ) : (
        <span class="warn">{price(row, row.position.liquidation_price)}</span>
      ),
    plain: ({ position }) => position.liquidation_price,
  },
  {
    id: 'margin',
    title: () => tableMessages().margin,
    isNumber: true,
    cell: (row) => <Margin {...row} />,
    plain: ({ position }) => position.collateral,
  },
  {
    id: 'ratio',
    title: () => tableMessages().marginRatio,
    isNumber: true,
    cell: ({ position: { margin_ratio: ratio } }) => (
      <span class={marginRatioTone(ratio)}>{ratioPercent(ratio)}</span>
    ),
    plain: ({ position }) => position.margin_ratio,
  },
  {
    id: 'rank',
    title: () => tableMessages().rank,
    cell: ({ rank }) => <DeleveragingRank rank={rank} />,
    plain: ({ rank }) => (rank === undefined ? '' : String(rank + 1)),
  },
  {
    id: 'protection',
    title: () => positionMessages().protection,
    cell: (row, page) => (
      <Changeable act="protect" position={row.position} market={row.market}>
        <Protected row={row} page={page} />
      </Changeable>
    ),
  },
  {
    id: 'acts',
    title: () => tableMessages().acts,
    isNumber: true,
    isStuck: true,
    cell: ({ position, market }) => <PositionActs position={position} market={market} />,
  },
];

/** Only that of an isolated position can be moved (MAR-7). */
function Margin({ position, market }: Row) {
  const shown = cut(position.collateral, 2);
  if (position.margin_mode !== 'isolated') return <>{shown}</>;
  return (
    <Changeable act="collateral" position={position} market={market}>
      {shown}
    </Changeable>
  );
}

/** The prices at which take-profit and stop-loss of the position fire. */
function Protected({ row, page }: { row: Row; page: Page }) {
  const { takeProfit, stopLoss } = protectionOf(page.account, row.position.symbol);
  if (takeProfit === undefined && stopLoss === undefined) {
    const { byOrders, byOrdersHint } = positionMessages();
    return hasLegsOfOrders(page.account, row.position.symbol) ? (
      <span title={byOrdersHint}>{byOrders}</span>
    ) : (
      <span class="muted">–</span>
    );
  }
  const shown = (leg: Trigger | undefined): string =>
    leg === undefined ? '–' : price(row, leg.trigger_price);
  return (
    <span class="protection">
      <span class="up">{shown(takeProfit)}</span>
      <span class="hidden-text"> / </span>
      <span class="down">{shown(stopLoss)}</span>
    </span>
  );
}

const centsPerMoney = 10_000n;

function Profit({ row: { figures, position } }: { row: Row }) {
  const profit = figures?.profit ?? scaledOf(position.un_realized_profit, 6);
  const part = figures?.returnBps;
  return (
    <span class={profit === 0n ? '' : profit > 0n ? 'up' : 'down'}>
      {signed(profit / centsPerMoney, 2)}
      {part !== undefined && ` (${signed(part, 2)}%)`}
    </span>
  );
}

export const positionsTable = accountTable<Row>({
  id: 'positions',
  title: () => tableMessages().positions,
  columns,
  rowsOf: (page) => [...page.account.positions.value.values()].map((each) => rowOf(page, each)),
  keyOf: ({ position }) => position.symbol,
  symbolOf: ({ position }) => position.symbol,
  empty: () => tableMessages().noPositions,
  isCounted: true,
  hasCards: true,
});
