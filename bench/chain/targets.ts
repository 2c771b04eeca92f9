// What money on a chain must reach.

import type { Target } from '../sayTargets.ts';

const latest = (name: string, what: string, most: number, unit: string): Target => ({
  ...{ name: `${name}_max_${unit}`, what: `${what}, the latest`, most },
  unit: unit === 's' ? 's after the final block' : 'blocks',
});

export const targets: readonly Target[] = [
  latest('credited', 'a deposit is credited', 1, 's'),
  latest('sent', 'a withdrawal is sent after its request', 2, 'blocks'),
  latest('completed', 'it is completed after its final block', 1, 'blocks'),
  { name: 'deposit_batches', most: 1, unit: 'batches', what: 'the deposits of one block' },
  { name: 'paid_s', most: 90, unit: 's', what: 'all withdrawals paid' },
  { name: 'transactions', most: 50, unit: '', what: 'their transactions' },
  { name: 'gas_each', most: 90_000, unit: 'gas', what: 'of each' },
  { name: 'killed_transactions', most: 50, unit: '', what: 'transactions with a kill a batch' },
  { name: 'killed_s', most: 90, unit: 's', what: 'all of them paid and completed so' },
  { name: 'kills_per_batch', least: 1, unit: '', what: 'kills for each' },
  { name: 'paid_twice', most: 0, unit: '', what: 'withdrawals paid twice' },
  { name: 'root_s', most: 20, unit: 's', what: 'a tree of all wallets beside trading' },
  { name: 'root_restart_s', most: 20, unit: 's', what: 'the first one after a start' },
  { name: 'root_p99_ratio', most: 1.2, unit: '×', what: 'p99 of an order beside it' },
  { name: 'proof_p99_ms', most: 5, unit: 'ms', what: 'a proof, p99' },
];
