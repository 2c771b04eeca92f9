// A request for every code that a login is refused with (AUTH-5). Each case signs for itself,
// because a login that differs from a valid one in one thing must be refused.

import { forgedNonce } from '../fixtures/forgedNonce.ts';
import { createWallet } from '../identity/wallet.ts';
import type { ErrorCases } from './errorCase.ts';
import type { ErrorWorld, Reply } from './errorWorld.ts';

/** The codes of the login in the interface's table of native errors, in its order. */
export const loginCodes = [
  'INVALID_ADDRESS',
  'TIMESTAMP_EXPIRED',
  'USER_NOT_FOUND',
  'SIGNATURE_INVALID',
  'SIGNATURE_FORMAT_INVALID',
] as const;

export type LoginCode = (typeof loginCodes)[number];

const chainId = 43113;
const loginPath = '/api/v1/auth/login';
const noncePath = '/api/v1/auth/nonce';
const owner = createWallet(9001);
const other = createWallet(9002);

type Login = {
  readonly address: string;
  readonly nonce: string;
  readonly timestamp: number;
  readonly signature: string;
};

/** A login that would succeed, signed `skew` seconds from now by `signer`. */
async function goodLogin(world: ErrorWorld, { skew = 0, signer = owner } = {}): Promise<Login> {
  const { address } = owner;
  const { nonce, timestamp: now } = (await world.open('GET', noncePath, { address })).body;
  const timestamp = now + skew;
  const signature = await signer.sign({ chainId, address, nonce, timestamp });
  return { address, nonce, timestamp, signature };
}

const sending =
  (change: (login: Login) => Partial<Login>, options?: Parameters<typeof goodLogin>[1]) =>
  async (world: ErrorWorld): Promise<Reply> => {
    const login = await goodLogin(world, options);
    return world.open('POST', loginPath, { ...login, ...change(login) });
  };

const addressText = 'The wallet address is malformed.';
const nonceText = 'There is no valid nonce for this address; ask for one first.';
const failed = 'Signature verification failed.';
const expired = 'The timestamp is more than five minutes away.';
const malformed = 'The signature is not 65 bytes of hex with the prefix 0x.';

export const loginErrorCases: ErrorCases<LoginCode> = {
  INVALID_ADDRESS: [
    {
      when: 'a nonce is requested without an address',
      status: 400,
      text: addressText,
      ask: (world) => world.open('GET', noncePath, { address: '0x12' }),
    },
    {
      when: 'the checksum of the address is wrong',
      status: 400,
      text: addressText,
      ask: sending(() => ({ address: wrongChecksum(owner.checksummed) })),
    },
  ],
  TIMESTAMP_EXPIRED: [
    {
      when: 'the login was signed 301 s ago',
      status: 401,
      text: expired,
      ask: sending(() => ({}), { skew: -301 }),
    },
    {
      when: 'the login was signed 301 s ahead',
      status: 401,
      text: expired,
      ask: sending(() => ({}), { skew: 301 }),
    },
  ],
  USER_NOT_FOUND: [
    {
      when: 'the exchange did not issue the nonce',
      status: 404,
      text: nonceText,
      ask: sending(({ nonce }) => ({ nonce: forgedNonce(nonce) })),
    },
    {
      when: 'the nonce is of another address',
      status: 404,
      text: nonceText,
      ask: sending(() => ({ address: other.address })),
    },
  ],
  SIGNATURE_INVALID: [
    {
      when: 'another wallet has signed',
      status: 401,
      text: failed,
      ask: sending(() => ({}), { signer: other }),
    },
    {
      when: 'the nonce was used before',
      status: 401,
      text: 'The nonce was used before.',
      ask: async (world) => {
        const login = await goodLogin(world);
        await world.open('POST', loginPath, login);
        return world.open('POST', loginPath, login);
      },
    },
  ],
  SIGNATURE_FORMAT_INVALID: [
    {
      when: 'the signature has no 0x',
      status: 400,
      text: malformed,
      ask: sending(({ signature }) => ({ signature: signature.slice(2) })),
    },
    {
      when: 'the signature is one byte short',
      status: 400,
      text: malformed,
      ask: sending(({ signature }) => ({ signature: signature.slice(0, -2) })),
    },
  ],
};

/** The same address with the case of its last letter turned. */
function wrongChecksum(checksummed: string): string {
  return checksummed.replace(/([a-fA-F])(?=[^a-fA-F]*$)/, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
