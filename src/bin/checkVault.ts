// Whether the vault of a process's settings is the one that its log is bound to: a start refuses
// another one, and a process without it does not write a log whose money lies in a vault.

import { type Config, ConfigError } from '../config.ts';
import type { Exchange } from '../engine/views/exchange.ts';
import { vaultOf } from '../engine/views/vault.ts';
import { checkSpelling } from '../std/checksumAddress.ts';

type Named = Pick<Config, 'vault'>;

/**
 * Throws `ConfigError` when the log is bound to another vault than that of the configuration, or
 * when that one is mistyped.
 */
export function checkVault({ vault }: Named, exchange: Exchange): void {
  try {
    checkSpelling(vault);
  } catch (error) {
    throw new ConfigError(`--vault: ${(error as Error).message}.`);
  }
  const bound = vaultOf(exchange)?.address;
  if (vault === '' || bound === undefined || bound === vault.toLowerCase()) return;
  throw new ConfigError(`The log is bound to the vault ${bound}, not to ${vault}.`);
}

/**
 * Why a process that follows must leave the lease to others; undefined: it may take it. It gets the
 * lease without a person, so a process that cannot serve the vault would stop payments unseen. A
 * single process is started by a person, and only warns.
 */
export function whyNotLead({ vault }: Named, exchange: Exchange): string | undefined {
  const bound = vaultOf(exchange)?.address;
  if (bound === undefined || bound === vault.toLowerCase()) return undefined;
  if (vault !== '') return `the log is bound to the vault ${bound}, and this process has ${vault}`;
  return (
    `the money of the log is in the vault ${bound}, and this process has no --vault: it serves ` +
    'reads, and leaves the lease to a process that has one'
  );
}
