// An account's order, position and balance as its socket channel shows them (WS-2): the records of
// NAT-1, without what only a moving mark or the archivist could say.

import { type Static, Type } from 'typebox';
import { type Account, isFlagged, marginModes } from '../../engine/account.ts';
import type { Exchange } from '../../engine/exchange.ts';
import type { Order } from '../../engine/order.ts';
import type { Position } from '../../engine/position.ts';
import { accountFigures } from '../../engine/views/accountFigures.ts';
import { entryPriceText } from '../../engine/views/entryPriceText.ts';
import { positionFigures } from '../../engine/views/positionFigures.ts';
import { must } from '../../std/assert.ts';
import type { MarketId } from '../../units/units.ts';
import { fapiReasonText } from '../errors/failureAnswer.ts';
import { collateralAsset } from '../fapi/collateralAsset.ts';
import { moneyText, priceText, quantityText } from '../grid.ts';
import { orderRecordSchema, orderRecordText } from '../orderRecord.ts';
import { snakeAnswer, snakeSchema } from './snakeCase.ts';

const text = Type.String();

export const accountOrderSchema = snakeSchema(orderRecordSchema);

export const accountPositionSchema = Type.Object({
  symbol: text,
  position_amt: Type.String({ description: 'Signed; "0" when it has just been closed.' }),
  entry_price: text,
  break_even_price: text,
  mark_price: text,
  un_realized_profit: text,
  liquidation_price: text,
  leverage: text,
  margin_type: Type.Literal('cross'),
  isolated_margin: text,
  isolated_wallet: text,
  position_side: Type.Enum(['LONG', 'SHORT', 'BOTH']),
  notional: text,
  maint_margin: text,
  margin_mode: Type.Enum([...marginModes]),
  collateral: text,
  uncovered: text,
  flagged: Type.Boolean(),
  update_time: Type.Integer(),
});

export const accountBalanceSchema = Type.Object({
  account_alias: Type.Literal('default'),
  asset: text,
  balance: text,
  cross_wallet_balance: text,
  cross_un_pnl: text,
  available_balance: text,
  max_withdraw_amount: text,
  margin_available: Type.Boolean(),
  frozen: text,
  margin_mode: Type.Enum([...marginModes]),
  uncovered: text,
  update_time: Type.Integer(),
});

export type AccountRecords = {
  readonly order: (order: Readonly<Order>) => string;
  readonly position: (account: Account, position: Position) => string;
  readonly balance: (account: Account) => string;
  /** Why a trigger failed (TRG-1), in FAPI's words. */
  readonly failure: (reason: string) => string;
};

/** Each as JSON text, as it stands now. */
export function accountRecords(exchange: Exchange): AccountRecords {
  const marketOf = (id: MarketId) => must(exchange.markets[id], 'a record is on a market');
  return {
    order: (order) => snakeAnswer(orderRecordText(order, marketOf(order.market))).text,
    position: (account, position) => JSON.stringify(positionRecord(exchange, account, position)),
    balance: (account) => JSON.stringify(balanceRecord(exchange, account)),
    failure: (reason) => (JSON.parse(fapiReasonText(reason)) as { readonly msg: string }).msg,
  };
}

function positionRecord(
  exchange: Exchange,
  account: Account,
  position: Position,
): Static<typeof accountPositionSchema> {
  const market = must(exchange.markets[position.market], 'a position is on a market');
  const figures = positionFigures(exchange, position);
  const { lots, liquidationTicks } = figures;
  const entryPrice = entryPriceText(market, position);
  const collateral = moneyText(figures.collateral);
  return {
    symbol: market.symbol,
    position_amt: lots === 0 ? '0' : quantityText(lots, market),
    entry_price: entryPrice,
    break_even_price: entryPrice,
    mark_price: priceText(figures.mark, market),
    un_realized_profit: moneyText(figures.unrealized),
    liquidation_price: liquidationTicks === 0 ? '0' : priceText(liquidationTicks, market),
    leverage: String(figures.leverage),
    margin_type: 'cross',
    isolated_margin: collateral,
    isolated_wallet: collateral,
    position_side: lots === 0 ? 'BOTH' : lots > 0 ? 'LONG' : 'SHORT',
    notional: moneyText(figures.notional),
    maint_margin: moneyText(figures.maintenance),
    margin_mode: account.marginMode,
    collateral,
    uncovered: moneyText(position.uncovered),
    flagged: lots !== 0 && isFlagged(account, position),
    update_time: position.updatedAt,
  };
}

function balanceRecord(exchange: Exchange, account: Account): Static<typeof accountBalanceSchema> {
  const figures = accountFigures(exchange, account);
  const available = moneyText(figures.available);
  return {
    account_alias: 'default',
    asset: collateralAsset,
    balance: moneyText(figures.balance),
    cross_wallet_balance: moneyText(figures.crossBalance),
    cross_un_pnl: moneyText(figures.unrealized),
    available_balance: available,
    max_withdraw_amount: available,
    margin_available: true,
    frozen: moneyText(figures.frozen),
    margin_mode: account.marginMode,
    uncovered: moneyText(account.uncovered),
    update_time: account.updatedAt,
  };
}
