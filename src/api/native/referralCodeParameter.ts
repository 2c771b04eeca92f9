// A referral code as a parameter (NAT-4a). Its form is checked by the rows that take it, so that a
// wrong code has its own refusal.

import type { TUnsafe } from 'typebox';
import { textParameter } from '../parameterSchema.ts';

export function referralCodeParameter(): TUnsafe<string> {
  return textParameter({ lengthMax: 1000, description: '4 to 16 of A–Z and 0–9.' });
}
