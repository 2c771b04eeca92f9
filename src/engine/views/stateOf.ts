// Readers see the state's own records through types without their layout. Views alone look behind
// them: here a reader's type becomes the record again, at no cost.

import type { Account as AccountState } from '../account.ts';
import type { Exchange as ExchangeState } from '../exchange.ts';
import type { Market as MarketState } from '../market.ts';
import type { Order as OrderState } from '../order.ts';
import type { Position as PositionState } from '../position.ts';
import type { Trigger as TriggerState } from '../trigger.ts';
import type { Account } from './account.ts';
import type { Exchange } from './exchange.ts';
import type { Market } from './market.ts';
import type { Order } from './order.ts';
import type { Position } from './position.ts';
import type { Trigger } from './trigger.ts';

export const stateOf = {
  exchange: (exchange: Exchange): ExchangeState => exchange as ExchangeState,
  account: (account: Account): AccountState => account as AccountState,
  market: (market: Market): MarketState => market as MarketState,
  order: (order: Order): OrderState => order as OrderState,
  position: (position: Position): PositionState => position as PositionState,
  trigger: (trigger: Trigger): TriggerState => trigger as TriggerState,
};
