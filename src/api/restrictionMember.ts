// Why a market shows CLOSE or HALT though its operator lets it trade (SYM-1), as the operator and
// traders read it.

import { wordsText } from './answerSchema.ts';

export const restrictionMember = {
  restriction: wordsText(
    ['none', 'breaker', 'stale', 'halted'],
    'By the prices: stale takes only what reduces, breaker also limit orders that rest, ' +
      'halted nothing (PRC-2, PRC-3, PRC-3b).',
  ),
};
