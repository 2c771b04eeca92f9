// The invariants of one account: its buckets and sums against its positions, orders and triggers
// (BAL-1, MAR-7), its flags (LIQ-1), its client ids (ID-2) and its keys; and the form of the fund.

import { rateOne } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { windowDays } from '../clearing/fees.ts';
import type { Exchange } from '../exchange.ts';
import { insuranceAccount, insuranceAddress } from '../marginModes.ts';
import type { Position } from '../position.ts';
import { type MarketSums, sumPosition } from './checkMarkets.ts';
import { checkQueues } from './checkQueues.ts';
import { checkAccountTriggers } from './checkTriggers.ts';
import { type Findings, must } from './findings.ts';

/** The sums of an account's positions and orders, to compare with its own figures. */
type Sums = {
  collateral: bigint;
  freezes: bigint;
  uncovered: bigint;
  /** The number of orders and triggers with a client's own id. */
  named: number;
  open: number;
};

export function checkAccount(
  findings: Findings,
  exchange: Exchange,
  account: Account,
  markets: MarketSums[],
): void {
  const name = `account ${account.id}`;
  for (const bucket of ['available', 'freezes', 'collateral', 'uncovered'] as const) {
    const value = account[bucket];
    must(findings, Number.isSafeInteger(value) && value >= 0, () => {
      return `${name}: ${bucket} is ${value}`;
    });
  }
  const sums: Sums = { collateral: 0n, freezes: 0n, uncovered: 0n, named: 0, open: 0 };
  account.positions.forEach((position, market) => {
    if (position === undefined) return;
    const place = position.account === account.id && position.market === market;
    must(findings, place, () => `${name}: the position in market ${market} is another's`);
    checkPosition(findings, account, position);
    addPosition(findings, exchange, { account, position, sums });
    const sum = markets[market];
    if (sum !== undefined) sumPosition(sum, account, position);
  });
  sums.named += checkAccountTriggers(findings, exchange, account);
  for (const bucket of ['collateral', 'freezes', 'uncovered'] as const) {
    must(findings, sums[bucket] === BigInt(account[bucket]), () => {
      return `${name}: ${bucket} ${account[bucket]}, its positions and orders make ${sums[bucket]}`;
    });
  }
  must(findings, sums.named === account.clientOrderIds.size, () => {
    return `${name}: ${account.clientOrderIds.size} client ids for ${sums.named} orders, triggers`;
  });
  checkModes(findings, account, sums);
  if (account.id === insuranceAccount) checkFund(findings, account);
  for (const key of account.apiKeys) {
    const known = key.account === account.id && exchange.apiKeys.get(key.apiKey) === key;
    must(findings, known, () => `${name}: API key ${key.id} is not the one that is looked up`);
  }
}

function addPosition(
  findings: Findings,
  exchange: Exchange,
  of: { readonly account: Account; readonly position: Position; readonly sums: Sums },
): void {
  const { account, position, sums } = of;
  const queues = checkQueues(findings, exchange, account, position);
  sums.collateral += BigInt(position.collateral);
  sums.freezes += queues.freezes;
  sums.uncovered += BigInt(position.uncovered) + queues.uncovered;
  sums.named += queues.named;
  if (position.lots !== 0) sums.open += 1;
}

function checkPosition(findings: Findings, account: Account, position: Position): void {
  const { market, lots, entry, collateral, uncovered, flagged, surcharge } = position;
  const name = `account ${account.id}, market ${market}`;
  must(findings, collateral >= 0, () => `${name}: collateral is ${collateral}`);
  must(findings, uncovered >= 0, () => `${name}: uncovered is ${uncovered}`);
  must(findings, lots !== 0 || (entry === 0 && collateral === 0 && uncovered === 0), () => {
    return `${name}: flat with entry ${entry}, collateral ${collateral}, uncovered ${uncovered}`;
  });
  // Of no lot more than 100 % (MAR-10).
  const surchargeMax = BigInt(Math.abs(lots)) * BigInt(rateOne);
  must(findings, surcharge >= 0n && surcharge <= surchargeMax, () => {
    return `${name}: a surcharge of ${surcharge} for ${lots} lots (MAR-10)`;
  });
  must(findings, !flagged || (lots !== 0 && account.marginMode === 'isolated'), () => {
    return `${name}: flagged with ${lots} lots in mode ${account.marginMode} (LIQ-1)`;
  });
}

function checkModes(findings: Findings, account: Account, sums: Sums): void {
  const name = `account ${account.id}`;
  const { marginMode, uncovered, flagged, volume } = account;
  must(findings, uncovered === 0 || marginMode === 'unified', () => {
    return `${name}: ${uncovered} uncovered in mode ${marginMode} (MAR-7)`;
  });
  must(findings, !flagged || (sums.open > 0 && marginMode !== 'isolated'), () => {
    return `${name}: flagged with ${sums.open} positions in mode ${marginMode} (LIQ-1)`;
  });
  const { past, today } = volume;
  const counted = today >= 0 && past.every((money) => money >= 0);
  must(findings, counted && (past.length === 0 || past.length === windowDays), () => {
    return `${name}: the volume of ${past.length} days is out of bounds (MAR-6)`;
  });
}

/** Without wallet, margin and flag: all money of the fund is available (LIQ-3). */
function checkFund(findings: Findings, fund: Account): void {
  const plain = fund.address === insuranceAddress && fund.house && fund.marginMode === 'cross';
  const pays = fund.freezes === 0 && fund.collateral === 0 && !fund.flagged;
  must(findings, plain && pays && fund.triggers.length === 0 && fund.apiKeys.length === 0, () => {
    return 'the insurance fund is not a plain account without margin';
  });
}
