// The totals and the asset row of an account (conventions, 15), which account v2 and v3 share.

import type { Account } from '../../engine/views/account.ts';
import { type AccountFigures, accountFigures } from '../../engine/views/accountFigures.ts';
import type { Exchange } from '../../engine/views/exchange.ts';
import { positionsOf } from '../../engine/views/position.ts';
import type { Money } from '../../units/units.ts';
import { assetText, decimalText, exactObject, timeNumber } from '../answerSchema.ts';
import { moneyText } from '../grid.ts';
import { collateralAsset } from './collateralAsset.ts';

/**
 * The account's initial margin is the locked money; for the one of a position see
 * positionMargins.ts.
 */
const locked = {
  all: 'Locked by positions and open orders.',
  positions: 'Locked by positions, whatever their leverage is now.',
  orders: 'Locked by open orders.',
};

export const accountTotalsSchema = exactObject({
  totalInitialMargin: decimalText(locked.all),
  totalMaintMargin: decimalText(),
  totalWalletBalance: decimalText(),
  totalUnrealizedProfit: decimalText(),
  totalMarginBalance: decimalText(),
  totalPositionInitialMargin: decimalText(locked.positions),
  totalOpenOrderInitialMargin: decimalText(locked.orders),
  totalCrossWalletBalance: decimalText(),
  totalCrossUnPnl: decimalText(),
  availableBalance: decimalText('What new orders can use.'),
  maxWithdrawAmount: decimalText(),
});

export const accountAssetSchema = exactObject({
  asset: assetText(),
  walletBalance: decimalText(),
  unrealizedProfit: decimalText(),
  marginBalance: decimalText(),
  maintMargin: decimalText(),
  initialMargin: decimalText(locked.all),
  positionInitialMargin: decimalText(locked.positions),
  openOrderInitialMargin: decimalText(locked.orders),
  crossWalletBalance: decimalText(),
  crossUnPnl: decimalText(),
  availableBalance: decimalText('What new orders can use.'),
  maxWithdrawAmount: decimalText(),
  updateTime: timeNumber(),
});

/** Totals of the account and the row of its one asset. Cost: the account's markets. */
export function accountSummary(
  exchange: Exchange,
  account: Account,
): { readonly totals: object; readonly asset: object } {
  const figures = accountFigures(exchange, account);
  const margins = marginsOf(account, figures);
  const initial = moneyText((margins.orders + margins.positions) as Money);
  const maintenance = moneyText(figures.maintenance);
  const wallet = moneyText(figures.balance);
  const cross = moneyText(figures.crossBalance);
  const unrealized = moneyText(figures.unrealized);
  const equity = moneyText(figures.equity);
  const positions = moneyText(margins.positions);
  const orders = moneyText(margins.orders);
  const available = moneyText(figures.availableBalance);
  const totals = {
    totalInitialMargin: initial,
    totalMaintMargin: maintenance,
    totalWalletBalance: wallet,
    totalUnrealizedProfit: unrealized,
    totalMarginBalance: equity,
    totalPositionInitialMargin: positions,
    totalOpenOrderInitialMargin: orders,
    totalCrossWalletBalance: cross,
    totalCrossUnPnl: unrealized,
    availableBalance: available,
    maxWithdrawAmount: available,
  };
  const asset = {
    asset: collateralAsset,
    walletBalance: wallet,
    unrealizedProfit: unrealized,
    marginBalance: equity,
    maintMargin: maintenance,
    initialMargin: initial,
    positionInitialMargin: positions,
    openOrderInitialMargin: orders,
    crossWalletBalance: cross,
    crossUnPnl: unrealized,
    availableBalance: available,
    maxWithdrawAmount: available,
    updateTime: account.updatedAt,
  };
  return { totals, asset };
}

/**
 * The initial margin of positions and orders, with the part that unrealised profit replaces
 * (MAR-7).
 */
function marginsOf(
  account: Account,
  { orderMargin, positionMargin, uncovered }: AccountFigures,
): { readonly positions: Money; readonly orders: Money } {
  let ofPositions = 0;
  for (const position of positionsOf(account)) ofPositions += position?.uncovered ?? 0;
  return {
    positions: (positionMargin + ofPositions) as Money,
    orders: (orderMargin + uncovered - ofPositions) as Money,
  };
}
