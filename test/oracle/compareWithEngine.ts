// Compares the oracle and the engine side by side, to the unit, and reports the first difference.

import type { Account } from '../../src/engine/account.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import type { Order } from '../../src/engine/order.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import type { Position } from '../../src/engine/position.ts';
import { settlementTicks } from '../../src/engine/settlementTicks.ts';
import { fundingRateOf } from '../../src/engine/views/fundingRateOf.ts';
import { directValues } from '../../src/std/directMap.ts';
import { freezesOf, isOpen, pendingOf } from './naiveFigures.ts';
import { fundingRate } from './naiveFunding.ts';
import type { NaiveOutcome } from './naivePlace.ts';
import { settlementPrice } from './naiveSettlement.ts';
import type {
  NaiveAccount,
  NaiveOrder,
  NaivePosition,
  NaiveState,
  NaiveWithdrawal,
} from './naiveState.ts';

type Line = readonly [name: string, oracle: unknown, engine: unknown];

const text = (value: unknown): string => String(value);

const isSame = ([, oracle, engine]: Line): boolean =>
  typeof oracle === 'bigint' ? Number(oracle) === engine : oracle === engine;

const tell = ([name, oracle, engine]: Line): string =>
  `${name}: oracle ${text(oracle)}, engine ${text(engine)}`;

function firstOf(lines: Iterable<Line>): string | undefined {
  for (const line of lines) if (!isSame(line)) return tell(line);
  return undefined;
}

/** Every difference, one a line. */
export function allDifferences(state: NaiveState, exchange: Exchange): string {
  return [...linesOf(state, exchange)]
    .filter((line) => !isSame(line))
    .map((line) => `    ${tell(line)}`)
    .join('\n');
}

/** The first difference between the two after a command, or undefined. */
export function compareWithEngine(state: NaiveState, exchange: Exchange): string | undefined {
  return firstOf(linesOf(state, exchange));
}

function* linesOf(state: NaiveState, exchange: Exchange): Generator<Line> {
  yield ['accounts', state.accounts.length, exchange.accounts.length];
  for (const market of state.markets) {
    const twin = exchange.markets[market.id]!;
    const { prices, figures } = twin;
    yield [`${market.symbol} index`, market.index, prices.index];
    yield [`${market.symbol} mark`, market.mark, prices.mark];
    yield [`${market.symbol} premium`, market.premium, prices.premium];
    yield [`${market.symbol} pending`, rowOf(market.pending), rowOf(prices.pending)];
    yield [`${market.symbol} breakerUntil`, market.breakerUntil, prices.breakerUntil];
    yield [`${market.symbol} lastRegular`, market.lastRegular, figures.lastRegular];
    const rate = fundingRateOf(twin, exchange.time);
    yield [`${market.symbol} funding rate`, fundingRate(state, market), rate];
    yield [`${market.symbol} settlement price`, settlementPrice(market), settlementTicks(twin)];
  }
  yield ['feeRevenue', state.feeRevenue, exchange.funds.feeRevenue];
  const accrued = state.accounts.reduce((sum, account) => sum + account.accrued, 0n);
  yield ['referralPayable', accrued, exchange.funds.referralPayable];
  yield ['shortfall', state.shortfall, exchange.funds.shortfall];
  yield ['deposits', Number(state.deposits), Number(exchange.funds.deposits)];
  yield* vaultLines(state, exchange);
  for (const account of state.accounts) {
    yield* accountLines(state, account, exchange.accounts[account.id]!);
  }
  yield* orderLines(state, exchange);
}

function* vaultLines(state: NaiveState, { vault, funds, withdrawals }: Exchange): Generator<Line> {
  const { address, deposits, parked, min, fee, left } = state.vault;
  yield ['vault', address, vault.binding?.address ?? ''];
  yield ['vault deposits', deposits.length, vault.depositCount];
  const sum = deposits.reduce((total, { units }) => total + units, 0n);
  yield ['vault total', text(sum), text(vault.depositTotal)];
  const waiting = parked.map(({ address: wallet, units }) => `${wallet} ${units}`);
  const twins = [...vault.parked].map(([wallet, units]) => `${wallet} ${units}`);
  yield ['parked', waiting.join(', '), twins.join(', ')];
  yield ['withdrawal minimum', min, vault.withdrawalMin];
  yield ['withdrawal fee', fee, vault.withdrawalFee];
  yield ['withdrawals', text(left), text(funds.withdrawals)];
  yield ['pending', pendingOf(state), funds.pendingWithdrawals];
  type Row = Pick<NaiveWithdrawal, 'id' | 'account' | 'state'> & {
    readonly amount: bigint | number;
    readonly fee: bigint | number;
  };
  const rows = (each: Iterable<Row>): string =>
    Array.from(each, (row) => [row.id, row.account, row.amount, row.fee, row.state].join(' '))
      .toSorted()
      .join(', ');
  yield [
    'open withdrawals',
    rows(state.vault.withdrawals.filter(isOpen)),
    rows(withdrawals.values()),
  ];
}

const rowOf = (pending: readonly { ticks: number | bigint; at: number }[]): string =>
  pending.map(({ ticks, at }) => `${ticks}@${at}`).join(' ');

function* accountLines(state: NaiveState, oracle: NaiveAccount, engine: Account): Generator<Line> {
  const name = oracle.id === 0 ? 'fund' : `account ${oracle.id}`;
  yield [`${name} available`, oracle.available, engine.available];
  yield [`${name} freezes`, freezesOf(state, oracle.id), engine.freezes];
  const collateral = oracle.positions.reduce((sum, position) => sum + position.collateral, 0n);
  yield [`${name} collateral`, collateral, engine.collateral];
  yield [`${name} isolated`, oracle.isolated, engine.marginMode === 'isolated'];
  yield [`${name} flagged`, oracle.flagged, engine.flagged];
  yield [`${name} steppedAt`, oracle.steppedAt, engine.steppedAt];
  yield [`${name} traded`, oracle.traded || oracle.id === 0, engine.traded || oracle.id === 0];
  yield [`${name} referrer`, oracle.referrer, engine.referral?.referrer ?? 0];
  yield [`${name} accrued`, oracle.accrued, engine.referral?.accrued ?? 0];
  for (const position of oracle.positions) {
    const place = `${name} market ${position.market}`;
    yield* positionLines(place, position, engine.positions[position.market]);
  }
}

function* positionLines(
  place: string,
  oracle: NaivePosition,
  engine: Position | undefined,
): Generator<Line> {
  yield [`${place} lots`, oracle.lots, engine?.lots ?? 0];
  yield [`${place} entry`, oracle.entry, engine?.entry ?? 0];
  yield [`${place} collateral`, oracle.collateral, engine?.collateral ?? 0];
  yield [`${place} surcharge`, text(oracle.extra), text(engine?.surcharge ?? 0n)];
  yield [`${place} flagged`, oracle.flagged, engine?.flagged ?? false];
  yield [`${place} steppedAt`, oracle.steppedAt, engine?.steppedAt ?? 0];
}

/** Every resting order, in the order of age. */
function* orderLines(state: NaiveState, exchange: Exchange): Generator<Line> {
  const engine = directValues(exchange.orders).sort((a, b) => a.priority - b.priority);
  const names = (orders: readonly { name: string }[]): string =>
    orders.map(({ name }) => name).join(' ');
  const named = engine.map((order) => ({ name: order.clientOrderId }));
  yield ['orders', names(state.orders), names(named)];
  for (const order of state.orders) {
    const twin = engine.find(({ clientOrderId }) => clientOrderId === order.name);
    if (twin !== undefined) yield* orderFigures(order, twin);
  }
}

function* orderFigures(oracle: NaiveOrder, engine: Order): Generator<Line> {
  const name = `order ${oracle.name}`;
  yield [`${name} account`, oracle.account, engine.account];
  yield [`${name} open`, oracle.open, engine.open];
  yield [`${name} filled`, oracle.filled, engine.filled];
  yield [`${name} cover`, oracle.cover, engine.cover];
  yield [`${name} freeze`, oracle.freeze, engine.freeze];
}

/** The two answers: accepted or the reason, and the state of the order. */
export function compareOutcomes(oracle: NaiveOutcome, engine: Outcome): string | undefined {
  const reason = engine.kind === 'rejected' ? engine.rejection.reason : undefined;
  const reported = engine.kind === 'accepted' ? engine.order : undefined;
  const detail = engine.kind === 'rejected' ? JSON.stringify(engine.rejection) : '';
  const lines: Line[] = [[`reason ${detail}`, oracle.reason, reason]];
  if (oracle.order !== undefined && reported !== undefined) {
    lines.push(['status', oracle.order.status, reported.status]);
    lines.push(['filled', oracle.order.filled, reported.filled]);
    const ended = oracle.order.status === 'CANCELED';
    if (ended) lines.push(['cancelReason', oracle.order.cancelReason, reported.cancelReason]);
  }
  return firstOf(lines);
}
