// What the engine knows of its vault, as a model behind the service's port: deposits by index and
// hash, balances that move between accounts, withdrawals with their states. It can be put back to
// an earlier state, as by an old backup.

import type { Hex } from 'viem';
import type {
  ChainEngine,
  ChainFact,
  DepositFact,
  FactResult,
  OpenWithdrawal,
  WithdrawalFact,
} from '../../src/chain/chainEngine.ts';
import { depositHash, noDeposits } from '../../src/chain/depositHash.ts';

export type EndedWithdrawal = OpenWithdrawal & { readonly end: 'completed' | 'released' };

type State = {
  readonly deposits: DepositFact[];
  hash: Hex;
  total: bigint;
  completed: bigint;
  readonly balances: Map<Hex, bigint>;
  readonly open: Map<Hex, OpenWithdrawal>;
  readonly ended: Map<Hex, EndedWithdrawal>;
};

export type SimulatedEngine = Pick<ChainEngine, 'view'> & {
  readonly submit: (facts: readonly ChainFact[]) => FactResult[];
  readonly state: () => Readonly<State>;
  /** False when the account does not have the money. */
  readonly request: (withdrawal: OpenWithdrawal) => boolean;
  /** What trading does: money moves from one account to another. */
  readonly move: (from: Hex, to: Hex, units: bigint) => void;
  readonly backup: () => () => void;
};

const copyOf = (state: State): State => ({
  ...state,
  deposits: [...state.deposits],
  balances: new Map(state.balances),
  open: new Map(state.open),
  ended: new Map(state.ended),
});

export function createSimulatedEngine(): SimulatedEngine {
  let state: State = {
    deposits: [],
    hash: noDeposits,
    total: 0n,
    completed: 0n,
    balances: new Map(),
    open: new Map(),
    ended: new Map(),
  };
  const add = (account: Hex, units: bigint): void => {
    state.balances.set(account, (state.balances.get(account) ?? 0n) + units);
  };
  const take = (fact: ChainFact): FactResult =>
    fact.kind === 'deposit' ? credit(state, fact, add) : report(state, fact, add);
  return {
    state: () => state,
    view: () => ({
      depositCount: BigInt(state.deposits.length),
      depositsHash: state.hash,
      depositTotal: state.total,
      completedTotal: state.completed,
      openCount: state.open.size,
      open: state.open.values(),
    }),
    submit: (facts) => facts.map(take),
    request: (withdrawal) => {
      if ((state.balances.get(withdrawal.to) ?? 0n) < withdrawal.units) return false;
      add(withdrawal.to, -withdrawal.units);
      state.open.set(withdrawal.id, withdrawal);
      return true;
    },
    move: (from, to, units) => {
      if ((state.balances.get(from) ?? 0n) < units) return;
      add(from, -units);
      add(to, units);
    },
    backup: () => {
      const kept = copyOf(state);
      return () => {
        state = copyOf(kept);
      };
    },
  };
}

type Add = (account: Hex, units: bigint) => void;

function credit(state: State, fact: DepositFact, add: Add): FactResult {
  const { index, account, units, hash } = fact;
  const next = BigInt(state.deposits.length + 1);
  if (index !== next) return index < next ? 'known' : 'refused';
  if (depositHash(state.hash, index, { account, units }) !== hash) return 'refused';
  state.deposits.push(fact);
  state.hash = hash;
  state.total += units;
  add(account, units);
  return 'taken';
}

/** The transitions of the engine's command; an id that has ended is unknown. */
function report(state: State, { id, fact, blockTime }: WithdrawalFact, add: Add): FactResult {
  const open = state.open.get(id);
  if (open === undefined) return 'known';
  if (fact === 'sent' || fact === 'queued') {
    if (open.state === fact || open.state === 'queued') return 'known';
    state.open.set(id, { ...open, state: fact });
    return 'taken';
  }
  if (fact === 'none' && (open.state === 'queued' || blockTime <= open.deadline)) return 'refused';
  const end = fact === 'paid' ? 'completed' : 'released';
  state.open.delete(id);
  state.ended.set(id, { ...open, end });
  if (end === 'completed') state.completed += open.units;
  else add(open.to, open.units);
  return 'taken';
}
