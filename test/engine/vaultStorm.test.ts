// Goal: whatever order the facts of a chain come in, no deposit is credited twice, no withdrawal is
// paid and released, and money that found no room is not lost (VLT-2 … VLT-5). Method: a simulated
// vault pays, queues, fails and cancels; observations of it, old ones too, come late, twice and
// mixed, and deposits with gaps. A plain model of balances and parked money must agree with the
// engine after every step, and snapshots are taken in between.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import { depositHash, noDeposits } from '../../src/engine/depositHash.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { owedMax } from '../../src/engine/limits.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import type { CreditDeposit, ReportWithdrawal } from '../../src/engine/vaultCommand.ts';
import { payableUntil } from '../../src/engine/vaultLedger.ts';
import { must } from '../../src/std/assert.ts';
import { createPrng, type Prng } from '../../src/std/prng.ts';
import type { AccountId, Money, OrderId, Time } from '../../src/units/units.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import { readOwed } from '../fixtures/readOwed.ts';
import { bindVaultCommand, vaultAddress } from './depositChain.ts';

const start = 1_760_000_000_000;
const wallets = Array.from({ length: 6 }, (_, at) => `0x${String(at + 1).repeat(40)}`);
const most = BigInt(owedMax);

type ChainState = 'none' | 'paid' | 'failed' | 'queued' | 'cancelled';
type Payment = {
  readonly id: OrderId;
  readonly createdAt: Time;
  readonly account: string;
  /** What leaves the balance, and what of it goes to the wallet. */
  readonly amount: bigint;
  readonly units: bigint;
  chain: ChainState;
  engine: 'open' | 'completed' | 'released';
};

type Storm = {
  readonly prng: Prng;
  exchange: Exchange;
  readonly deposits: CreditDeposit[];
  readonly payments: Map<OrderId, Payment>;
  /** Observations that have not come yet, or come again. */
  readonly observed: ReportWithdrawal[];
  readonly balances: Map<string, bigint>;
  readonly parked: Map<string, bigint>;
  readonly paid: Map<string, bigint>;
  counted: number;
  credited: bigint;
  left: bigint;
  fees: bigint;
  minute: number;
  /** The chain's time in seconds, before or behind that of the log. */
  chainTime: number;
  readonly told: Map<string, number>;
};

function createStorm(seed: number): Storm {
  const exchange = createExchange(43113);
  beginBatch(exchange, start as Time);
  applyCommand(exchange, bindVaultCommand, 0 as Time);
  return {
    prng: createPrng(seed),
    exchange,
    deposits: [],
    payments: new Map(),
    observed: [],
    balances: new Map(),
    parked: new Map(),
    paid: new Map(),
    counted: 0,
    credited: 0n,
    left: 0n,
    fees: 0n,
    minute: Math.floor(start / 60_000),
    chainTime: start / 1000,
    told: new Map(),
  };
}

function apply(storm: Storm, command: Command): ReturnType<typeof applyCommand> {
  const before = stateHash(storm.exchange);
  const outcome = applyCommand(storm.exchange, command, 0 as Time);
  storm.exchange.events = [];
  const word = outcome.kind === 'rejected' ? outcome.rejection.reason : command.kind;
  storm.told.set(word, 1 + (storm.told.get(word) ?? 0));
  if (outcome.kind === 'rejected') expectSame(stateHash(storm.exchange), before, word);
  return outcome;
}

const balanceOf = (storm: Storm, wallet: string): bigint => storm.balances.get(wallet) ?? 0n;
const add = (sums: Map<string, bigint>, wallet: string, units: bigint): void => {
  sums.set(wallet, (sums.get(wallet) ?? 0n) + units);
};

/** Credits what has room; gives the rest. */
function creditModel(storm: Storm, wallet: string, units: bigint): bigint {
  const room = most - (storm.credited - storm.left);
  const taken = units < room ? units : room;
  add(storm.balances, wallet, taken);
  storm.credited += taken;
  return units - taken;
}

/** Somebody pays in: small amounts, and a few that nearly fill or exceed the bound. */
function depositOnChain({ prng, deposits }: Storm): void {
  const draw = prng.below(30);
  const large = draw === 0 ? 2 ** 52 : draw < 3 ? owedMax / 3 : 50_000_000;
  const units = (1 + Math.floor(prng.unit() * large)) as Money;
  const address = prng.below(12) === 0 ? vaultAddress : wallets[prng.below(wallets.length)]!;
  const placed = { index: deposits.length + 1, address, units };
  const before = deposits.at(-1)?.hash ?? noDeposits;
  deposits.push({ kind: 'creditDeposit', ...placed, hash: depositHash(before, placed) });
}

/** A service brings a deposit: mostly the next, some again, some too early, some forged. */
function bringDeposit(storm: Storm): void {
  const { prng, deposits, counted } = storm;
  const shift = prng.below(4) === 0 ? prng.below(5) - 2 : 0;
  const fact = deposits[counted + shift];
  if (fact === undefined) return;
  const isForged = prng.below(8) === 0;
  const outcome = apply(storm, isForged ? { ...fact, units: (fact.units + 1) as Money } : fact);
  const isNext = shift === 0 && !isForged;
  expectSame(outcome.kind, isNext ? 'accepted' : 'rejected', `deposit ${fact.index}`);
  if (outcome.kind === 'rejected') {
    const reason = fact.index <= counted ? 'factKnown' : 'factContradicts';
    expectSame(outcome.rejection.reason, reason, `deposit ${fact.index}`);
  }
  if (!isNext) return;
  storm.counted += 1;
  const rest = creditModel(storm, fact.address, BigInt(fact.units));
  if (rest > 0n) add(storm.parked, fact.address, rest);
}

function requestWithdrawal(storm: Storm): void {
  const { prng, exchange } = storm;
  const wallet = wallets[prng.below(wallets.length)]!;
  const account = exchange.accountByAddress.get(wallet);
  if (account === undefined) return;
  const have = Number(balanceOf(storm, wallet));
  const share = prng.below(5) === 0 ? 1 : prng.unit();
  const amount = Math.floor(have * share) as Money;
  const fee = exchange.vault.withdrawalFee;
  const none = { idempotencyKey: '', idempotencyRequest: '' };
  const outcome = apply(storm, {
    kind: 'requestWithdrawal',
    account: account as AccountId,
    amount,
    ...none,
  });
  if (outcome.kind === 'rejected') return;
  const { id, createdAt } = outcome.withdrawal!;
  add(storm.balances, wallet, -BigInt(amount));
  const units = BigInt(amount - fee);
  const whole = { account: wallet, amount: BigInt(amount), units };
  storm.payments.set(id, { id, createdAt, ...whole, chain: 'none', engine: 'open' });
}

/** The vault does with one payment what its contract may do. */
function moveOnChain(storm: Storm): void {
  const { prng, payments, chainTime } = storm;
  const movable = [...payments.values()].filter(
    ({ chain, createdAt }) =>
      chain === 'queued' || (chain === 'none' && chainTime <= payableUntil(createdAt)),
  );
  const payment = movable[prng.below(Math.max(1, movable.length))];
  if (payment === undefined) return;
  const next: readonly ChainState[] =
    payment.chain === 'none'
      ? ['paid', 'paid', 'queued', 'failed']
      : ['paid', 'failed', 'cancelled'];
  payment.chain = next[prng.below(next.length)]!;
}

/** What a final block says now; it may reach the engine much later. */
function observe({ prng, payments, chainTime, observed }: Storm): void {
  const all = [...payments.values()];
  const { id, createdAt, chain, engine } = all[prng.below(Math.max(1, all.length))] ?? {};
  if (id === undefined || (engine !== 'open' && prng.below(4) > 0)) return;
  const fact = chain === 'none' && prng.below(3) === 0 ? 'sent' : chain!;
  const blockTime = fact === 'sent' ? 0 : chainTime;
  observed.push({ kind: 'reportWithdrawal', id, createdAt: createdAt!, fact, blockTime });
}

/** Any observation, and it may come again. */
function bringObservation(storm: Storm): void {
  const { prng, observed, payments } = storm;
  if (observed.length === 0) return;
  const at = prng.below(observed.length);
  const command = observed[at]!;
  if (prng.below(3) > 0) observed.splice(at, 1);
  const payment = payments.get(command.id)!;
  const isLate = command.blockTime > payableUntil(command.createdAt);
  const outcome = apply(storm, command);
  if (outcome.kind === 'rejected') return;
  expectSame(payment.engine, 'open', `a fact about ${command.id} counts once`);
  if (command.fact === 'sent' || command.fact === 'queued') return;
  if (command.fact === 'none') expectSame(isLate, true, 'only behind the deadline');
  payment.engine = command.fact === 'paid' ? 'completed' : 'released';
  if (payment.engine === 'released') {
    add(storm.balances, payment.account, payment.amount);
    return;
  }
  storm.left += payment.units;
  add(storm.paid, payment.account, payment.units);
  storm.fees += payment.amount - payment.units;
}

/** A queued id has no deadline any more, whatever a node forgets. */
function forgetQueued(storm: Storm): void {
  for (const { id, createdAt, state } of storm.exchange.withdrawals.values()) {
    if (state !== 'queued') continue;
    const blockTime = payableUntil(createdAt) + 1;
    const outcome = apply(storm, {
      ...{ kind: 'reportWithdrawal', id, createdAt, fact: 'none', blockTime },
    });
    expectSame(outcome, { kind: 'rejected', rejection: contradiction });
  }
}
const contradiction = { reason: 'factContradicts', detail: 'the vault may still pay it' };

function passTime(storm: Storm): void {
  const { prng, exchange, parked } = storm;
  const ms = prng.below(6) === 0 ? prng.below(40_000_000) : prng.below(90_000);
  beginBatch(exchange, (exchange.time + ms) as Time);
  exchange.events = [];
  storm.chainTime += Math.max(1, Math.floor(ms / 1000) + prng.below(41) - 20);
  const minute = Math.floor(exchange.time / 60_000);
  if (minute === storm.minute) return;
  storm.minute = minute;
  for (const [wallet, waiting] of [...parked]) {
    if (most === storm.credited - storm.left) break;
    const rest = creditModel(storm, wallet, waiting);
    parked.delete(wallet);
    if (rest > 0n) parked.set(wallet, rest);
  }
}

function compare(storm: Storm): void {
  const { exchange, parked, payments } = storm;
  expectSame(checkInvariants(exchange).failures, []);
  for (const wallet of wallets) {
    const account = exchange.accounts[exchange.accountByAddress.get(wallet) ?? -1];
    expectSame(BigInt(account?.available ?? 0), balanceOf(storm, wallet), wallet);
  }
  expectSame(BigInt(exchange.accounts[0]!.available), balanceOf(storm, vaultAddress), 'the fund');
  expectSame([...exchange.vault.parked], [...parked], 'parked money in its order');
  expectSame(exchange.funds.withdrawals, storm.left, 'what has left');
  expectSame(BigInt(exchange.funds.feeRevenue), storm.fees, 'fees');
  for (const { id, chain, engine } of payments.values()) {
    if (engine === 'completed') expectSame(chain, 'paid', `${id} was completed`);
    if (engine === 'released') expect(chain, `${id} was released`).not.toMatch(/paid|queued/);
  }
  compareOwed(storm);
  // What the vault holds is what the exchange owes, and what the engine has not seen paid yet.
  const paid = [...payments.values()].filter(({ chain }) => chain === 'paid');
  const unseen = paid.filter(({ engine }) => engine === 'open');
  const sum = (some: readonly Payment[]): bigint =>
    some.reduce((all, { units }) => all + units, 0n);
  const taken = storm.deposits
    .slice(0, storm.counted)
    .reduce((all, { units }) => all + BigInt(units), 0n);
  const { depositTotal } = exchange.vault;
  expectSame(depositTotal, taken, 'deposits');
  expectSame(
    depositTotal - exchange.funds.withdrawals,
    taken - sum(paid) + sum(unseen),
    'the vault',
  );
}

/** VLT-8: what each wallet is owed, by the model alone. */
function compareOwed({ exchange, balances, parked, paid, payments, counted, fees }: Storm): void {
  const owed = must(readOwed(exchange), 'a log with a vault knows what it owes');
  const unnamed = exchange.vault.unnamed;
  const expected = new Map(balances);
  for (const [wallet, units] of parked) add(expected, wallet, units);
  for (const { account, amount, engine } of payments.values())
    if (engine === 'open') add(expected, account, amount);
  add(expected, vaultAddress, fees + unnamed);
  const rows = owed.accounts.map((account, at) => [account, owed.units[at]!, owed.withdrawn[at]!]);
  const known = new Set([...expected.keys(), ...paid.keys()]);
  const wanted = [...known]
    .map((wallet) => [wallet, expected.get(wallet) ?? 0n, paid.get(wallet) ?? 0n])
    .filter(([wallet, units, left]) => wallet === vaultAddress || units !== 0n || left !== 0n);
  const sorted = (some: readonly unknown[][]): unknown[][] =>
    some.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  expectSame(sorted(rows), sorted(wanted), 'what each wallet is owed');
  const sum = owed.units.reduce((all, units) => all + units, 0n);
  expectSame(sum + owed.withdrawnTotal, owed.depositTotal + owed.deficit, 'the anchor adds up');
  expectSame(owed.depositCount, counted);
}

const steps: readonly ((storm: Storm) => void)[] = [
  depositOnChain,
  bringDeposit,
  bringDeposit,
  requestWithdrawal,
  moveOnChain,
  observe,
  observe,
  bringObservation,
  bringObservation,
  forgetQueued,
  passTime,
  ({ prng, exchange }) => {
    const min = (1 + prng.below(20_000)) as Money;
    const fee = (prng.below(min + 100) - 50) as Money;
    applyCommand(exchange, { kind: 'setWithdrawalTerms', min, fee }, 0 as Time);
    exchange.events = [];
  },
];

/** Everything that is on the chain reaches the engine. */
function settle(storm: Storm): void {
  while (storm.counted < storm.deposits.length) bringDeposit(storm);
  storm.chainTime += 1_000_000;
  for (const payment of storm.payments.values())
    if (payment.chain === 'queued') payment.chain = 'paid';
  for (const { id, createdAt, chain, engine } of storm.payments.values()) {
    if (engine !== 'open') continue;
    storm.observed.length = 0;
    const blockTime = storm.chainTime;
    storm.observed.push({ kind: 'reportWithdrawal', id, createdAt, fact: chain, blockTime });
    bringObservation(storm);
  }
  compare(storm);
  expect(storm.exchange.withdrawals.size).toBe(0);
}

const told = new Map<string, number>();

const seeds = Array.from({ length: 30 }, (_, at) => at + 1);

test.each(seeds)(
  'VLT-2 VLT-3 VLT-4 no order of facts credits, pays or releases twice, seed %i',
  (seed) => {
    const storm = createStorm(seed);
    for (let count = 0; count < 1200; count += 1) {
      steps[storm.prng.below(steps.length)]!(storm);
      if (count % 40 > 0) continue;
      compare(storm);
      const sections: Buffer[] = [];
      encodeSnapshot(storm.exchange, (section) => sections.push(Buffer.from(section)));
      const copy = decodeSnapshot(sections);
      expectSame(stateHash(copy), stateHash(storm.exchange));
      storm.exchange = copy;
    }
    settle(storm);
    for (const [word, times] of storm.told) told.set(word, times + (told.get(word) ?? 0));
    if (storm.exchange.vault.parked.size > 0) told.set('parked', 1 + (told.get('parked') ?? 0));
  },
);

test('the storms have met every refusal, and money without room', () => {
  for (const word of [
    ...['factKnown', 'factContradicts', 'withdrawalUnknown', 'withdrawalBelowMin', 'parked'],
    ...['creditDeposit', 'reportWithdrawal', 'requestWithdrawal'],
  ]) {
    expect(told.get(word) ?? 0, word).toBeGreaterThan(5);
  }
});
