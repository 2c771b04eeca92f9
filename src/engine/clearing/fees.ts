// Trading fees (MAR-3, MAR-6): notional × rate at the account's tier, rounded up.

import { shareUp } from '../../units/notional.ts';
import type { Money, Rate } from '../../units/units.ts';
import type { Account } from '../account.ts';
import type { Market } from '../market.ts';

export type FeeRates = { readonly maker: Rate; readonly taker: Rate };

/** The rates an account pays on a market. Until volume tiers exist every tier is the base. */
export function feeRatesOf(market: Market, _account: Account | undefined): FeeRates {
  return { maker: market.terms.makerFee, taker: market.terms.takerFee };
}

/** The fee of a notional; negative for a rebate, whose size is thereby rounded down. */
export function feeOf(notional: Money, rate: Rate): Money {
  return shareUp(notional, rate);
}
