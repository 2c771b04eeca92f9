// Keys and signers as an operator names them: what is in their files, and what of it is secret.

import { readFileSync, statSync } from 'node:fs';
import type { Hex } from 'viem';
import type { SignerSettings } from '../chain/signers/createSigners.ts';
import { parseSignerName, remoteSignerForm } from '../chain/signers/signerName.ts';
import { ConfigError, chains } from '../config.ts';
import { secretsOfUrl } from './redact.ts';

/** Reads the file that the name means. Throws `ConfigError`. */
export function readSigner(text: string, chainId: number): SignerSettings {
  const name = parseSignerName(text);
  if (name === undefined) throw new ConfigError(`A signer is a key file or ${remoteSignerForm}.`);
  if (name.kind === 'web3signer') return name;
  if (name.kind === 'peer') {
    const { kind, url, address, secretPath } = name;
    return { kind, url, address, secret: readKeyFile(secretPath) };
  }
  return readKeySigner(name.path, chainId);
}

/**
 * A signer as it is typed: every process can read a command line, so a name with a password is in a
 * variable, `env:VARIABLE`. Throws `ConfigError`.
 */
export function readTypedSigner(
  word: string,
  chainId: number,
  environment: Readonly<Record<string, string | undefined>>,
): SignerSettings {
  const variable = /^env:(\w+)$/.exec(word)?.[1];
  if (variable !== undefined) return readSigner(environment[variable] ?? '', chainId);
  const name = parseSignerName(word);
  if (name !== undefined && name.kind !== 'file' && secretsOfUrl(name.url).length > 0) {
    const how = 'put the signer into a variable and type env:VARIABLE.';
    throw new ConfigError(`This would show a password to every process: ${how}`);
  }
  return readSigner(word, chainId);
}

/** A signer whose key is in this file. Throws `ConfigError`. */
export function readKeySigner(path: string, chainId: number): SignerSettings {
  if (chains[chainId as keyof typeof chains] !== 'testnet') {
    throw new ConfigError(
      `Keys in files are for testnets: the money of chain ${chainId} is real, and a key in a ` +
        'file must not sign for it.',
    );
  }
  return { kind: 'key', key: readKeyFile(path) };
}

/** What no line of a journal may show. */
export function secretsOfSigner(signer: SignerSettings): readonly string[] {
  if (signer.kind === 'key') return [signer.key.slice(2)];
  const ofUrl = secretsOfUrl(signer.url);
  return signer.kind === 'peer' ? [...ofUrl, signer.secret.slice(2)] : ofUrl;
}

/** viem is loaded only where a key is used. */
export async function addressOf(key: Hex): Promise<string> {
  const { privateKeyToAccount } = await import('viem/accounts');
  return privateKeyToAccount(key).address.toLowerCase();
}

/** Rights of the group and of others. */
const ofOthers = 0o077;

/** A file with 0x and 64 hex digits, which only its owner may read. Throws `ConfigError`. */
export function readKeyFile(path: string): Hex {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
    checkMode(path);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`A key cannot be read: ${(error as Error).message}`);
  }
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new ConfigError(`${path} holds no key.`);
  return text.toLowerCase() as Hex;
}

/** The file is the operator's own, so its mode stays: somebody may have read it already. */
function checkMode(path: string): void {
  // Windows has no modes.
  if (process.platform === 'win32') return;
  const mode = statSync(path).mode & 0o777;
  if ((mode & ofOthers) === 0) return;
  throw new ConfigError(
    `Other users of this machine may use ${path} (its mode is ${mode.toString(8)}): chmod 600 ` +
      'it, and make a new key if one of them may have read it.',
  );
}
