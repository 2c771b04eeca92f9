// A signer, and a gas account, whose key is in this process: for chains of play money alone. A key
// that lies beside a program is as safe as the program.

import { type Hex, recoverAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { ChainRule } from '../finalNumber.ts';
import { encodeCall } from '../rpc/encodeCall.ts';
import type { GasAccount } from '../service/chainParts.ts';
import type { ReadSigner } from '../service/gatherSignatures.ts';
import { digestOf, type VaultPlace } from '../vaultTypes.ts';
import type { CheckAsked, Signer } from './signer.ts';

export type LocalSignerOptions = {
  readonly rule: ChainRule;
  readonly place: VaultPlace;
  readonly key: Hex;
  readonly check: CheckAsked;
  /** Seconds. */
  readonly now: () => bigint;
};

/** In lower case. */
export const addressOfKey = (key: Hex): Hex =>
  privateKeyToAccount(key).address.toLowerCase() as Hex;

/** Throws on a chain whose money is real. */
export function createLocalSigner(options: LocalSignerOptions): Signer {
  const { rule, place, key, check, now } = options;
  if (!rule.isTestnet) throw new Error(`chain ${rule.chainId} has real money: no key in a file`);
  const account = privateKeyToAccount(key);
  return {
    address: addressOfKey(key),
    sign: async (asked) => {
      await check(asked, now());
      return account.sign({ hash: digestOf(place, asked) });
    },
  };
}

/** Its key moves no money of the vault, only its own gas. */
export function createGasAccount({ chainId, vault }: VaultPlace, key: Hex): GasAccount {
  const account = privateKeyToAccount(key);
  return {
    address: addressOfKey(key),
    sign: ({ call, nonce, gas, fees }) =>
      account.signTransaction({
        type: 'eip1559',
        chainId,
        to: vault,
        data: encodeCall(call),
        nonce,
        gas,
        maxFeePerGas: fees.maxFee,
        maxPriorityFeePerGas: fees.tip,
      }),
  };
}

/** n / 2: the contract refuses the second signature that every signature has. */
const lowHalf = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Of 65 bytes, with v of 27 or 28: the contract refuses the whole batch for any other one. */
function isCanonical(signature: Hex): boolean {
  const [, s] = /^0x[0-9a-fA-F]{64}([0-9a-fA-F]{64})1[bcBC]$/.exec(signature) ?? [];
  return s !== undefined && BigInt(`0x${s}`) <= lowHalf;
}

/** Who has signed something for this vault, in the one form that the contract takes. */
export const createReadSigner =
  (place: VaultPlace): ReadSigner =>
  async (asked, signature) => {
    try {
      if (!isCanonical(signature)) return undefined;
      const found = await recoverAddress({ hash: digestOf(place, asked), signature });
      return found.toLowerCase() as Hex;
    } catch {
      return undefined;
    }
  };
