// In which order the checks of the vault come (VLT-1 … VLT-5).

import type { Exchange } from '../../../src/engine/exchange.ts';
import { payableUntil } from '../../../src/engine/vaultLedger.ts';
import type { Money, OrderId } from '../../../src/units/units.ts';
import { bindVaultCommand, nextDeposit } from '../depositChain.ts';
import { late } from './commonSpoilers.ts';
import type { Precedence, Spoiler } from './situation.ts';

const { kind: _kind, chainId: _chain, ...binding } = bindVaultCommand;

/** The log has a vault: as if its deposits were the credits of the situation. */
export function bind(exchange: Exchange): void {
  exchange.vault.binding = { ...binding };
  exchange.credits.clear();
}

/** The operator's money is refused from then on (VLT-6). */
export const vaultBound: Spoiler<
  'credit' | 'correctCredit' | 'creditInsurance' | 'resolveWithdrawal'
> = {
  name: 'vaultBound',
  spoil: ({ exchange }) => {
    exchange.vault.binding = { ...binding };
  },
  holds: ({ exchange }) => exchange.vault.binding !== null,
};

const vaultMissing: Spoiler<'creditDeposit' | 'reportWithdrawal' | 'setWithdrawalTerms'> = {
  name: 'vaultMissing',
  spoil: ({ exchange }) => {
    exchange.vault.binding = null;
  },
  holds: ({ exchange }) => exchange.vault.binding === null,
};

export const bindVaultPrecedence: Precedence<'bindVault'> = {
  owner: 'fund',
  command: ({ exchange }) => {
    exchange.credits.clear();
    exchange.funds.deposits = 0n;
    return { ...bindVaultCommand };
  },
  spoilers: [
    late,
    {
      name: 'vaultBound',
      spoil: ({ exchange }) => {
        exchange.vault.binding = { ...binding, deployBlock: 8 };
      },
      holds: ({ exchange }) => exchange.vault.binding !== null,
    },
    {
      name: 'depositsPresent: money',
      spoil: ({ exchange }) => {
        exchange.funds.deposits = 1n;
      },
      holds: ({ exchange }) => exchange.funds.deposits > 0n,
    },
    {
      name: 'depositsPresent: a corrected credit',
      spoil: ({ exchange, account }) => {
        exchange.credits.set('corrected', { account: account.id, amount: 0 as Money });
      },
      holds: ({ exchange }) => exchange.credits.size > 0,
    },
    {
      name: 'termsInvalid: chain',
      spoil: ({ command }) => {
        command.chainId = 1;
      },
      holds: ({ command, exchange }) => command.chainId !== exchange.chainId,
    },
    {
      name: 'termsInvalid: token',
      spoil: ({ command }) => {
        command.token = command.address;
      },
      holds: ({ command }) => command.token === command.address,
    },
    {
      name: 'termsInvalid: decimals',
      spoil: ({ command }) => {
        command.tokenDecimals = 5;
      },
      holds: ({ command }) => command.tokenDecimals < 6,
    },
  ],
};

export const creditDepositPrecedence: Precedence<'creditDeposit'> = {
  owner: 'carol',
  command: ({ exchange, account }) => {
    bind(exchange);
    exchange.vault.depositCount = 3;
    return nextDeposit(exchange, account.address, 5);
  },
  spoilers: [
    late,
    vaultMissing,
    {
      name: 'amountInvalid',
      spoil: ({ command }) => {
        command.units = 0 as Money;
      },
      holds: ({ command }) => command.units <= 0,
    },
    {
      name: 'factKnown',
      spoil: ({ command }) => {
        command.index = 3;
      },
      holds: ({ command }) => command.index <= 3,
    },
    {
      name: 'factContradicts: index',
      spoil: ({ command }) => {
        command.index = 5;
      },
      holds: ({ command }) => command.index > 4,
    },
    {
      name: 'factContradicts: hash',
      spoil: ({ command }) => {
        command.hash = `0x${'9'.repeat(64)}`;
      },
      holds: ({ command }) => command.hash === `0x${'9'.repeat(64)}`,
    },
  ],
  impossible: [
    [['factKnown'], ['factContradicts: index'], 'an index is counted or comes too early'],
  ],
};

export const reportWithdrawalPrecedence: Precedence<'reportWithdrawal'> = {
  owner: 'carol',
  command: ({ exchange }) => {
    bind(exchange);
    const { id, createdAt } = [...exchange.withdrawals.values()][0]!;
    const blockTime = payableUntil(createdAt) + 1;
    return { kind: 'reportWithdrawal', id, createdAt, fact: 'none', blockTime };
  },
  spoilers: [
    late,
    vaultMissing,
    {
      name: 'withdrawalUnknown',
      spoil: ({ command }) => {
        command.id = 99_999 as OrderId;
      },
      holds: ({ command, exchange }) => !exchange.withdrawals.has(command.id),
    },
    {
      name: 'withdrawalUnknown: of another time',
      spoil: ({ exchange }) => {
        for (const [id, withdrawal] of exchange.withdrawals) {
          exchange.withdrawals.set(id, { ...withdrawal, createdAt: 1 as never });
        }
      },
      holds: ({ exchange }) => [...exchange.withdrawals.values()][0]!.createdAt === 1,
    },
    {
      name: 'factKnown',
      spoil: ({ command, exchange }) => {
        command.fact = 'sent';
        for (const withdrawal of exchange.withdrawals.values()) withdrawal.state = 'queued';
      },
      holds: ({ command }) => command.fact === 'sent',
    },
    {
      name: 'factContradicts: queued',
      spoil: ({ command, exchange }) => {
        command.fact = 'none';
        for (const withdrawal of exchange.withdrawals.values()) withdrawal.state = 'queued';
      },
      holds: ({ command, exchange }) =>
        command.fact === 'none' && [...exchange.withdrawals.values()][0]!.state === 'queued',
    },
    {
      name: 'factContradicts: payable',
      spoil: ({ command }) => {
        command.fact = 'none';
        command.blockTime -= 1;
      },
      holds: ({ command }) =>
        command.fact === 'none' && command.blockTime <= payableUntil(command.createdAt),
    },
  ],
  impossible: [
    [
      ['factKnown'],
      ['factContradicts: queued', 'factContradicts: payable'],
      'only an id that the vault does not know contradicts',
    ],
  ],
};

export const setWithdrawalTermsPrecedence: Precedence<'setWithdrawalTerms'> = {
  owner: 'fund',
  command: ({ exchange }) => {
    bind(exchange);
    return { kind: 'setWithdrawalTerms', min: 5_000_000 as Money, fee: 200_000 as Money };
  },
  spoilers: [
    late,
    vaultMissing,
    {
      name: 'termsInvalid: minimum',
      spoil: ({ command }) => {
        command.min = 100_000_001 as Money;
      },
      holds: ({ command }) => command.min > 100_000_000,
    },
    {
      name: 'termsInvalid: fee',
      spoil: ({ command }) => {
        command.fee = command.min;
      },
      holds: ({ command }) => command.fee >= command.min,
    },
  ],
};
