// What must hold between two commands: BAL-2 and everything else that ties the records of the
// state to each other. In full: at every snapshot and for the operator. What a single command must
// conserve is asserted in clearing/conservation.ts.

import type { Account } from './account.ts';
import { checkBooks } from './checkBooks.ts';
import { checkMarkets, createMarketSums, type MarketSums, sumPosition } from './checkMarkets.ts';
import { checkQueues } from './checkQueues.ts';
import type { Exchange } from './exchange.ts';
import { createFindings, type Findings, must } from './findings.ts';

/** Totals of the system. Money is 1e-6 USDT. */
export type InvariantFigures = {
  readonly accounts: number;
  readonly markets: number;
  readonly orders: number;
  readonly balances: bigint;
  readonly available: bigint;
  readonly freezes: bigint;
  readonly collateral: bigint;
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

/** Checks everything. Cost: one pass over accounts, positions and orders. */
export function checkInvariants(exchange: Exchange): Invariants {
  const findings = createFindings();
  checkBlankTransients(findings, exchange);
  const sums = createMarketSums(exchange);
  let available = 0n;
  let freezes = 0n;
  let collateral = 0n;
  for (const account of exchange.accounts) {
    checkAccount(findings, exchange, account, sums);
    available += BigInt(account.available);
    freezes += BigInt(account.freezes);
    collateral += BigInt(account.collateral);
  }
  checkIndexes(findings, exchange);
  checkMarkets(findings, exchange, sums);
  checkBooks(findings, exchange);
  const entries = sums.reduce((sum, { entry }) => sum + entry, 0n);
  const figures = figuresOf(exchange, { available, freezes, collateral, entries });
  checkTotals(findings, figures);
  return { ok: findings.count === 0, failures: findings.messages, figures };
}

function figuresOf(
  exchange: Exchange,
  sums: Pick<InvariantFigures, 'available' | 'freezes' | 'collateral' | 'entries'>,
): InvariantFigures {
  const { funds } = exchange;
  const balances = sums.available + sums.freezes + sums.collateral;
  const insurance = BigInt(funds.insurance);
  const feeRevenue = BigInt(funds.feeRevenue);
  const referralPayable = BigInt(funds.referralPayable);
  const pendingWithdrawals = BigInt(funds.pendingWithdrawals);
  const shortfall = BigInt(funds.shortfall);
  const { deposits, withdrawals } = funds;
  const system = insurance + feeRevenue + referralPayable + pendingWithdrawals - shortfall;
  return {
    accounts: exchange.accounts.length,
    markets: exchange.markets.length,
    orders: exchange.orders.size,
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
  must(findings, !undo.active && undo.records.length === 0, () => 'a trial is still running');
  must(findings, exchange.taker === null, () => 'an incoming order is still sweeping');
  must(findings, exchange.ended.length === 0, () => 'ended orders still hang in their queues');
}

function checkAccount(
  findings: Findings,
  exchange: Exchange,
  account: Account,
  sums: MarketSums[],
): void {
  const name = `account ${account.id}`;
  for (const bucket of ['available', 'freezes', 'collateral'] as const) {
    const value = account[bucket];
    must(findings, Number.isSafeInteger(value) && value >= 0, () => {
      return `${name}: ${bucket} is ${value}`;
    });
  }
  let collateral = 0n;
  let freezes = 0n;
  let named = 0;
  account.positions.forEach((position, market) => {
    if (position === undefined) return;
    const place = position.account === account.id && position.market === market;
    must(findings, place, () => `${name}: the position in market ${market} is another's`);
    const { collateral: held } = position;
    must(findings, held >= 0, () => `${name}: collateral in market ${market} is ${held}`);
    must(findings, position.lots !== 0 || (position.entry === 0 && held === 0), () => {
      return `${name}: flat in market ${market} with entry ${position.entry}, collateral ${held}`;
    });
    collateral += BigInt(held);
    const queues = checkQueues(findings, exchange, account, position);
    freezes += queues.freezes;
    named += queues.named;
    const sum = sums[market];
    if (sum !== undefined) sumPosition(sum, account, position);
  });
  must(findings, collateral === BigInt(account.collateral), () => {
    return `${name}: collateral ${account.collateral}, its positions hold ${collateral}`;
  });
  must(findings, freezes === BigInt(account.freezes), () => {
    return `${name}: freezes ${account.freezes}, its orders hold ${freezes}`;
  });
  must(findings, named === account.clientOrderIds.size, () => {
    return `${name}: ${account.clientOrderIds.size} client order ids for ${named} orders`;
  });
  for (const key of account.apiKeys) {
    const known = key.account === account.id && exchange.apiKeys.get(key.apiKey) === key;
    must(findings, known, () => `${name}: API key ${key.id} is not the one that is looked up`);
  }
}

/** The maps by which accounts, markets and keys are found. */
function checkIndexes(findings: Findings, exchange: Exchange): void {
  const { accounts, markets, accountByAddress, marketBySymbol } = exchange;
  accounts.forEach((account, index) => {
    const found = account.id === index && accountByAddress.get(account.address) === index;
    must(findings, found, () => `account ${index} is not found by its address`);
  });
  markets.forEach((market, index) => {
    const found = market.id === index && marketBySymbol.get(market.symbol) === index;
    must(findings, found, () => `market ${index} is not found by its symbol`);
  });
  const keys = accounts.reduce((sum, account) => sum + account.apiKeys.length, 0);
  const exact =
    accountByAddress.size === accounts.length &&
    marketBySymbol.size === markets.length &&
    exchange.apiKeys.size === keys;
  must(findings, exact, () => 'a map of addresses, symbols or API keys holds strangers');
  for (const [reference, credit] of exchange.credits) {
    const known = accounts[credit.account] !== undefined && credit.amount > 0;
    must(findings, known, () => `credit ${reference} went to no account`);
  }
}
