// What a scenario of the fuzz has more when its money lies in a vault: credits become deposits by
// their index, accounts withdraw, and the chain says what became of it, also late, twice and false.

import type { Command } from '../../src/engine/command.ts';
import type { Prng } from '../../src/std/prng.ts';
import type { AccountId, Money, OrderId, Time } from '../../src/units/units.ts';
import { bindVaultCommand, vaultAddress } from '../engine/depositChain.ts';
import { addressOf, chance, pick, spread } from './drawWorld.ts';
import { isOpen } from './naiveFigures.ts';
import type { NaiveState } from './naiveState.ts';
import { hashOf, roomOf, withdrawableOf } from './naiveVault.ts';

const usdt = 1_000_000;
/** Beyond what an order may be worth. */
const richMin = 100_000_000_000_000n;

export const vaultOpening: readonly Command[] = [bindVaultCommand];

/** The same money by the vault; who has nearly all of the money trades nothing. */
export function throughVault(prng: Prng, state: NaiveState, command: Command): Command {
  if (command.kind === 'placeOrder') {
    const isRich = state.accounts[command.account]!.available > richMin;
    return isRich ? drawVault(prng, state) : command;
  }
  if (command.kind === 'credit') return depositTo(state, command.address, command.amount);
  if (command.kind === 'creditInsurance') return depositTo(state, vaultAddress, command.amount);
  return command;
}

function depositTo({ vault }: NaiveState, address: string, units: number): Command {
  const hash = hashOf([...vault.deposits, { address, units: BigInt(units) }]);
  const index = vault.deposits.length + 1;
  return { kind: 'creditDeposit', index, address, units: units as Money, hash };
}

export function drawVault(prng: Prng, state: NaiveState): Command {
  const draw = prng.below(100);
  if (draw < 40) return drawRequest(prng, state);
  if (draw < 80) return drawFact(prng, state);
  if (draw < 86) {
    const min = pick(prng, [1, usdt, 5 * usdt, 100 * usdt, 100 * usdt + 1]);
    return { kind: 'setWithdrawalTerms', min: min as Money, fee: prng.below(min + 1) as Money };
  }
  const units = spread(prng, 1, 3000) * usdt;
  const address = addressOf(pick(prng, state.accounts.slice(1)).id);
  if (draw < 90) {
    return { kind: 'credit', address, amount: units as Money, reference: 'by hand' };
  }
  if (draw < 94) {
    // The next account takes nearly all the room there is.
    const most = Number(roomOf(state)) - prng.below(2000 * usdt);
    return depositTo(state, addressOf(state.accounts.length), Math.max(1, most));
  }
  const next = depositTo(state, chance(prng, 70) ? address : vaultAddress, units);
  if (next.kind !== 'creditDeposit' || chance(prng, 50)) return next;
  if (chance(prng, 50)) return { ...next, index: next.index - 1 + 2 * prng.below(2) };
  return { ...next, units: (next.units + 1) as Money };
}

function drawRequest(prng: Prng, state: NaiveState): Command {
  const account = pick(prng, state.accounts.slice(1));
  const most = Number(withdrawableOf(state, account));
  const part = Math.floor(most * prng.unit());
  const wish = Math.floor(Number(account.available) * prng.unit());
  const amount = pick(prng, [most, most + 1, part, wish, wish, Math.floor(part / 50), 0]);
  const asked = { idempotencyKey: '', idempotencyRequest: '' };
  const id = account.id as AccountId;
  return { kind: 'requestWithdrawal', account: id, amount: amount as Money, ...asked };
}

/** Mostly of an open one; about the deadline when the vault does not know it. */
function drawFact(prng: Prng, state: NaiveState): Command {
  const { withdrawals } = state.vault;
  const open = withdrawals.filter(isOpen);
  const some = open.length > 0 && chance(prng, 85) ? open : withdrawals;
  if (some.length === 0) return drawRequest(prng, state);
  const { id, createdAt } = pick(prng, some);
  const fact = pick(prng, [
    'sent',
    'sent',
    'queued',
    'paid',
    'paid',
    'failed',
    'cancelled',
    'none',
  ]);
  const deadline = Math.floor(createdAt / 1000) + 86_400;
  return {
    ...{ kind: 'reportWithdrawal', id: id as OrderId, fact, createdAt: createdAt as Time },
    blockTime: deadline + pick(prng, [-1, 0, 1, 1, 1]),
  } as Command;
}
