// `evermark chain signer`: keys of signers, the secret that two operators share, and a signer that
// serves others.

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { ConfigError } from '../config.ts';
import { parseScaled } from '../units/decimal.ts';
import { moneyDecimals } from '../units/units.ts';
import { findDataDirectory } from './dataDirectory.ts';
import { addressOf, readKeyFile, readTypedSigner } from './readSigner.ts';
import type { Action, Given } from './withKey.ts';

export const signerOptions = [
  'data',
  'secret',
  'state',
  'host',
  'port',
  'cap',
  'anchor-interval',
] as const;

/** USDT within an hour. */
const capDefault = '1000000';
const portDefault = '8090';
/** Seconds, as of `evermark start`. */
const anchorIntervalDefault = '3600';

export const chainSigner: Action = (given) => {
  const [action, path, ...more] = given.words;
  if (path === undefined || more.length > 0) return undefined;
  switch (action) {
    case 'new':
      writeSecret(path);
      return shown(path);
    case 'show':
      return shown(path);
    case 'secret':
      writeSecret(path);
      return Promise.resolve({ secret: path });
    case 'serve':
      return serve(path, given);
    default:
      return undefined;
  }
};

/** 32 random bytes in a file that only its owner may read. */
const writeSecret = (path: string): void =>
  writeFileSync(path, `0x${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });

/** It prints the address alone. */
const shown = (path: string): Promise<unknown> =>
  addressOf(readKeyFile(path)).then((address) => ({ address }));

function serve(word: string, { options, io }: Given): Promise<undefined> | undefined {
  const { secret, state, host = '127.0.0.1', port = portDefault, cap = capDefault } = options;
  const { 'anchor-interval': interval = anchorIntervalDefault } = options;
  if (!/^\d{1,5}$/.test(interval)) return undefined;
  if (secret === undefined || state === undefined || !/^\d{1,5}$/.test(port)) return undefined;
  const units = parseScaled(cap, moneyDecimals);
  if (units.kind !== 'exact' || units.value <= 0) throw new ConfigError('--cap takes USDT.');
  const directory = findDataDirectory(options.data ?? (io.environment.EVERMARK_DATA || './data'));
  const signer = readTypedSigner(word, directory.chainId, io.environment);
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  return import('./serveOwnSigner.ts').then(async ({ serveOwnSigner }) => {
    await serveOwnSigner({
      ...{ directory, signer, secretFile: secret, state, host, port: Number(port), stopped },
      unitsPerHourMax: BigInt(units.value),
      treeIntervalMs: Number(interval) * 1000,
      onServing: (serving) => io.print(JSON.stringify(serving)),
    });
    return undefined;
  });
}
