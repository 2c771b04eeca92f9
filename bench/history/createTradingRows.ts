// Rows as trading makes them, without an engine. Of eight rows four are orders (two new ones, and
// two that are written again when they end), two are fills, one is a trade, and one is of another
// table.

import type { HistoryPlace, HistoryRows } from '../../src/history/history.ts';
import type { FillRow, OrderRow, RowsByTable, TableName } from '../../src/history/rows.ts';
import { changingTables, tableNames } from '../../src/history/tables.ts';
import { createPrng } from '../../src/std/prng.ts';

/** Plain numbers and texts; their units do not matter here. */
type Plain<Row> = {
  -readonly [Column in keyof Row]: Row[Column] extends number
    ? number
    : Row[Column] extends boolean
      ? boolean
      : string;
};
type PlainRows = { [Name in TableName]: Plain<RowsByTable[Name]>[] } & {
  readonly changed: { readonly orders: Plain<OrderRow>[] };
};

export type TradingRows = {
  /** The next transaction: `steps` times eight rows, and the place after them. */
  readonly next: (steps: number) => {
    readonly rows: HistoryRows;
    readonly size: number;
    readonly to: HistoryPlace;
  };
};

export const rowsOfStep = 8;
const accounts = 5000;
const markets = 3;
const msOfStep = 5;
/** An order ends this many steps after it was placed. */
const stepsOfLife = 5000;

type Wait = { readonly order: Plain<OrderRow>; readonly fill: boolean };

/** The same seed gives the same rows. */
export function createTradingRows(seed: number): TradingRows {
  const prng = createPrng(seed);
  const waiting: Wait[] = [];
  const trades = new Array<number>(markets).fill(0);
  let time = 1_760_000_000_000;
  let id = 0;
  let ledger = 0;
  let amendments = 0;
  let position = 0;
  const placed = (): Plain<OrderRow> => {
    id += 1;
    return { ...order, id, account: 1 + prng.below(accounts), createdAt: time, updatedAt: time };
  };
  const step = (rows: PlainRows): void => {
    time += msOfStep;
    const market = prng.below(markets);
    const ticks = 600_000 + prng.below(10_000);
    const lots = 1 + prng.below(1000);
    const side = prng.below(2) * 2 - 1;
    const maker = { ...placed(), market, ticks, lots, open: lots, side };
    const taker = { ...placed(), market, ticks, lots, side: -side, open: 0, filled: lots };
    rows.orders.push(maker, { ...taker, status: 'FILLED', filledNotional: ticks * lots * 100 });
    waiting.push({ order: maker, fill: true }, { order: taker, fill: false });
    if (waiting.length > stepsOfLife * 2) {
      for (const { order: ended, fill } of waiting.splice(0, 2)) {
        const filled = fill ? ended.lots : ended.filled;
        const status = fill ? 'FILLED' : 'CANCELED';
        rows.changed.orders.push({ ...ended, status, open: 0, filled, updatedAt: time });
      }
    } else rows.orders.push(placed(), placed());
    const tradeId = ++trades[market]!;
    const trade = { market, tradeId, ticks, lots, time };
    rows.trades.push({ ...trade, takerSide: -side, liquidation: false, aggregateId: tradeId });
    for (const own of [maker, taker]) {
      const { account, id: number, createdAt: orderCreatedAt } = own;
      const fillSide = { maker: own === maker, side: own.side, order: number, orderCreatedAt };
      const notional = ticks * lots * 100;
      const pnl = tradeId % 3 === 0 ? prng.below(1_000_000) - 500_000 : 0;
      const described = { pnl, event: number, ledgerId: ledger + 1, balance: 1_000_000_000 + pnl };
      ledger += pnl === 0 ? 1 : 2;
      rows.fills.push({ ...fill, ...trade, ...fillSide, ...described, account, notional });
    }
    amendments += 1;
    const { account, createdAt: orderCreatedAt, clientOrderId } = maker;
    const before = { ticksBefore: ticks - 1, lotsBefore: lots };
    const amended = { order: maker.id, orderCreatedAt, clientOrderId, ...before };
    rows.amendments.push({ id: amendments, account, market, ...amended, ticks, lots, time });
  };
  return {
    next: (steps) => {
      const rows = {
        ...Object.fromEntries(tableNames.map((name) => [name, []])),
        changed: Object.fromEntries(changingTables.map((name) => [name, []])),
      } as unknown as PlainRows;
      for (let i = 0; i < steps; i += 1) step(rows);
      position += 1;
      const counters = { ledger, amendments, aggregates: [] };
      const hash = position.toString(16).padStart(64, '0');
      const to = { position, hash, time, counters };
      return { rows: rows as unknown as HistoryRows, size: steps * rowsOfStep, to };
    },
  };
}

const order: Plain<OrderRow> = {
  id: 0,
  account: 0,
  market: 0,
  side: 1,
  type: 'LIMIT',
  timeInForce: 'GTC',
  reduceOnly: false,
  selfTradeMode: 'EXPIRE_MAKER',
  workingType: 'CONTRACT_PRICE',
  priceProtect: false,
  origin: 'account',
  trigger: 0,
  clientOrderId: '',
  createdAt: 0,
  markAtCreation: 600_000,
  ticks: 600_000,
  lots: 1,
  leverage: 20,
  status: 'NEW',
  cancelReason: 'NONE',
  updatedAt: 0,
  open: 1,
  filled: 0,
  filledNotional: 0,
  takeProfitId: 0,
  stopLossId: 0,
};

const fill: Plain<FillRow> = {
  account: 0,
  market: 0,
  tradeId: 0,
  maker: false,
  kind: 'trade',
  side: 1,
  order: 0,
  orderCreatedAt: 0,
  orderType: 'LIMIT',
  markAtCreation: 600_000,
  ticks: 0,
  lots: 0,
  notional: 0,
  pnl: 0,
  fee: 1234,
  position: 100,
  event: 0,
  ledgerId: 0,
  balance: 0,
  time: 0,
};
