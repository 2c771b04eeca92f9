// GET /api/v1/account (NAT-6): what the caller's orders will be judged by: margin mode, fees,
// leverage on each market, and limits.

import { type Static, Type } from 'typebox';
import {
  apiKeysPerAccountMax,
  batchCancelMax,
  batchPlaceMax,
  openOrdersPerMarketMax,
  triggersPerAccountMax,
  withdrawalsPerAccountMax,
} from '../../engine/limits.ts';
import { buy, sell } from '../../engine/orderTypes.ts';
import { type Account, feeRatesOf, tierOf, volumeOf } from '../../engine/views/account.ts';
import { type Exchange, marketsOf } from '../../engine/views/exchange.ts';
import { leverageOf } from '../../engine/views/leverageOf.ts';
import { leverageRoomOf } from '../../engine/views/leverageRoomOf.ts';
import type { Market } from '../../engine/views/market.ts';
import { positionOf } from '../../engine/views/position.ts';
import {
  countNumber,
  decimalText,
  exactObject,
  orNull,
  symbolText,
  walletText,
} from '../answerSchema.ts';
import { enumerations } from '../enumerations.ts';
import { moneyText, rateText } from '../grid.ts';
import { answerJson, callerOf, defineQuery } from '../operation.ts';
import { tierCeilings } from '../rateTiers.ts';
import * as routes from './nativeRoutes.ts';

const limitsSchema = exactObject({
  open_orders_per_market: countNumber(),
  waiting_triggers: countNumber('Of all markets together.'),
  pending_withdrawals: countNumber(),
  api_keys: countNumber(),
  batch_orders: countNumber('Orders that one batch places or changes.'),
  batch_cancels: countNumber(),
  requests_1m: countNumber('With this token; a batch counts as five.'),
  orders_10s: countNumber('With this token; a batch counts as one.'),
  orders_1m: countNumber(),
});

const marketSchema = exactObject({
  symbol: symbolText(),
  leverage: countNumber('What the next order captures.'),
  max_leverage_long: countNumber('Of what opens at the present open interest (MAR-10).'),
  max_leverage_short: countNumber(),
  maker_commission_rate: decimalText(),
  taker_commission_rate: decimalText(),
});

export const getNativeAccount = defineQuery({
  ...routes.getNativeAccount,
  name: 'getNativeAccount',
  surface: 'native',
  weight: 1,
  summary:
    'Margin mode, fee tier, leverage and fees on each market, and the limits of the account.',
  parameters: Type.Object({}),
  response: exactObject({
    address: walletText(),
    margin_mode: enumerations.marginMode,
    flagged: Type.Boolean({ description: 'Being liquidated: nothing may be opened.' }),
    fee_tier: countNumber(),
    volume_14d: decimalText('Maker and taker volume of the fourteen UTC days before today, USDT.'),
    faucet: orNull(decimalText('What one claim of the faucet gives; null: there is none.')),
    limits: limitsSchema,
    markets: Type.Array(marketSchema),
  }),
  query: (context) => {
    const { exchange, faucet } = context.deployment;
    const account = callerOf(context);
    return answerJson({
      address: account.address,
      margin_mode: account.marginMode,
      flagged: account.flagged,
      fee_tier: tierOf(exchange, account),
      volume_14d: moneyText(volumeOf(exchange, account)),
      faucet: faucet === undefined ? null : moneyText(faucet.amount),
      limits,
      markets: marketsOf(exchange).map((market) => marketRecord(exchange, account, market)),
    });
  },
});

const { standard } = tierCeilings;

const limits: Static<typeof limitsSchema> = {
  open_orders_per_market: openOrdersPerMarketMax,
  waiting_triggers: triggersPerAccountMax,
  pending_withdrawals: withdrawalsPerAccountMax,
  api_keys: apiKeysPerAccountMax,
  batch_orders: batchPlaceMax,
  batch_cancels: batchCancelMax,
  requests_1m: standard.weight,
  orders_10s: standard.orders10s,
  orders_1m: standard.orders1m,
};

function marketRecord(
  exchange: Exchange,
  account: Account,
  market: Market,
): Static<typeof marketSchema> {
  const { maker, taker } = feeRatesOf(exchange, market, account);
  return {
    symbol: market.symbol,
    leverage: leverageOf(market, positionOf(account, market.id)),
    max_leverage_long: leverageRoomOf(market, account, buy),
    max_leverage_short: leverageRoomOf(market, account, sell),
    maker_commission_rate: rateText(maker),
    taker_commission_rate: rateText(taker),
  };
}
