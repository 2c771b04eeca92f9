// A log is bound to the vault that holds its money (VLT-1), once and for ever, before any money
// came. From then on money comes and goes by facts of the chain alone.

import type { Exchange } from '../exchange.ts';
import { type Outcome, rejected } from '../outcome.ts';
import type { BindVault } from '../vaultCommand.ts';
import { type VaultBinding, vaultBound } from '../vaultLedger.ts';

/** The vault's unit is 1e-6, and no token of a chain here has more decimals than this. */
const tokenDecimalsMin = 6;
const tokenDecimalsMax = 18;

export function bindVault(exchange: Exchange, command: BindVault): Outcome {
  const { chainId, address, token, tokenDecimals, codeHash, deployBlock } = command;
  const { vault } = exchange;
  const binding: VaultBinding = { address, token, tokenDecimals, codeHash, deployBlock };
  if (vault.binding !== null) {
    const isKnown = chainId === exchange.chainId && isSame(vault.binding, binding);
    return isKnown ? { kind: 'accepted' } : rejected(vaultBound(vault.binding));
  }
  // A corrected credit leaves its reference.
  const isBlank = exchange.funds.deposits === 0n && exchange.credits.size === 0;
  if (!isBlank) return rejected({ reason: 'depositsPresent' });
  if (chainId !== exchange.chainId) return invalid('chainId', `the log is of ${exchange.chainId}`);
  if (token === address) return invalid('token', 'a vault is not its own token');
  if (!(tokenDecimals >= tokenDecimalsMin && tokenDecimals <= tokenDecimalsMax)) {
    return invalid('tokenDecimals', `${tokenDecimalsMin} to ${tokenDecimalsMax}`);
  }
  // From here bindVault must succeed.
  exchange.committed = true;
  vault.binding = binding;
  exchange.events.push({ kind: 'vaultBound', binding });
  return { kind: 'accepted' };
}

const invalid = (field: string, detail: string): Outcome =>
  rejected({ reason: 'termsInvalid', field, detail });

function isSame(one: VaultBinding, other: VaultBinding): boolean {
  return (
    one.address === other.address &&
    one.token === other.token &&
    one.tokenDecimals === other.tokenDecimals &&
    one.codeHash === other.codeHash &&
    one.deployBlock === other.deployBlock
  );
}
