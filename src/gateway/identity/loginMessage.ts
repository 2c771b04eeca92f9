// The message that a wallet signs to log in (AUTH-5), in two forms: as the nonce route answers it,
// for `eth_signTypedData_v4`, and with the fields in order for hashing. The server always builds
// the message itself and takes none from a client.

export type LoginMessage = {
  readonly chainId: number;
  /** In lower case. */
  readonly address: string;
  readonly nonce: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
};

const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
] as const;

const loginFields = [
  { name: 'wallet', type: 'address' },
  { name: 'nonce', type: 'string' },
  { name: 'timestamp', type: 'uint256' },
] as const;

/** The typed data as plain JSON. */
export function loginTypedData({ chainId, address, nonce, timestamp }: LoginMessage) {
  return {
    domain: { name: 'Evermark', version: '1', chainId },
    types: { EIP712Domain: domainFields, Login: loginFields },
    primaryType: 'Login',
    message: { wallet: address as `0x${string}`, nonce, timestamp },
  } as const;
}
