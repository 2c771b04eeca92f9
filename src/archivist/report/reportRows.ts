// The rows of the keeper's reports (KPR-2): which event of a batch makes which row, as canonical
// text. They are a pure function of the log. What a stretch is, and its digest, is elsewhere.

import type { Event } from '../../engine/event.ts';
import type { Fill } from '../../engine/fill.ts';
import { insuranceAccount } from '../../engine/marginModes.ts';
import { buy, type Side } from '../../engine/orderTypes.ts';
import { balanceOf } from '../../engine/views/account.ts';
import { accountById, type Exchange, marketById } from '../../engine/views/exchange.ts';
import { ledgerRowsOf } from '../../history/ledgerRowsOf.ts';
import type { ReplicaState } from '../../replica/replicaState.ts';
import type { AccountId, MarketId } from '../../units/units.ts';

type Value = string | number | null;
type Members = Readonly<Record<string, Value>>;

export type ReportRows = {
  /** Receives the rows of a step; the state is the one after it. */
  readonly take: (events: readonly Event[]) => void;
  /** To be called after every batch. */
  readonly endBatch: () => void;
};

export type RowTaker = (row: string, position: number) => void;

/**
 * Makes rows of what the state goes through from now on. A batch that has changed the insurance
 * fund or the shortfall ends with a row of both, so that the rows of any stretch explain them.
 */
export function createReportRows(state: Readonly<ReplicaState>, onRow: RowTaker): ReportRows {
  let before = totalsOf(state.exchange);
  const add = (members: Members): void => {
    const { position, time } = state;
    onRow(JSON.stringify({ batch: position, time, ...members }), position);
  };
  return {
    take: (events) => {
      for (const event of events) addEvent(state.exchange, event, add);
    },
    endBatch: () => {
      const after = totalsOf(state.exchange);
      const isSame = after.fund === before.fund && after.shortfall === before.shortfall;
      before = after;
      if (!isSame) add({ kind: 'totals', ...after });
    },
  };
}

function totalsOf(exchange: Exchange): { readonly fund: number; readonly shortfall: number } {
  const fund = accountById(exchange, insuranceAccount)!;
  return { fund: balanceOf(fund), shortfall: exchange.funds.shortfall };
}

type Add = (members: Members) => void;

function addEvent(exchange: Exchange, event: Event, add: Add): void {
  const members = membersOf(exchange, event);
  if (members !== undefined) add(members);
  if (!concernsFund(event)) return;
  for (const { account, kind, market, amount, reference } of ledgerRowsOf(event)) {
    if (account !== insuranceAccount) continue;
    const place = { cause: kind, market: symbolOf(exchange, market), amount };
    add({ kind: 'fund', ...place, ...(reference !== '' && { reference }) });
  }
}

/** Whether the event may be a row of the fund's ledger: most trades and fundings are none. */
function concernsFund(event: Event): boolean {
  switch (event.kind) {
    case 'traded':
      return event.taker.account === insuranceAccount || event.maker.account === insuranceAccount;
    case 'takenOver':
    case 'deleveraged':
    case 'liquidationFeePaid':
    case 'lossCovered':
    case 'fundingCovered':
    case 'feesShared':
    case 'insuranceCredited':
      return true;
    default:
      return 'account' in event && event.account === insuranceAccount;
  }
}

const symbolOf = (exchange: Exchange, market: MarketId | undefined): string | null =>
  market === undefined ? null : (marketById(exchange, market)?.symbol ?? null);

const walletOf = (exchange: Exchange, account: AccountId): string | null =>
  accountById(exchange, account)?.address ?? null;

const sideOf = (exchange: Exchange, { account, pnl, fee }: Fill, name: string): Members => ({
  [name]: walletOf(exchange, account),
  [`${name}_pnl`]: pnl,
  [`${name}_fee`]: fee,
});

/** The row of an event of a liquidation; money in units of 1e-6, prices in ticks, sizes in lots. */
function membersOf(exchange: Exchange, event: Event): Members | undefined {
  switch (event.kind) {
    case 'liquidationFlagged': {
      const { account, market, flagged, equity, maintenance } = event;
      const kind = flagged ? 'liquidation_begun' : 'liquidation_ended';
      return { kind, ...whose(exchange, { account, market }), equity, maintenance };
    }
    case 'traded': {
      if (!event.liquidation) return undefined;
      const { takerSide: side, taker, maker } = event;
      const sides = { ...sideOf(exchange, taker, 'account'), ...sideOf(exchange, maker, 'maker') };
      return { kind: 'liquidation_trade', ...closeOf(exchange, { ...event, side }), ...sides };
    }
    case 'takenOver': {
      const { account, fund } = event;
      const sides = { ...sideOf(exchange, account, 'account'), fund_pnl: fund.pnl };
      return { kind: 'takeover', ...closeOf(exchange, event), ...sides };
    }
    case 'deleveraged': {
      const { cause, mark, bankrupt, counterparty } = event;
      const close = { cause, ...closeOf(exchange, event), mark };
      const sides = { ...sideOf(exchange, bankrupt, 'account') };
      const other = sideOf(exchange, counterparty, 'counterparty');
      return { kind: 'deleveraging', ...close, ...sides, ...other };
    }
    case 'profitShared':
    case 'liquidationFeePaid':
    case 'fundingCovered': {
      const { amount } = event;
      return { kind: kindsOfAmounts[event.kind], ...whose(exchange, event), amount };
    }
    case 'lossCovered': {
      const { fund, shared, shortfall } = event;
      return { kind: 'loss_covered', ...whose(exchange, event), fund, shared, shortfall };
    }
    default:
      return undefined;
  }
}

const kindsOfAmounts = {
  profitShared: 'profit_shared',
  liquidationFeePaid: 'liquidation_fee',
  fundingCovered: 'funding_covered',
};

type Whose = { readonly account: AccountId; readonly market: MarketId | undefined };

const whose = (exchange: Exchange, { account, market }: Whose): Members => ({
  market: symbolOf(exchange, market),
  account: walletOf(exchange, account),
});

type Close = {
  readonly market: MarketId;
  readonly tradeId: number;
  readonly side: Side;
  readonly ticks: number;
  readonly lots: number;
};

const closeOf = (exchange: Exchange, { market, tradeId, side, ticks, lots }: Close): Members => ({
  ...{ market: symbolOf(exchange, market), trade: tradeId },
  ...{ side: side === buy ? 'BUY' : 'SELL', ticks, lots },
});
