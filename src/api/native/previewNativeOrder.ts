// POST /api/v1/orders/preview (NAT-7): what placing the order would do now. The engine executes it
// tentatively, reads what it would leave, and takes everything back.

import { type Static, Type } from 'typebox';
import type { PlaceOrder } from '../../engine/command.ts';
import { type Account, isFlagged } from '../../engine/views/account.ts';
import { accountFigures } from '../../engine/views/accountFigures.ts';
import { averagePriceText, entryPriceText } from '../../engine/views/entryPriceText.ts';
import type { Exchange } from '../../engine/views/exchange.ts';
import { leverageOf } from '../../engine/views/leverageOf.ts';
import type { Market } from '../../engine/views/market.ts';
import { positionOf } from '../../engine/views/position.ts';
import { positionFigures } from '../../engine/views/positionFigures.ts';
import { standingsOf } from '../../engine/views/positionStanding.ts';
import type { Trial } from '../../engine/views/trial.ts';
import { formatQuotient } from '../../units/decimal.ts';
import { noLots, noMoney } from '../../units/units.ts';
import { countNumber, decimalText, exactObject, symbolText } from '../answerSchema.ts';
import { enumerations } from '../enumerations.ts';
import { moneyText, priceText, quantityText, rateText } from '../grid.ts';
import { answerJson, callerOf, defineQuery } from '../operation.ts';
import { isRefusal } from '../readParameters.ts';
import {
  nativeOrderCommand,
  nativeOrderParameters,
  nativePlaceFailures,
  noIdempotency,
  requiresOfNativeOrder,
} from './nativeOrderParameters.ts';
import * as routes from './nativeRoutes.ts';

const afterSchema = exactObject({
  position_amt: decimalText(),
  entry_price: decimalText(),
  liquidation_price: decimalText('"0" if there is none.'),
  leverage: countNumber('Of the position and the next order.'),
  margin_ratio: decimalText('Of the account, or of an isolated position; at most 100.'),
  maint_margin: decimalText('Of the position.'),
  available_balance: decimalText('What further orders can use.'),
  equity: decimalText(),
  flagged: Type.Boolean({ description: 'Being liquidated: nothing may be opened.' }),
});

const previewSchema = exactObject({
  symbol: symbolText(),
  side: enumerations.side,
  mark_price: decimalText(),
  orig_qty: decimalText('Floored to the lot; of a reduce-only order what it closes.'),
  executed_qty: decimalText('What fills at once.'),
  avg_price: decimalText('Of what fills at once; "0" if nothing does.'),
  cum_quote: decimalText(),
  slippage: decimalText('(average price − mark) / mark, positive when worse for the account.'),
  fee: decimalText('Of what fills at once.'),
  resting_qty: decimalText('What rests in the book.'),
  cancelled_qty: decimalText('What neither fills nor rests.'),
  margin: decimalText('What fills and rest bind.'),
  after: afterSchema,
});

type Preview = Static<typeof previewSchema>;

export const previewNativeOrder = defineQuery({
  ...routes.previewNativeOrder,
  name: 'previewNativeOrder',
  surface: 'native',
  // The engine executes the order, computes the account's figures, and takes all of it back.
  weight: 5,
  countsAsOrder: true,
  summary: 'What placing this order would do now, or the refusal that it would get.',
  parameters: nativeOrderParameters,
  failures: nativePlaceFailures,
  response: previewSchema,
  requires: requiresOfNativeOrder,
  query: (context, parameters) => {
    const { deployment } = context;
    const account = callerOf(context);
    const command = nativeOrderCommand({ account, parameters, ...noIdempotency });
    if (isRefusal(command)) return command;
    const asked = { exchange: deployment.exchange, account, market: parameters.symbol, command };
    let seen: Preview | undefined;
    const outcome = deployment.testOrder(command, (trial) => {
      seen = previewOf(asked, trial);
    });
    if (outcome.kind === 'rejected') return outcome.rejection;
    // An order that is killed leaves everything as it is.
    const lots = outcome.order?.lots ?? command.lots;
    return answerJson(seen ?? previewOf(asked, { ...nothing, order: { lots } }));
  },
});

type Asked = {
  readonly exchange: Exchange;
  readonly account: Account;
  readonly market: Market;
  readonly command: PlaceOrder;
};

type Seen = Omit<Trial, 'order'> & { readonly order: Pick<Trial['order'], 'lots'> };

const nothing = { lots: noLots, notional: noMoney, fee: noMoney, margin: noMoney, rest: noLots };

function previewOf(asked: Asked, { order, lots, notional, fee, margin, rest }: Seen): Preview {
  const { market, command } = asked;
  const left = (order.lots - lots - rest) as typeof lots;
  return {
    symbol: market.symbol,
    side: command.side > 0 ? 'BUY' : 'SELL',
    mark_price: priceText(market.prices.mark, market),
    orig_qty: quantityText(order.lots, market),
    executed_qty: quantityText(lots, market),
    avg_price: averagePriceText(market, notional, lots),
    cum_quote: moneyText(notional),
    slippage: slippageText(asked, { lots, notional }),
    fee: moneyText(fee),
    resting_qty: quantityText(rest, market),
    cancelled_qty: quantityText(left, market),
    margin: moneyText(margin),
    after: afterOf(asked),
  };
}

const slippageDecimals = 8;

/** (notional − mark × lots) / (mark × lots), signed by the side. */
function slippageText(
  { market, command }: Asked,
  { lots, notional }: Pick<Trial, 'lots' | 'notional'>,
): string {
  const atMark = BigInt(market.prices.mark) * BigInt(lots) * BigInt(market.grain);
  if (atMark === 0n) return '0';
  const worse = BigInt(command.side) * (BigInt(notional) - atMark);
  return formatQuotient(worse, atMark, slippageDecimals);
}

/** The account as it is while the order is executed, or as it stays. */
function afterOf({ exchange, account, market }: Asked): Preview['after'] {
  const { availableBalance, equity, marginRatio } = accountFigures(exchange, account);
  const position = positionOf(account, market.id);
  const common = { available_balance: moneyText(availableBalance), equity: moneyText(equity) };
  if (position === undefined || position.lots === 0) {
    return {
      position_amt: quantityText(noLots, market),
      entry_price: '0',
      liquidation_price: '0',
      leverage: leverageOf(market, position),
      margin_ratio: rateText(marginRatio),
      maint_margin: '0',
      ...common,
      flagged: account.flagged,
    };
  }
  const { lots, leverage, maintenance } = positionFigures(exchange, position);
  const { liquidationTicks, ...standing } = standingsOf(exchange, account)(position);
  return {
    position_amt: quantityText(lots, market),
    entry_price: entryPriceText(market, position),
    liquidation_price: liquidationTicks === 0 ? '0' : priceText(liquidationTicks, market),
    leverage,
    margin_ratio: rateText(standing.marginRatio),
    maint_margin: moneyText(maintenance),
    ...common,
    flagged: isFlagged(account, position),
  };
}
