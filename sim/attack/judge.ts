// The end of a played scenario: what the attackers gained and who paid, and whether the books hold.

import type { Account } from '../../src/engine/account.ts';
import { equityOf, ownEquityOf } from '../../src/engine/clearing/margin.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import { accountFigures } from '../../src/engine/views/accountFigures.ts';
import { assert } from '../../src/std/assert.ts';
import { rateOne } from '../../src/units/units.ts';
import { type Gains, gainNames } from './attackLedger.ts';
import { documentedBound } from './documentedBound.ts';
import type { Stage } from './stage.ts';
import type { TermsWatch } from './termsWatch.ts';

/** Money in 1e-6 USDT. */
export type Judgement = {
  readonly gains: Gains;
  /** What the attackers owe beyond what they have: others will pay it. */
  readonly unpaid: number;
  /** All of their gain. */
  readonly total: number;
  /** What the rules paid, less fees and less what was lost in trading. */
  readonly outOfRules: number;
  /** What the rule book admits of that. */
  readonly bound: number;
  readonly terms: TermsWatch;
  /** The attackers' equity and withdrawals at the end. */
  readonly wealth: number;
  readonly rejections: number;
};

export function judge(stage: Stage): Judgement {
  const { exchange } = stage.world;
  const { gains, attackers, deposits, withdrawn } = stage.ledger;
  let wealth = 0;
  let unpaid = 0;
  for (const id of attackers) {
    const account = exchange.accounts[id]!;
    wealth += accountFigures(exchange, account).equity;
    unpaid += unpaidOf(exchange, account);
  }
  const total = wealth + withdrawn - deposits;
  const booked = gainNames.reduce((sum, name) => sum + gains[name], 0);
  assert(booked === total, `the attackers gained ${total}, and the parts are ${booked}`);
  assertConserved(exchange);
  assertReferral(stage);
  const traded = gains.trading + gains.moves + gains.delivery + gains.carry;
  const paid = total + unpaid - traded - gains.fees;
  return {
    gains,
    unpaid,
    total,
    outOfRules: paid + gains.fees + Math.min(0, traded),
    bound: documentedBound(stage),
    terms: stage.terms,
    wealth: wealth + withdrawn,
    rejections: stage.rejections,
  };
}

/**
 * A ring of own accounts gets the share of the fees that it paid, and nothing else (NAT-4c). No
 * market of an attack has rebates.
 */
function assertReferral({ ledger: { gains }, world: { exchange } }: Stage): void {
  const { share } = exchange.referralTerms;
  const most = (-gains.fees * share) / rateOne;
  assert(gains.referral <= most, `referral paid ${gains.referral} for fees of ${-gains.fees}`);
}

/** −E of an account without equity; of an isolated one, of each of its positions. */
function unpaidOf(exchange: Exchange, account: Account): number {
  if (account.marginMode !== 'isolated') return Math.max(0, -equityOf(exchange, account));
  let unpaid = 0;
  for (const position of account.positions) {
    if (position === undefined || position.lots === 0) continue;
    unpaid += Math.max(0, -ownEquityOf(exchange.markets[position.market]!, position));
  }
  return unpaid;
}

/**
 * Over all accounts: equity + fees + referral payable + withdrawals − shortfall − deposits = 0
 * (BAL-2).
 */
function assertConserved(exchange: Exchange): void {
  const { funds } = exchange;
  let sum = funds.feeRevenue + funds.referralPayable + funds.pendingWithdrawals - funds.shortfall;
  for (const account of liveAccounts(exchange)) sum += equityOf(exchange, account);
  const kept = BigInt(sum) + funds.withdrawals - funds.deposits;
  assert(kept === 0n, `money is made or lost: ${kept}`);
}
