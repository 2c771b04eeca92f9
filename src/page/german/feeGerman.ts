// German of feeMessages.

import type { feeMessages } from '../account/feeMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const feeGerman: TextsOf<typeof feeMessages> = {
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
};
