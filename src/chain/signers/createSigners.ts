// The signers of a chain service, as its settings name them. Those that check here share a replica
// and have a cap each.

import { join } from 'node:path';
import type { Hex } from 'viem';
import { systemClock } from '../../std/clock.ts';
import type { ChainRule } from '../finalNumber.ts';
import type { VaultPlace } from '../vaultTypes.ts';
import { createAnchorFile } from './createAnchorFile.ts';
import { createCheck, type SignerReplica } from './createCheck.ts';
import { addressOfKey, createLocalSigner } from './createLocalSigner.ts';
import { createPeerSigner } from './createPeerSigner.ts';
import { createSignedFile } from './createSignedFile.ts';
import { createWeb3Signer, signerAddressOf } from './createWeb3Signer.ts';
import { type CheckAsked, NotSigned, type Signer } from './signer.ts';

/** A signer and what it needs, as threads pass it on. */
export type SignerSettings =
  | { readonly kind: 'key'; readonly key: Hex }
  | { readonly kind: 'web3signer'; readonly url: string; readonly identifier: Hex }
  | {
      readonly kind: 'peer';
      readonly url: string;
      readonly address: Hex;
      /** 32 bytes. */
      readonly secret: Hex;
    };

export type SignersOptions = {
  readonly rule: ChainRule;
  readonly place: VaultPlace;
  readonly signers: readonly SignerSettings[];
  readonly checkOf: (address: Hex) => CheckAsked;
};

/** In seconds, as the chain counts. */
const now = (): bigint => BigInt(Math.floor(systemClock.now() / 1000));

/** Throws for a key in a file on a chain whose money is real. */
export function createSigners({ rule, place, signers, checkOf }: SignersOptions): Signer[] {
  return signers.map((settings) => {
    if (settings.kind === 'peer') {
      const secret = Buffer.from(settings.secret.slice(2), 'hex');
      return createPeerSigner({ ...settings, place, secret, clock: systemClock });
    }
    if (settings.kind === 'web3signer') {
      const check = checkOf(signerAddressOf(settings.identifier));
      return createWeb3Signer({ ...settings, place, check, now });
    }
    const { key } = settings;
    return createLocalSigner({ rule, place, key, check: checkOf(addressOfKey(key)), now });
  });
}

export type CappedChecks = {
  readonly replica: SignerReplica;
  readonly unitsPerHourMax: bigint;
  /** Of a stretch of trees, seconds. */
  readonly interval: bigint;
  /** Files for each signer keep what it has signed; it must be there. */
  readonly directory: string;
};

/**
 * One check for each address: two signers of one key share its cap and its file. A file that cannot
 * be read stops its signer, and nothing else.
 */
export function cappedChecks({ directory, ...options }: CappedChecks): SignersOptions['checkOf'] {
  const checks = new Map<Hex, CheckAsked>();
  const make = (address: Hex): CheckAsked => {
    try {
      const path = join(directory, address);
      const anchors = createAnchorFile(`${path}.anchor`);
      return createCheck({ ...options, store: createSignedFile(path), anchors });
    } catch (error) {
      return () => Promise.reject(new NotSigned('failed', (error as Error).message));
    }
  };
  return (address) => {
    const check = checks.get(address) ?? make(address);
    checks.set(address, check);
    return check;
  };
}
