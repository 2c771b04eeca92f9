// The engine behind the service's port, with what a judge must know beside it: the deposits that it
// took and the withdrawals that have ended. Only trading is imitated: money moves from one account
// to another. It can be put back to an earlier state, as by an old backup.

import type { Hex } from 'viem';
import type {
  ChainFact,
  DepositFact,
  EngineView,
  FactResult,
  OpenPart,
  OpenWithdrawal,
} from '../../src/chain/chainEngine.ts';
import { commandOf, resultOf } from '../../src/chain/commandOf.ts';
import { openByIds, viewOf } from '../../src/chain/viewOf.ts';
import { withdrawalId } from '../../src/chain/withdrawalId.ts';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import { post } from '../../src/engine/clearing/ledger.ts';
import type { Command } from '../../src/engine/command.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { must } from '../../src/std/assert.ts';
import type { Money, Time } from '../../src/units/units.ts';

export type EndedWithdrawal = OpenWithdrawal & { readonly end: 'completed' | 'released' };

/** What the chain's judge compares. */
export type EngineState = {
  readonly deposits: readonly DepositFact[];
  /** Of all deposits, and of all completed withdrawals. */
  readonly total: bigint;
  readonly completed: bigint;
  readonly ended: ReadonlyMap<Hex, EndedWithdrawal>;
  readonly balances: ReadonlyMap<Hex, bigint>;
  readonly open: ReadonlyMap<Hex, OpenWithdrawal>;
};

export type SimulatedEngine = {
  readonly view: (part: OpenPart) => EngineView;
  readonly submit: (facts: readonly ChainFact[]) => FactResult[];
  readonly state: () => EngineState;
  readonly exchange: () => Exchange;
  /** In the order of the ids; undefined for one that is not open. */
  readonly openByIds: (ids: readonly Hex[]) => readonly (OpenWithdrawal | undefined)[];
  /** The id; undefined when the account does not have the money. Seconds of the engine's clock. */
  readonly request: (wish: {
    readonly to: Hex;
    readonly units: bigint;
    readonly time: bigint;
  }) => Hex | undefined;
  /** What trading does: money moves from one account to another. */
  readonly move: (from: Hex, to: Hex, units: bigint) => void;
  readonly backup: () => () => void;
};

const chainId = 43113;
const everything: OpenPart = { from: 0, count: Number.POSITIVE_INFINITY };

type Run = {
  exchange: Exchange;
  deposits: DepositFact[];
  ended: Map<Hex, EndedWithdrawal>;
  /** The state as it was last asked for; undefined when it has changed since. */
  state: EngineState | undefined;
};

function bound(): Exchange {
  const exchange = createExchange(chainId);
  const outcome = apply(exchange, {
    kind: 'bindVault',
    chainId,
    address: `0x${'f'.repeat(40)}`,
    token: `0x${'e'.repeat(40)}`,
    tokenDecimals: 6,
    codeHash: `0x${'0'.repeat(64)}`,
    deployBlock: 0,
  });
  if (outcome.kind !== 'accepted') throw new Error('an empty log takes any vault');
  return exchange;
}

function apply(exchange: Exchange, command: Command): Outcome {
  const outcome = applyCommand(exchange, command, 0 as Time);
  exchange.events = [];
  return outcome;
}

export function createSimulatedEngine(): SimulatedEngine {
  const run: Run = { exchange: bound(), deposits: [], ended: new Map(), state: undefined };
  return {
    view: (part) => viewOf(run.exchange, part),
    submit: (facts) => facts.map((fact) => take(run, fact)),
    state: () => {
      run.state ??= stateOf(run);
      return run.state;
    },
    exchange: () => run.exchange,
    openByIds: (ids) => openByIds(run.exchange, ids),
    request: ({ to, units, time }) => {
      const { exchange } = run;
      run.state = undefined;
      const now = Math.max(exchange.time, Number(time) * 1000) as Time;
      beginBatch(exchange, now);
      const account = exchange.accountByAddress.get(to);
      if (account === undefined) return undefined;
      const none = { idempotencyKey: '', idempotencyRequest: '' };
      const amount = Number(units) as Money;
      const outcome = apply(exchange, { kind: 'requestWithdrawal', account, amount, ...none });
      if (outcome.kind === 'rejected') return undefined;
      return withdrawalId(now, must(outcome.withdrawal, 'it was requested').id);
    },
    move: (from, to, units) => {
      run.state = undefined;
      move(run.exchange, { from, to, units });
    },
    backup: () => {
      const sections: Buffer[] = [];
      encodeSnapshot(run.exchange, (section) => sections.push(Buffer.from(section)));
      const kept = { deposits: [...run.deposits], ended: new Map(run.ended) };
      return () => {
        run.state = undefined;
        run.exchange = decodeSnapshot(sections);
        run.deposits = kept.deposits;
        run.ended = kept.ended;
      };
    },
  };
}

function take(run: Run, fact: ChainFact): FactResult {
  const command = must(commandOf(fact), 'every fact is about a record');
  run.state = undefined;
  const [open] = fact.kind === 'deposit' ? [] : openByIds(run.exchange, [fact.id]);
  const result = resultOf(apply(run.exchange, command));
  if (result !== 'taken') return result;
  if (fact.kind === 'deposit') run.deposits.push(fact);
  else if (fact.fact !== 'sent' && fact.fact !== 'queued') {
    const end = fact.fact === 'paid' ? 'completed' : 'released';
    run.ended.set(fact.id, { ...must(open, 'what ends was open'), end });
  }
  return result;
}

type Move = { readonly from: Hex; readonly to: Hex; readonly units: bigint };

function move(exchange: Exchange, { from, to, units }: Move): void {
  const [source, target] = [from, to].map(
    (address) => exchange.accounts[exchange.accountByAddress.get(address) ?? -1],
  );
  if (source === undefined || target === undefined || source.available < units) return;
  post(exchange, source, 'available', -Number(units) as Money);
  post(exchange, target, 'available', Number(units) as Money);
}

function stateOf({ exchange, deposits, ended }: Run): EngineState {
  const { depositTotal, completedTotal, open } = viewOf(exchange, everything);
  const users = exchange.accounts.slice(1);
  const balances = users.map((user) => [user!.address as Hex, BigInt(user!.available)] as const);
  return {
    ...{ deposits, ended, total: depositTotal, completed: completedTotal },
    balances: new Map(balances),
    open: new Map(open.map((each) => [each.id, each])),
  };
}
