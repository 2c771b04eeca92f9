// Whether an account can do nothing before it has money.

import { scaledOf } from '../state/grid.ts';
import type { Page } from '../state/page.ts';

const moneyDecimals = 6;

export function needsMoney({ account }: Page): boolean {
  const balance = account.balance.value;
  return balance !== undefined && scaledOf(balance.balance, moneyDecimals) === 0n;
}
