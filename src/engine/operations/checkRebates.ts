// What the fee tiers and the discount of referees require of a market's terms (MAR-3, NAT-4): the
// lowest taker fee must pay for the highest maker rebate. checkTerms.ts has the requirements of the
// terms alone.

import { rebatesHold } from '../clearing/fees.ts';
import type { Exchange } from '../exchange.ts';
import type { MarketTerms } from '../marketTerms.ts';
import type { Rejection } from '../rejection.ts';

export function checkRebates(exchange: Exchange, terms: MarketTerms): Rejection | undefined {
  if (rebatesHold(terms, exchange)) return undefined;
  const detail = 'maker + taker not below 0 for every pair of fee tiers, for a referee too';
  return { reason: 'termsInvalid', field: 'makerFee', detail };
}
