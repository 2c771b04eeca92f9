// The words of a scenario for a vault (VLT-1): its binding, deposits, facts about withdrawals, and
// their terms. The grammar is in docs/rules/README.md.

import { applyCommand } from '../../src/engine/apply.ts';
import type { VaultCommand, withdrawalFacts } from '../../src/engine/vaultCommand.ts';
import { payableUntil } from '../../src/engine/vaultLedger.ts';
import type { OrderId, Time } from '../../src/units/units.ts';
import { bindVaultCommand, nextDeposit, vaultAddress } from '../engine/depositChain.ts';
import { withdrawalFrom } from './moneyWords.ts';
import { addressOf, money, option, type World } from './world.ts';

/** Runs a step about the vault; false: not such a step. */
export function actOnVault(world: World, words: readonly string[]): boolean {
  const [first, ...rest] = words;
  switch (first) {
    case 'vault': {
      const chainId = Number(option(rest, 'chain') ?? world.exchange.chainId);
      const tokenDecimals = Number(option(rest, 'decimals') ?? 6);
      apply(world, { ...bindVaultCommand, chainId, tokenDecimals });
      return true;
    }
    case 'deposit': {
      const address = rest[0] === 'fund' ? vaultAddress : addressOf(world, rest[0]!);
      const fact = nextDeposit(world.exchange, address, money(rest[1]!));
      const index = Number(option(rest, 'index') ?? fact.index);
      apply(world, { ...fact, index });
      return true;
    }
    case 'chain': {
      const id = withdrawalFrom(world, rest[0]!);
      const fact = rest[1] as (typeof withdrawalFacts)[number];
      const createdAt = requestedAt(world, id);
      const late = Number(option(rest, 'late') ?? 1);
      const blockTime = fact === 'sent' ? 0 : payableUntil(createdAt) + late;
      apply(world, { kind: 'reportWithdrawal', id, createdAt, fact, blockTime });
      return true;
    }
    case 'withdrawals':
      apply(world, { kind: 'setWithdrawalTerms', min: money(rest[0]!), fee: money(rest[1]!) });
      return true;
    default:
      return false;
  }
}

/** When a withdrawal that waits was requested. */
function requestedAt({ exchange }: World, id: OrderId): Time {
  return exchange.withdrawals.get(id)?.createdAt ?? exchange.time;
}

function apply(world: World, command: VaultCommand): void {
  world.last = applyCommand(world.exchange, command, 0 as Time);
}
