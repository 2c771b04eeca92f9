// `evermark keys`: the rate tier of an API key. Only owners create and change keys (native API).

import { type RateTier, rateTiers } from '../engine/marginModes.ts';
import { runVerb, type VerbIo } from './operatorVerb.ts';

export function runKeys(args: readonly string[], io: VerbIo): Promise<number> {
  return runVerb(
    {
      name: 'keys',
      ask: ({ operator, words }) => {
        const [what, apiKey, tier, ...more] = words;
        if (what !== 'tier' || apiKey === undefined || more.length > 0) return undefined;
        if (!rateTiers.some((known) => known === tier)) return undefined;
        return operator.changeApiKey({ api_key: apiKey, rate_tier: tier as RateTier });
      },
    },
    args,
    io,
  );
}
