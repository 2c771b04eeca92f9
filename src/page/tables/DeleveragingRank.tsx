// The rank of a position in the deleveraging of its side as five lights: with all five lit it is
// among those that are closed first (LIQ-7).

import { tableMessages } from './tableMessages.ts';
import './tables.css';

const lights = [1, 2, 3, 4, 5] as const;
const tones = ['up', 'up', 'warn', 'down', 'down'] as const;

/** `rank` goes from 0 to 4. */
export function DeleveragingRank({ rank }: { rank: number | undefined }) {
  if (rank === undefined) return <span class="muted">–</span>;
  const name = tableMessages().rankOf(rank + 1, lights.length);
  return (
    <span class={`rank ${tones[rank] ?? ''}`} role="img" aria-label={name} title={name}>
      {lights.map((light) => (
        <span key={light} class={light <= rank + 1 ? 'rank-light rank-lit' : 'rank-light'} />
      ))}
    </span>
  );
}
