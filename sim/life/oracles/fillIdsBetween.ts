// The numbers of an account's fills on a market, in order, from one to another, as the witness
// noted them. A number appears twice when the account was on both sides.

import type { FillNumbers } from './createTimelineAuditor.ts';
import { fillsKey } from './keys.ts';

export type Between = {
  readonly account: number;
  readonly symbol: string;
  /** Both included. */
  readonly first: number;
  readonly last: number;
};

export function fillIdsBetween(
  numbers: FillNumbers,
  { account, symbol, first, last }: Between,
): number[] {
  const ids = numbers.get(fillsKey(account, symbol)) ?? [];
  return ids.filter((id) => id >= first && id <= last);
}
