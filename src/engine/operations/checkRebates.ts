// What the fee tiers require of a market's terms (MAR-3): the taker fee of every tier must pay for
// a maker rebate. checkTerms.ts has the requirements of the terms alone.

import { rebatesHold } from '../clearing/fees.ts';
import type { Exchange } from '../exchange.ts';
import type { MarketTerms } from '../marketTerms.ts';
import type { Rejection } from '../rejection.ts';

export function checkRebates(exchange: Exchange, terms: MarketTerms): Rejection | undefined {
  if (rebatesHold(terms, exchange.feeTiers)) return undefined;
  const detail = 'maker + taker not below 0 for every pair of fee tiers';
  return { reason: 'termsInvalid', field: 'makerFee', detail };
}
