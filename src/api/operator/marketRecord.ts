// The market record of the operator surface (OPS-2): what an operator can list and change, and
// after it the present figures of the market.

import { type Static, Type } from 'typebox';
import { marketStatuses } from '../../engine/marketTerms.ts';
import { type Market, restrictionOf, shownStatus } from '../../engine/views/market.ts';
import type { Time } from '../../units/units.ts';
import {
  assetText,
  countNumber,
  decimalText,
  exactObject,
  namedAnswerSchema,
  orNull,
  plainText,
  symbolText,
  timeNumber,
  wordsText,
} from '../answerSchema.ts';
import { enumerations } from '../enumerations.ts';
import { priceText, rateText } from '../grid.ts';
import { restrictionMember } from '../restrictionMember.ts';
import { termsMembers, termsRecord } from '../termsRecord.ts';
import { gridText } from './readGrid.ts';

const members = {
  symbol: symbolText(),
  base_asset: assetText(),
  tick_size: decimalText(),
  lot_size: decimalText(),
  ...termsMembers,
  index_sources: Type.Array(
    exactObject({ source: plainText('As in the list of feeds.'), weight: countNumber() }),
  ),
  underlying_type: enumerations.underlyingType,
  status: enumerations.marketStatus,
  delivery_time: orNull(timeNumber()),
  shown_status: wordsText(marketStatuses, 'The stricter of status and the prices (SYM-1).'),
  index_price: decimalText('"0" before the first.'),
  mark_price: decimalText(),
  ...restrictionMember,
  index_age: orNull(
    countNumber(),
    'Milliseconds since an index was last accepted; null before the first.',
  ),
  breaker_until: orNull(timeNumber(), 'When the breaker lets go; null when it does not hold.'),
  pending_raise: orNull(
    exactObject({ maintenance_margin_rate: decimalText(), time: timeNumber() }),
    'A raised maintenance rate that waits for its day (OPS-2).',
  ),
  settled_time: orNull(timeNumber(), 'When it was settled; it never trades again (SYM-2).'),
};

export const marketRecordSchema = namedAnswerSchema('Market', exactObject(members));

export type MarketRecord = Static<typeof marketRecordSchema>;

export function marketRecord(market: Market, now: Time): MarketRecord {
  const { terms, prices, raise, dues } = market;
  const pending = { maintenance_margin_rate: rateText(raise.rate), time: raise.at };
  return {
    symbol: market.symbol,
    base_asset: market.baseAsset,
    tick_size: gridText(market.tick),
    lot_size: gridText(market.lot),
    ...termsRecord(terms),
    index_sources: terms.indexSources.map(({ source, weight }) => ({ source, weight })),
    underlying_type: terms.underlyingType,
    status: market.status,
    delivery_time: terms.deliveryTime === 0 ? null : terms.deliveryTime,
    shown_status: shownStatus(market, now),
    index_price: prices.index === 0 ? '0' : priceText(prices.index, market),
    mark_price: prices.mark === 0 ? '0' : priceText(prices.mark, market),
    restriction: restrictionOf(market, now),
    index_age: prices.index === 0 ? null : Math.max(0, now - prices.indexAt),
    breaker_until: prices.breakerUntil > now ? prices.breakerUntil : null,
    pending_raise: raise.timer === 0 ? null : pending,
    settled_time: dues.settledAt === 0 ? null : dues.settledAt,
  };
}
