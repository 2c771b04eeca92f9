// The words of a scenario for money that is neither an order's nor a trade's: withdrawals, margin
// modes, collateral, fee tiers, the insurance fund. The grammar is in docs/rules/README.md.

import type { Account } from '../../src/engine/account.ts';
import { applyCommand } from '../../src/engine/apply.ts';
import { feeRatesOf, tierOf, volumeOf } from '../../src/engine/clearing/fees.ts';
import type { Command } from '../../src/engine/command.ts';
import type { FeeTier } from '../../src/engine/feeTier.ts';
import { insuranceAccount, type MarginMode } from '../../src/engine/marginModes.ts';
import type { Market } from '../../src/engine/market.ts';
import { accountFigures } from '../../src/engine/views/accountFigures.ts';
import { vaultFigures } from '../../src/engine/views/vault.ts';
import { withdrawable } from '../../src/engine/views/withdrawable.ts';
import { formatQuotient, formatTrimmed } from '../../src/units/decimal.ts';
import type { OrderId, Rate, Time } from '../../src/units/units.ts';
import {
  accountOf,
  addressOf,
  marketOf,
  money,
  moneyText,
  option,
  scaled,
  type World,
} from './world.ts';

/** Runs a step that begins with a word of the operator about money; false: not such a step. */
export function actMoneyForAll(world: World, words: readonly string[]): boolean {
  const [first, ...rest] = words;
  switch (first) {
    case 'insurance': {
      const known = world.exchange.credits.size;
      const reference = option(rest, 'reference') ?? `insurance-${known}`;
      apply(world, { kind: 'creditInsurance', amount: money(rest[0]!), reference });
      return true;
    }
    case 'tiers':
      apply(world, { kind: 'setFeeTiers', tiers: rest.map(tierFrom) });
      return true;
    case 'tier': {
      const address = addressOf(world, rest[0]!);
      const feeTier = Number(rest[1]);
      apply(world, { kind: 'flagAccount', address, house: undefined, feeTier });
      return true;
    }
    case 'withdrawal': {
      const id = withdrawalFrom(world, rest[0]!);
      const action = rest[1] as 'complete' | 'release';
      apply(world, { kind: 'resolveWithdrawal', id, action });
      return true;
    }
    default:
      return false;
  }
}

/** Runs a step of an account about its money; false: the verb is none of these. */
export function actMoneyFor(world: World, name: string, words: readonly string[]): boolean {
  const [verb, ...rest] = words;
  switch (verb) {
    case 'withdraw': {
      const idempotencyKey = option(rest, 'key') ?? '';
      const idempotencyRequest = option(rest, 'request') ?? '';
      const account = accountOf(world, name).id;
      const amount = money(rest[0]!);
      const request = { idempotencyKey, idempotencyRequest };
      apply(world, { kind: 'requestWithdrawal', account, amount, ...request });
      return true;
    }
    case 'mode': {
      const account = accountOf(world, name).id;
      apply(world, { kind: 'setMarginMode', account, mode: rest[0] as MarginMode });
      return true;
    }
    case 'collateral': {
      const market = marketOf(world, rest).id;
      const account = accountOf(world, name).id;
      apply(world, { kind: 'transferCollateral', account, market, delta: money(rest[0]!) });
      return true;
    }
    default:
      return false;
  }
}

/** The figures of an account that these rules speak of. */
export function moneyFigures(
  world: World,
  account: Account,
  market: Market,
): Record<string, string> {
  const { exchange } = world;
  const figures = accountFigures(exchange, account);
  const position = account.positions[market.id];
  const rates = feeRatesOf(exchange, market, account);
  return {
    mode: account.marginMode,
    // The account's flag, or that of its isolated position in the market.
    flagged: account.flagged || position?.flagged === true ? 'yes' : 'no',
    uncovered: moneyText(figures.uncovered),
    crossBalance: moneyText(figures.crossBalance),
    marginRatio: formatTrimmed(figures.marginRatio, 8),
    withdrawable: moneyText(withdrawable(exchange, account)),
    tier: String(tierOf(exchange, account)),
    volume: moneyText(volumeOf(exchange, account)),
    makerFee: formatTrimmed(rates.maker, 8),
    takerFee: formatTrimmed(rates.taker, 8),
  };
}

/** The funds of the system by name, the insurance fund's available among them. */
export function fundFigures({ exchange }: World): Record<string, string> {
  const { funds } = exchange;
  const { parked } = vaultFigures(exchange);
  return {
    insurance: moneyText(exchange.accounts[insuranceAccount]!.available),
    feeRevenue: moneyText(funds.feeRevenue),
    referralPayable: moneyText(funds.referralPayable),
    shortfall: moneyText(funds.shortfall),
    pendingWithdrawals: moneyText(funds.pendingWithdrawals),
    parked: formatQuotient(parked, 1_000_000n, 6),
    deposits: formatQuotient(funds.deposits, 1_000_000n, 6),
    withdrawals: formatQuotient(funds.withdrawals, 1_000_000n, 6),
  };
}

function apply(world: World, command: Command): void {
  world.last = applyCommand(world.exchange, command, 0 as Time);
}

/** `minVolume:makerDiscount:takerDiscount`. */
function tierFrom(word: string): FeeTier {
  const [minVolume, maker, taker] = word.split(':');
  return {
    minVolume: money(minVolume!),
    makerDiscount: scaled(maker!, 8) as Rate,
    takerDiscount: scaled(taker!, 8) as Rate,
  };
}

/** `last` or `first` of all requests, or a number. */
export function withdrawalFrom(world: World, word: string): OrderId {
  if (word !== 'last' && word !== 'first') return Number(word) as OrderId;
  const ids = world.events.flatMap((event) =>
    event.kind === 'withdrawalRequested' ? [event.id] : [],
  );
  return ids.at(word === 'last' ? -1 : 0)!;
}
