// What the fee tiers demand of a market's terms (MAR-3): a maker rebate must be paid by the taker
// fee of every tier. What terms must satisfy by themselves stands in checkTerms.ts.

import { rebatesHold } from '../clearing/fees.ts';
import type { Exchange } from '../exchange.ts';
import type { MarketTerms } from '../marketTerms.ts';
import type { Rejection } from '../rejection.ts';

export function checkRebates(exchange: Exchange, terms: MarketTerms): Rejection | undefined {
  if (rebatesHold(terms, exchange.feeTiers)) return undefined;
  const detail = 'maker + taker not below 0 for every pair of fee tiers';
  return { reason: 'termsInvalid', field: 'makerFee', detail };
}
