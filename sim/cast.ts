// The participants of a simulated day: their account numbers, and their initial money.

import { leverageAt } from '../src/api/leverageAt.ts';
import type { Bracket } from '../src/engine/bracket.ts';
import type { Command } from '../src/engine/command.ts';
import type { AccountId, Money } from '../src/units/units.ts';
import { usdt } from '../src/units/units.ts';
import type { CrowdMember } from './crowd.ts';
import { market } from './simMarket.ts';

export const makerCount = 10;
/** Makers stop quoting in a steep fall; the house continues as long as its money lasts. */
export const makerIds = Array.from({ length: makerCount }, (_, i) => (i + 1) as AccountId);
export const houseId = (makerCount + 1) as AccountId;
/** The two that trade a recording's prints with each other. */
export const printTraderIds = [makerCount + 2, makerCount + 3] as [AccountId, AccountId];
export const firstCrowdId = makerCount + 4;

/** For each account of the crowd, USDT. */
const makerMoney = 600;
const houseMoney = 250;
const printTraderMoney = (200_000_000 * usdt) as Money;
const makerLeverageMax = 10;

/** A wallet address of an account. */
const addressOf = (account: number): string => `0x${account.toString(16).padStart(40, '0')}`;

/** Credits, flags and leverages, in the order of the accounts' numbers, and the fund's money. */
export function openingCommands(
  crowd: readonly CrowdMember[],
  fund: Money,
  brackets: readonly Bracket[],
): Command[] {
  const size = crowd.length;
  // A maker quotes in every bracket.
  const makerLeverage = Math.min(makerLeverageMax, leverageAt(brackets.at(-1)!.rate));
  const commands: Command[] = [];
  const credit = (account: AccountId, amount: number): void => {
    const address = addressOf(account);
    commands.push({
      kind: 'credit',
      address,
      amount: amount as Money,
      reference: `open-${account}`,
    });
  };
  const setLeverage = (account: AccountId, leverage: number): void => {
    commands.push({ kind: 'setLeverage', account, market, leverage });
  };
  for (const maker of makerIds) credit(maker, size * makerMoney * usdt);
  credit(houseId, size * houseMoney * usdt);
  for (const trader of printTraderIds) credit(trader, printTraderMoney);
  for (const { account, balance } of crowd) credit(account, balance);
  for (const account of [...makerIds, houseId]) setLeverage(account, makerLeverage);
  for (const { account, leverage } of crowd) setLeverage(account, leverage);
  for (const account of [houseId, ...printTraderIds]) {
    const address = addressOf(account);
    commands.push({ kind: 'flagAccount', address, house: true, feeTier: undefined });
  }
  if (fund > 0) commands.push({ kind: 'creditInsurance', amount: fund, reference: 'open-fund' });
  return commands;
}
