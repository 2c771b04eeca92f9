// Messages of fees.

import { translated } from '../messages/language.ts';

export const feeMessages = translated('fee', {
  tier: 'Fee tier',
  volume: 'Volume of 14 days',
  rates: 'My fees',
  market: 'Market',
  maker: 'Maker fee',
  taker: 'Taker fee',
  tiers: 'Fee tiers',
  fromVolume: 'From a volume of (USDT)',
  makerDiscount: 'Discount as maker',
  takerDiscount: 'Discount as taker',
});
