// What the vault and the chain service of this process do (VLT-1): deposits, parked money, the last
// final block, nodes, alarms. Without a vault all of it is 0.

import { Gauge, type Registry } from 'prom-client';
import type { ChainStanding } from '../../api/deployment.ts';
import type { Exchange } from '../../engine/views/exchange.ts';
import { vaultFigures } from '../../engine/views/vault.ts';
import { usdt } from '../../units/units.ts';
import { addCounters, addGauges, metricPrefix } from './addGauges.ts';

export function addChainMetrics(
  registry: Registry,
  exchange: Exchange,
  standing: () => ChainStanding | undefined,
): void {
  const holdings = (name: 'held' | 'owed'): number =>
    Number(standing()?.holdings?.[name] ?? 0n) / usdt;
  const isWrong = (): number => Number(standing()?.anchor?.isOfLog === false);
  addGauges(registry, [
    ['vault_deposits', 'Deposits of the vault.', () => vaultFigures(exchange).depositCount],
    [
      'vault_parked_usdt',
      'Deposits of the vault that wait for room.',
      () => Number(vaultFigures(exchange).parked) / usdt,
    ],
    ['vault_held_usdt', 'What the vault held when it was compared last.', () => holdings('held')],
    ['vault_owed_usdt', 'What the exchange owed then.', () => holdings('owed')],
    ['chain_block', 'The final block that was read last.', () => standing()?.block ?? 0],
    ['chain_alarms', 'Alarms of the last round.', () => standing()?.alarms.length ?? 0],
    ['anchor_epoch', 'The number of the last anchor.', () => standing()?.anchor?.epoch ?? 0],
    [
      'anchor_accepted_seconds',
      'When the vault has accepted it, since the Unix epoch.',
      () => standing()?.anchor?.acceptedAt ?? 0,
    ],
    ['anchor_wrong', 'The log contradicts the last anchor.', () => isWrong()],
    ['reports_pending', 'A report waits to be sent.', () => standing()?.keeper?.pending ?? 0],
    ['reports_late', 'No report for three periods.', () => Number(standing()?.keeper?.isLate ?? 0)],
    ['reports_to', 'The last batch reported.', () => standing()?.keeper?.reportedTo ?? 0],
  ]);
  addNodes(registry, standing);
  addCounters(registry, [
    ['reports_total', 'Reports in final blocks.', () => standing()?.keeper?.confirmed ?? 0],
    [
      'reports_failed_total',
      'Reports that were reverted or replaced.',
      () => standing()?.keeper?.failed ?? 0,
    ],
    ['chain_rounds_total', 'Rounds of the chain service.', () => standing()?.rounds ?? 0],
    ['chain_facts_total', 'Facts that it has brought.', () => standing()?.facts ?? 0],
    [
      'chain_transactions_total',
      'Transactions that it has sent to the vault.',
      () => standing()?.transactions ?? 0,
    ],
  ]);
}

/** By place and host: an address may contain a key. */
function addNodes(registry: Registry, standing: () => ChainStanding | undefined): void {
  const gauge: Gauge = new Gauge({
    name: `${metricPrefix}chain_node_wrong`,
    help: 'An alarm stands for this node of the chain.',
    labelNames: ['node', 'host'],
    registers: [registry],
    collect: () => {
      gauge.reset();
      for (const { place, host, isWrong } of standing()?.nodes ?? []) {
        gauge.set({ node: place, host }, Number(isWrong));
      }
    },
  });
}
