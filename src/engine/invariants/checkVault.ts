// The invariants of a vault's money (VLT-2, VLT-3): what it has taken is what was credited and what
// is parked.

import type { Exchange } from '../exchange.ts';
import { parkedWalletsMax, withdrawalMinMax } from '../limits.ts';
import { type Findings, must } from './findings.ts';

/** Σ deposits of the vault = credited deposits + Σ parked + what has no place among the parked */
export function checkVault(
  findings: Findings,
  { vault, funds, credits, accounts }: Exchange,
): void {
  const { binding, parked, unnamed, depositTotal, depositCount } = vault;
  const { withdrawalMin: min, withdrawalFee: fee } = vault;
  let waiting = unnamed;
  for (const [address, amount] of parked) {
    must(findings, amount > 0n, () => `the parked money of ${address} is ${amount}`);
    waiting += amount;
  }
  must(findings, parked.size <= parkedWalletsMax && unnamed >= 0n, () => {
    return `${parked.size} wallets have parked money, and ${unnamed} has no name`;
  });
  let paidTotal = 0n;
  for (const [account, amount] of vault.paid) {
    const isWhole = amount > 0n && accounts[account]?.funded === true;
    must(findings, isWhole, () => `the vault has paid ${amount} to account ${account}`);
    paidTotal += amount;
  }
  const isTerms = min > 0 && min <= withdrawalMinMax && fee >= 0 && fee < min;
  must(findings, isTerms, () => `a withdrawal has the minimum ${min} and the fee ${fee}`);
  if (binding === null) {
    const isBlank = depositCount === 0 && depositTotal === 0n && waiting === 0n && paidTotal === 0n;
    must(findings, isBlank, () => 'deposits of a vault came, and there is none');
    return;
  }
  must(findings, credits.size === 0, () => 'the operator has credited beside a vault');
  must(findings, depositTotal === funds.deposits + waiting, () => {
    return `the vault has taken ${depositTotal}, not ${funds.deposits} and ${waiting} parked`;
  });
  must(findings, paidTotal <= funds.withdrawals, () => {
    return `the vault has paid ${paidTotal} by account, and ${funds.withdrawals} in all`;
  });
}
