// When API keys were last used (AUTH-8), among the processes of a deployment: what one of them
// writes to the secret store of all, as facts for the others.

import type { LastUsedNews } from '../gateway/lastUsed.ts';
import type { FactShare } from './createFactShare.ts';

/** The word before a key. */
const word = 'used';
/** As long as others may need to hear of it; then the store has it. */
const lifeMs = 120_000;

export const shareLastUsed = ({
  say,
  onHeard,
}: Pick<FactShare, 'say' | 'onHeard'>): LastUsedNews => ({
  say: (times) => {
    for (const [apiKey, at] of times) {
      say({ name: `${word} ${apiKey}`, version: at, until: at + lifeMs, value: '' });
    }
  },
  onNews: (hear) => {
    onHeard(word, ({ name, version: at }) => hear(name.slice(word.length + 1), at));
  },
});
