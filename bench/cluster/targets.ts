// What several processes on one log must reach.

import type { Target } from '../sayTargets.ts';

export const targets: readonly Target[] = [
  { name: 'append_p50_ms', most: 5, unit: 'ms', what: 'append behind a standby, p50' },
  { name: 'kill_p50_ms', most: 2000, unit: 'ms', what: 'kill to the first answer elsewhere, p50' },
  { name: 'kill_max_ms', most: 3000, unit: 'ms', what: 'the longest of those' },
  { name: 'handover_p50_ms', most: 300, unit: 'ms', what: 'pause of a handover, p50' },
  { name: 'lost', most: 0, unit: '', what: 'acknowledged and lost' },
  { name: 'executed_twice', most: 0, unit: '', what: 'executed twice' },
  { name: 'catch_up_per_s', least: 200_000, unit: 'commands/s', what: 'catch-up' },
  { name: 'idle_percent', most: 2, unit: '% of a core', what: 'a process that only follows, idle' },
  { name: 'applied_p50_ms', most: 1, unit: 'ms', what: 'acknowledged to applied elsewhere, p50' },
  { name: 'forward_added_p50_ms', most: 1, unit: 'ms', what: 'added by forwarding, p50' },
  { name: 'forwarded_us', most: 45, unit: 'µs', what: 'of the holder for a forwarded order' },
];
