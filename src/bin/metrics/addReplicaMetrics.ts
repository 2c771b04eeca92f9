// What the engine does and holds: commands by kind, rejections by reason, batches and the time
// until they are on the disk, and the size of the state.

import { Counter, Histogram, type Registry } from 'prom-client';
import type { Command } from '../../engine/command.ts';
import { insuranceAccount } from '../../engine/marginModes.ts';
import type { Outcome } from '../../engine/outcome.ts';
import { accountFigures } from '../../engine/views/accountFigures.ts';
import { accountById, type Exchange, marketsOf, sizesOf } from '../../engine/views/exchange.ts';
import { referralCodesOf } from '../../engine/views/referral.ts';
import type { RunningReplica } from '../../replica/replica.ts';
import type { Clock } from '../../std/clock.ts';
import { type Money, usdt } from '../../units/units.ts';
import { addCounters, addGauges, metricPrefix } from './addGauges.ts';

const syncBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const batchBuckets = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

export function addReplicaMetrics(registry: Registry, replica: RunningReplica, clock: Clock): void {
  const { exchange } = replica;
  measureReplica(registry, replica);
  addGauges(registry, [
    ['log_position', 'The last durable batch.', () => replica.head().position],
    ['applied_position', 'The last applied batch.', () => replica.figures().position],
    [
      'commands_waiting',
      'Commands that wait for their batch; requests that wait for the process that writes.',
      () => replica.waiting(),
    ],
    [
      'orders_refused',
      'Whether new orders are refused because memory or disk is short: 1 or 0.',
      () => Number(replica.shortage() !== undefined),
    ],
    [
      'clock_behind_seconds',
      "How far the machine's clock is behind the exchange's time, which waits for it.",
      () => (replica.now() - clock.now()) / 1000,
    ],
    ['accounts', 'Accounts.', () => sizesOf(exchange).accounts],
    ['open_orders', 'Open orders.', () => sizesOf(exchange).orders],
    ['triggers', 'Triggers that wait or whose order is open.', () => sizesOf(exchange).triggers],
    ['markets', 'Listed markets.', () => sizesOf(exchange).markets],
    ['api_keys', 'API keys.', () => sizesOf(exchange).apiKeys],
    [
      'armed_connections',
      'Connections whose end cancels orders.',
      () => sizesOf(exchange).armedConnections,
    ],
  ]);
  addCounters(registry, [
    ['events_total', 'Events since the log began.', () => replica.figures().events],
  ]);
  addMoneyGauges(registry, replica);
}

const inUsdt = (money: Money): number => money / usdt;

function addMoneyGauges(registry: Registry, { exchange, views }: RunningReplica): void {
  const { funds } = exchange;
  addGauges(registry, [
    [
      'insurance_fund_usdt',
      'The balance of the insurance fund.',
      () => inUsdt(accountById(exchange, insuranceAccount)!.available),
    ],
    [
      'insurance_fund_equity_usdt',
      'The equity of the insurance fund at the marks.',
      () => inUsdt(accountFigures(exchange, accountById(exchange, insuranceAccount)!).equity),
    ],
    [
      'insurance_fund_target_usdt',
      'The equity up to which fees go to the insurance fund: the highest of all markets.',
      () => inUsdt(fundTargetOf(exchange)),
    ],
    ['fee_revenue_usdt', 'Trading fees that are kept.', () => inUsdt(funds.feeRevenue)],
    [
      'referral_payable_usdt',
      'What referrers have accrued and not claimed.',
      () => inUsdt(funds.referralPayable),
    ],
    ['referral_codes', 'Accounts with a referral code.', () => referralCodesOf(exchange)],
    ['shortfall_usdt', 'The unpaid amount of all losses.', () => inUsdt(funds.shortfall)],
    [
      'in_liquidation',
      'Accounts and isolated positions that are being liquidated.',
      () => views.riskCounts.flagged,
    ],
    [
      'withdrawals_pending',
      'Withdrawals that wait for the chain.',
      () => sizesOf(exchange).withdrawals,
    ],
    [
      'withdrawals_pending_usdt',
      'The amount of the withdrawals that wait for the chain.',
      () => inUsdt(funds.pendingWithdrawals),
    ],
  ]);
}

/** The highest target of a market that gives a share of its fees (LIQ-8). */
function fundTargetOf(exchange: Exchange): Money {
  const targets = marketsOf(exchange).map(({ terms }) =>
    terms.fundFeeShare > 0 ? terms.fundTarget : 0,
  );
  return Math.max(0, ...targets) as Money;
}

/** Plain maps count the commands; that costs little compared with applying one. */
function measureReplica(registry: Registry, replica: RunningReplica): void {
  const kinds = new Map<string, number>();
  const reasons = new Map<string, number>();
  addCounts(registry, { name: 'commands_total', label: 'kind', counts: kinds }, commandsHelp);
  addCounts(registry, { name: 'rejections_total', label: 'reason', counts: reasons }, reasonsHelp);
  const sync = new Histogram({
    name: `${metricPrefix}log_sync_seconds`,
    help: 'From handing a batch to the log until it is known to be on the disk.',
    buckets: syncBuckets,
    registers: [registry],
  });
  const batch = new Histogram({
    name: `${metricPrefix}log_batch_commands`,
    help: 'Commands in a batch; those of the clock have none.',
    buckets: batchBuckets,
    registers: [registry],
  });
  const bytes = new Counter({
    name: `${metricPrefix}log_bytes_total`,
    help: 'Bytes of commands that were written to the log since the process started.',
    registers: [registry],
  });
  replica.measure({
    onCommand: (command, outcome) => countCommand(kinds, reasons, command, outcome),
    onBatch: (written) => {
      sync.observe(written.milliseconds / 1000);
      batch.observe(written.commands);
      bytes.inc(written.bytes);
    },
  });
}

const commandsHelp =
  'Commands that were applied since the process started, by kind; each of a batch besides.';
const reasonsHelp = 'Rejections by the engine since the process started, by reason.';

/** A command inside a batch request counts like any other. */
function countCommand(
  kinds: Map<string, number>,
  reasons: Map<string, number>,
  command: Command,
  outcome: Outcome,
): void {
  add(kinds, command.kind);
  if (outcome.kind === 'rejected') {
    add(reasons, outcome.rejection.reason);
    return;
  }
  if (command.kind !== 'batch' || outcome.items === undefined) return;
  for (let at = 0; at < outcome.items.length; at += 1) {
    countCommand(kinds, reasons, command.items[at]!, outcome.items[at]!);
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

type Counts = {
  readonly name: string;
  readonly label: string;
  readonly counts: ReadonlyMap<string, number>;
};

function addCounts(registry: Registry, { name, label, counts }: Counts, help: string): void {
  const counter: Counter = new Counter({
    name: metricPrefix + name,
    help,
    labelNames: [label],
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [value, count] of counts) counter.inc({ [label]: value }, count);
    },
  });
}
