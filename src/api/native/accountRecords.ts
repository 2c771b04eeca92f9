// An account's order, trigger, position and balance as its socket channel shows them (WS-2): the
// records of NAT-1 and NAT-5, without the figures that only the archivist knows.

import { type Static, Type } from 'typebox';
import { type Account, isFlagged } from '../../engine/views/account.ts';
import { accountFigures } from '../../engine/views/accountFigures.ts';
import { entryPriceText } from '../../engine/views/entryPriceText.ts';
import { type Exchange, marketById } from '../../engine/views/exchange.ts';
import type { Order } from '../../engine/views/order.ts';
import type { Position } from '../../engine/views/position.ts';
import { positionFigures } from '../../engine/views/positionFigures.ts';
import { type PositionStanding, standingsOf } from '../../engine/views/positionStanding.ts';
import type { Trigger } from '../../engine/views/trigger.ts';
import type { DepositRow } from '../../history/rows.ts';
import type { WithdrawalRow } from '../../market-data/withdrawals.ts';
import { must } from '../../std/assert.ts';
import type { MarketId } from '../../units/units.ts';
import {
  assetText,
  decimalText,
  exactObject,
  namedAnswerSchema,
  symbolText,
  timeNumber,
  wholeText,
  wordsText,
} from '../answerSchema.ts';
import { depositRecord } from '../depositRecord.ts';
import { enumerations } from '../enumerations.ts';
import { fapiReasonText } from '../errors/failureAnswer.ts';
import { algoRecordText } from '../fapi/algoRecord.ts';
import { collateralAsset } from '../fapi/collateralAsset.ts';
import { moneyText, priceText, quantityText, rateText } from '../grid.ts';
import type { ChainView } from '../placeMembers.ts';
import { withdrawalRecord } from '../withdrawalRecord.ts';
import { nativeOrderSchema, nativeOrderText } from './nativeOrder.ts';
import { nativeText } from './nativeRecord.ts';
import { nativeTriggerSchema } from './nativeTrigger.ts';

export const accountOrderSchema = nativeOrderSchema;

export const accountTriggerSchema = nativeTriggerSchema;

export const accountPositionSchema = namedAnswerSchema(
  'AccountPosition',
  exactObject({
    symbol: symbolText(),
    position_amt: decimalText('Signed; "0" when it has just been closed.'),
    entry_price: decimalText(),
    break_even_price: decimalText(),
    mark_price: decimalText(),
    un_realized_profit: decimalText(),
    liquidation_price: decimalText(),
    leverage: wholeText(),
    margin_type: Type.Literal('cross'),
    isolated_margin: decimalText(),
    isolated_wallet: decimalText(),
    position_side: wordsText(['LONG', 'SHORT', 'BOTH']),
    notional: decimalText(),
    maint_margin: decimalText(),
    margin_ratio: decimalText(
      'Maintenance margin / equity of the account, or of an isolated position; at most 100.',
    ),
    margin_mode: enumerations.marginMode,
    collateral: decimalText(),
    uncovered: decimalText(),
    flagged: Type.Boolean(),
    update_time: timeNumber(),
  }),
);

export const accountBalanceSchema = namedAnswerSchema(
  'AccountBalance',
  exactObject({
    account_alias: Type.Literal('default'),
    asset: assetText(),
    balance: decimalText(),
    cross_wallet_balance: decimalText(),
    cross_un_pnl: decimalText(),
    available_balance: decimalText('What new orders can use.'),
    max_withdraw_amount: decimalText(),
    margin_available: Type.Boolean(),
    frozen: decimalText(),
    equity: decimalText(),
    maint_margin: decimalText(),
    margin_ratio: decimalText('Maintenance margin / equity over all positions, at most 100.'),
    margin_mode: enumerations.marginMode,
    uncovered: decimalText(),
    update_time: timeNumber(),
  }),
);

export type AccountRecords = {
  readonly deposit: (row: Omit<DepositRow, 'account'>) => string;
  readonly withdrawal: (row: WithdrawalRow, address: string) => string;
  readonly order: (order: Readonly<Order>) => string;
  /** With the order that it placed, if it has placed one. */
  readonly trigger: (trigger: Readonly<Trigger>, order: Readonly<Order> | undefined) => string;
  /** Some positions of one account, in the given order. */
  readonly positions: (account: Account, positions: readonly Position[]) => string[];
  readonly balance: (account: Account) => string;
  /** Why a trigger failed (TRG-1), in FAPI's words. */
  readonly failure: (reason: string) => string;
};

/** Each as JSON text, as it is now. */
export function accountRecords(
  exchange: Exchange,
  chain: ChainView['chain'] = () => undefined,
): AccountRecords {
  const view = { exchange, chain };
  const marketOf = (id: MarketId) => must(marketById(exchange, id), 'a record is on a market');
  return {
    deposit: (row) => JSON.stringify(depositRecord(view, row)),
    withdrawal: (row, address) => JSON.stringify(withdrawalRecord(view, row, address)),
    order: (order) => nativeOrderText(order, marketOf(order.market)),
    trigger: (trigger, order) => algoRecordText({ exchange }, trigger, order ?? null, nativeText),
    positions: (account, positions) => {
      const standingOf = standingsOf(exchange, account);
      return positions.map((position) =>
        JSON.stringify(positionRecord(exchange, { account, position }, standingOf(position))),
      );
    },
    balance: (account) => JSON.stringify(balanceRecord(exchange, account)),
    failure: (reason) => (JSON.parse(fapiReasonText(reason)) as { readonly msg: string }).msg,
  };
}

function positionRecord(
  exchange: Exchange,
  { account, position }: { readonly account: Account; readonly position: Position },
  { liquidationTicks, marginRatio }: PositionStanding,
): Static<typeof accountPositionSchema> {
  const market = must(marketById(exchange, position.market), 'a position is on a market');
  const figures = positionFigures(exchange, position);
  const { lots } = figures;
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
    margin_ratio: rateText(marginRatio),
    margin_mode: account.marginMode,
    collateral,
    uncovered: moneyText(position.uncovered),
    flagged: lots !== 0 && isFlagged(account, position),
    update_time: position.updatedAt,
  };
}

function balanceRecord(exchange: Exchange, account: Account): Static<typeof accountBalanceSchema> {
  const figures = accountFigures(exchange, account);
  const available = moneyText(figures.availableBalance);
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
    equity: moneyText(figures.equity),
    maint_margin: moneyText(figures.maintenance),
    margin_ratio: rateText(figures.marginRatio),
    margin_mode: account.marginMode,
    uncovered: moneyText(account.uncovered),
    update_time: account.updatedAt,
  };
}
