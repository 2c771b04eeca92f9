// The vault of a deployment as the native and the operator's surface show it (VLT-1 … VLT-5).

import { type Static, Type } from 'typebox';
import type { Exchange } from '../engine/views/exchange.ts';
import { vaultFigures, vaultOf, withdrawalTermsOf } from '../engine/views/vault.ts';
import { formatQuotient } from '../units/decimal.ts';
import { moneyDecimals } from '../units/units.ts';
import {
  countNumber,
  decimalText,
  exactObject,
  namedAnswerSchema,
  orNull,
  walletText,
} from './answerSchema.ts';
import { moneyText } from './grid.ts';

const hashText = (description: string) => Type.String({ pattern: '^0x[0-9a-f]{64}$', description });

export const vaultSchema = namedAnswerSchema(
  'Vault',
  exactObject({
    chain_id: countNumber(),
    vault: orNull(
      exactObject({
        address: walletText('The contract: its `deposit(account, units)` takes deposits.'),
        token: walletText('The token that it holds, USDT.'),
        token_decimals: countNumber(),
        code_hash: hashText("Of the contract's code."),
        deploy_block: countNumber('The block in which it was deployed.'),
      }),
      'null: the operator credits accounts.',
    ),
    deposit_count: countNumber('The index of the last deposit that was counted (VLT-2).'),
    deposits_hash: hashText('Of all of them.'),
    deposit_total: decimalText('USDT.'),
    parked: decimalText('What of it waits for room, USDT (VLT-3).'),
    withdrawal_min: decimalText('The least withdrawal, USDT (VLT-5).'),
    withdrawal_fee: decimalText('What of a withdrawal does not go to the wallet, USDT.'),
  }),
);

export function vaultRecord(exchange: Exchange): Static<typeof vaultSchema> {
  const binding = vaultOf(exchange);
  const { depositCount, depositsHash, depositTotal, parked } = vaultFigures(exchange);
  const { min, fee } = withdrawalTermsOf(exchange);
  return {
    chain_id: exchange.chainId,
    vault:
      binding === undefined
        ? null
        : {
            address: binding.address,
            token: binding.token,
            token_decimals: binding.tokenDecimals,
            code_hash: binding.codeHash,
            deploy_block: binding.deployBlock,
          },
    deposit_count: depositCount,
    deposits_hash: depositsHash,
    deposit_total: totalText(depositTotal),
    parked: totalText(parked),
    withdrawal_min: moneyText(min),
    withdrawal_fee: moneyText(fee),
  };
}

/** A sum that may be larger than any balance. */
export const totalText = (total: bigint): string =>
  formatQuotient(total, 10n ** BigInt(moneyDecimals), moneyDecimals);
