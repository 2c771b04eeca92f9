// Messages of fees.

import { translated } from '../messages/language.ts';

export const feeMessages = translated({
  en: {
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
  },
  de: {
    tier: 'Gebührenstufe',
    volume: 'Umsatz in 14 Tagen',
    rates: 'Meine Gebühren',
    market: 'Markt',
    maker: 'Gebühr als Maker',
    taker: 'Gebühr als Taker',
    tiers: 'Gebührenstufen',
    fromVolume: 'Ab einem Umsatz von (USDT)',
    makerDiscount: 'Nachlass als Maker',
    takerDiscount: 'Nachlass als Taker',
  },
});
