// What must hold between two commands: BAL-2 and all other relations between the records of the
// state. The full check runs at every snapshot and for the operator. clearing/conservation.ts
// asserts what a single command must conserve.

import type { Exchange } from '../exchange.ts';
import { feeTiersMax } from '../limits.ts';
import { insuranceAccount } from '../marginModes.ts';
import { checkAccount } from './checkAccount.ts';
import { checkBooks } from './checkBooks.ts';
import { checkConnections } from './checkConnections.ts';
import { checkGuests } from './checkGuests.ts';
import { checkMarkets, createMarketSums } from './checkMarkets.ts';
import { checkPairs } from './checkPairs.ts';
import { checkReferral } from './checkReferral.ts';
import { checkRisk } from './checkRisk.ts';
import { checkSessions } from './checkSessions.ts';
import { checkTimers } from './checkTimers.ts';
import { checkTriggers } from './checkTriggers.ts';
import { checkVault } from './checkVault.ts';
import { createFindings, type Findings, must } from './findings.ts';

/** Totals of the system. Money is 1e-6 USDT. */
export type InvariantFigures = {
  /** Without the insurance fund's account; its buckets are not counted below either. */
  readonly accounts: number;
  readonly markets: number;
  readonly orders: number;
  readonly triggers: number;
  readonly balances: bigint;
  readonly available: bigint;
  readonly freezes: bigint;
  readonly collateral: bigint;
  /** Σ unified-margin offsets (MAR-7): in no bucket. */
  readonly uncovered: bigint;
  readonly insurance: bigint;
  readonly feeRevenue: bigint;
  readonly referralPayable: bigint;
  readonly pendingWithdrawals: bigint;
  readonly shortfall: bigint;
  /** Σ signed entry notional of all positions. */
  readonly entries: bigint;
  readonly deposits: bigint;
  readonly withdrawals: bigint;
  /** The left side of BAL-2 less the right; 0 when it holds. */
  readonly difference: bigint;
};

export type Invariants = {
  readonly ok: boolean;
  /** Full sentences; at most the first hundred. */
  readonly failures: readonly string[];
  readonly figures: InvariantFigures;
};

/** Checks everything. Cost: one pass over accounts, positions, orders and triggers. */
export function checkInvariants(exchange: Exchange): Invariants {
  const findings = createFindings();
  checkBlankTransients(findings, exchange);
  const sums = createMarketSums(exchange);
  const totals = { available: 0n, freezes: 0n, collateral: 0n, uncovered: 0n };
  for (const account of exchange.accounts) {
    if (account === undefined) continue;
    checkAccount(findings, exchange, account, sums);
    checkSessions(findings, exchange, account);
    if (account.id === insuranceAccount) continue;
    totals.available += BigInt(account.available);
    totals.freezes += BigInt(account.freezes);
    totals.collateral += BigInt(account.collateral);
    totals.uncovered += BigInt(account.uncovered);
  }
  checkIndexes(findings, exchange);
  checkMarkets(findings, exchange, sums);
  checkBooks(findings, exchange);
  checkTriggers(findings, exchange);
  checkPairs(findings, exchange);
  checkTimers(findings, exchange);
  checkGuests(findings, exchange);
  checkRisk(findings, exchange);
  checkConnections(findings, exchange);
  checkWithdrawals(findings, exchange);
  checkVault(findings, exchange);
  checkFeeTiers(findings, exchange);
  checkReferral(findings, exchange);
  const entries = sums.reduce((sum, { entry }) => sum + entry, 0n);
  const figures = figuresOf(exchange, { ...totals, entries });
  checkTotals(findings, figures);
  return { ok: findings.count === 0, failures: findings.messages, figures };
}

function figuresOf(
  exchange: Exchange,
  sums: Pick<InvariantFigures, 'available' | 'freezes' | 'collateral' | 'uncovered' | 'entries'>,
): InvariantFigures {
  const { funds } = exchange;
  const balances = sums.available + sums.freezes + sums.collateral;
  const insurance = BigInt(exchange.accounts[insuranceAccount]!.available);
  const feeRevenue = BigInt(funds.feeRevenue);
  const referralPayable = BigInt(funds.referralPayable);
  const pendingWithdrawals = BigInt(funds.pendingWithdrawals);
  const shortfall = BigInt(funds.shortfall);
  const { deposits, withdrawals } = funds;
  const system = insurance + feeRevenue + referralPayable + pendingWithdrawals - shortfall;
  return {
    accounts: exchange.accountByAddress.size - 1,
    markets: exchange.markets.length,
    orders: exchange.orders.size,
    triggers: exchange.triggers.size,
    balances,
    ...sums,
    insurance,
    feeRevenue,
    referralPayable,
    pendingWithdrawals,
    shortfall,
    deposits,
    withdrawals,
    difference: balances + system - sums.entries - (deposits - withdrawals),
  };
}

/** BAL-2 as a whole. */
function checkTotals(findings: Findings, figures: InvariantFigures): void {
  must(findings, figures.difference === 0n, () => {
    return `BAL-2 is off by ${figures.difference}: money was made or lost`;
  });
  const funds = ['insurance', 'feeRevenue', 'referralPayable', 'pendingWithdrawals', 'shortfall'];
  for (const name of [...funds, 'deposits', 'withdrawals'] as (keyof InvariantFigures)[]) {
    must(findings, figures[name] >= 0n, () => `${name} is negative: ${figures[name]}`);
  }
}

function checkBlankTransients(findings: Findings, exchange: Exchange): void {
  const { check, undo } = exchange;
  const blank = check.balances === 0 && check.funds === 0;
  const cleared = blank && check.entries === 0 && check.deposits === 0;
  must(findings, cleared, () => 'the sums of a command are not blank between commands');
  must(findings, !undo.active && undo.saved === 0, () => 'a tentative execution is still running');
  must(findings, exchange.taker === null, () => 'an incoming order is still sweeping');
  must(findings, exchange.drafted === null, () => 'an incoming order has legs that are not listed');
  must(findings, exchange.ended.length === 0, () => 'ended orders still hang in their queues');
  const flattened = exchange.flattened.length;
  must(findings, flattened === 0, () => `${flattened} closed positions keep their triggers`);
  const followed = exchange.shrunk.length === 0 && exchange.stirred.length === 0;
  must(findings, followed, () => 'legs have not followed their pairs');
}

/** BAL-2 counts pending withdrawals: their sum equals the fund of that name (NAT-3). */
function checkWithdrawals(findings: Findings, exchange: Exchange): void {
  const { accounts, withdrawals, funds } = exchange;
  const waiting = new Array<number>(accounts.length).fill(0);
  let pending = 0n;
  let before = 0;
  for (const [number, { id, account, amount, fee }] of withdrawals) {
    const known = accounts[account] !== undefined && account !== insuranceAccount;
    waiting[account] = (waiting[account] ?? 0) + 1;
    const drawn = id === number && id > before && id <= exchange.sequence;
    must(
      findings,
      known && drawn && amount > fee && fee >= 0,
      () => `withdrawal ${number} has a wrong account, number, amount or fee`,
    );
    before = number;
    pending += BigInt(amount);
  }
  for (const account of accounts) {
    if (account === undefined) continue;
    const { id, waitingWithdrawals } = account;
    must(findings, waitingWithdrawals === waiting[id], () => {
      return `account ${id} counts ${waitingWithdrawals} of ${waiting[id]} pending withdrawals`;
    });
  }
  must(findings, pending === BigInt(funds.pendingWithdrawals), () => {
    return `pending withdrawals make ${pending}, the fund holds ${funds.pendingWithdrawals}`;
  });
}

/** MAR-6: by rising volume; the first begins at 0 without a discount. */
function checkFeeTiers(findings: Findings, exchange: Exchange): void {
  const [first, ...others] = exchange.feeTiers;
  const plain = first?.minVolume === 0 && first.makerDiscount === 0 && first.takerDiscount === 0;
  let before = 0;
  const rising = others.every(({ minVolume }) => {
    const rises = minVolume > before;
    before = minVolume;
    return rises;
  });
  must(findings, plain && rising && others.length < feeTiersMax, () => {
    return `the fee table of ${others.length + 1} steps does not rise from a plain one`;
  });
}

/** The maps that find accounts, markets and keys. */
function checkIndexes(findings: Findings, exchange: Exchange): void {
  const { accounts, markets, accountByAddress, marketBySymbol } = exchange;
  const live = accounts.filter((account) => account !== undefined);
  accounts.forEach((account, index) => {
    if (account === undefined) return;
    const found = account.id === index && accountByAddress.get(account.address) === index;
    must(findings, found, () => `account ${index} is not found by its address`);
  });
  markets.forEach((market, index) => {
    const found = market.id === index && marketBySymbol.get(market.symbol) === index;
    must(findings, found, () => `market ${index} is not found by its symbol`);
  });
  const keys = live.reduce((sum, account) => sum + account.apiKeys.length, 0);
  const exact =
    accountByAddress.size === live.length &&
    marketBySymbol.size === markets.length &&
    exchange.apiKeys.size === keys;
  must(findings, exact, () => 'a map of addresses, symbols or API keys holds strangers');
  for (const [reference, credit] of exchange.credits) {
    const known = accounts[credit.account]?.funded === true && Number.isSafeInteger(credit.amount);
    must(findings, known, () => `credit ${reference} went to no account`);
  }
}
