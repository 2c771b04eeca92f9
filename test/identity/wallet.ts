// A wallet for the tests of logins: signs the typed data as a browser wallet gets it, as JSON.

import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { type LoginMessage, loginTypedData } from '../../src/gateway/identity/loginMessage.ts';

export type Wallet = {
  /** In lower case. */
  readonly address: string;
  readonly checksummed: string;
  readonly sign: (message: LoginMessage) => Promise<string>;
};

/** The wallet of one private key; equal seeds are equal wallets. */
export function createWallet(seed: number): Wallet {
  const account: PrivateKeyAccount = privateKeyToAccount(
    `0x${seed.toString(16).padStart(64, '0')}`,
  );
  return {
    address: account.address.toLowerCase(),
    checksummed: account.address,
    sign: (message) => {
      const text = JSON.stringify(loginTypedData(message));
      return account.signTypedData(JSON.parse(text) as never);
    },
  };
}

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The other signature that the same key, message and r allow: s in the upper half. */
export function flipS(signature: string): string {
  const s = curveOrder - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.slice(130) === '1b' ? '1c' : '1b';
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}`;
}
