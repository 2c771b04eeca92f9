// A wallet for the tests of logins: signs the typed data as a browser wallet gets it, as JSON.

import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { type LoginMessage, loginTypedData } from '../../src/gateway/identity/loginMessage.ts';

export type Wallet = {
  /** In lower case. */
  readonly address: string;
  readonly checksummed: string;
  readonly sign: (message: LoginMessage) => Promise<string>;
  /** Signs any typed data, before it becomes JSON. */
  readonly signTyped: (data: object) => Promise<string>;
};

/** The wallet of one private key; equal seeds are equal wallets. */
export function createWallet(seed: number): Wallet {
  const account: PrivateKeyAccount = privateKeyToAccount(
    `0x${seed.toString(16).padStart(64, '0')}`,
  );
  const signTyped = (data: object): Promise<string> =>
    account.signTypedData(JSON.parse(JSON.stringify(data)) as never);
  return {
    address: account.address.toLowerCase(),
    checksummed: account.address,
    sign: (message) => signTyped(loginTypedData(message)),
    signTyped,
  };
}

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The other signature that the same key, message and r allow: s in the upper half. */
export function flipS(signature: string): string {
  const s = curveOrder - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.slice(130) === '1b' ? '1c' : '1b';
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}`;
}
