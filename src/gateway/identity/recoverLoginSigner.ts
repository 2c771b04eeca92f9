// The signer of a login (AUTH-5). It takes over a millisecond of pure computation, and viem is slow
// to load: the trading thread asks `startSignatureRecovery` instead.

import { hashTypedData, recoverAddress } from 'viem/utils';
import { type LoginMessage, loginTypedData } from './loginMessage.ts';
import { isSignatureCanonical, isWalletSignature } from './walletSignature.ts';

/**
 * The address, in lower case, whose key signed the login message; undefined when no key can have.
 * Cost: 1.3 ms.
 */
export async function recoverLoginSigner(
  message: LoginMessage,
  signature: string,
): Promise<string | undefined> {
  if (!isWalletSignature(signature) || !isSignatureCanonical(signature)) return undefined;
  const { domain, types, primaryType, message: login } = loginTypedData(message);
  const hash = hashTypedData({
    domain: { ...domain, chainId: BigInt(domain.chainId) },
    types,
    primaryType,
    message: { ...login, timestamp: BigInt(login.timestamp) },
  });
  try {
    const address = await recoverAddress({ hash, signature: signature as `0x${string}` });
    return address.toLowerCase();
  } catch {
    // r is not the abscissa of a point: the form is canonical, but no key made this signature.
    return undefined;
  }
}
