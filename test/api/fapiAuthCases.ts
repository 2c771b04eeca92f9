// A request for every code of the table of FAPI's authentication failures. They come in the
// service envelope, and with `code` and `msg` besides (AUTH-2).

import type { ErrorCases } from './errorCase.ts';

/** The interface's table of FAPI authentication errors, in its order. */
export const authCodes = [
  'INVALID_API_KEY',
  'API_KEY_DISABLED',
  'IP_NOT_ALLOWED',
  'SIGNATURE_INVALID',
] as const;

export type AuthCode = (typeof authCodes)[number];

/** The top-level code that comes besides. */
export const besides: Readonly<Record<AuthCode, number>> = {
  INVALID_API_KEY: -2015,
  API_KEY_DISABLED: -2015,
  IP_NOT_ALLOWED: -2015,
  SIGNATURE_INVALID: -1022,
};

const balance = '/fapi/v2/balance';
const unknown = 'The API key is unknown on this deployment.';

export const fapiAuthCases: ErrorCases<AuthCode> = {
  INVALID_API_KEY: [
    {
      when: 'the key is unknown',
      status: 401,
      text: unknown,
      ask: async (world) =>
        (await world.trader()).fapi('GET', balance, {}, { apiKey: 'ab'.repeat(32) }),
    },
    {
      when: 'there is no key',
      status: 401,
      text: 'The API key is missing: header X-MBX-APIKEY, on a socket apiKey.',
      ask: (world) => world.open('GET', balance, { timestamp: 1, signature: 'ab'.repeat(32) }),
    },
    {
      when: 'the key was deleted',
      status: 401,
      text: unknown,
      ask: async (world) => {
        const { keyId, native, fapi } = await world.trader();
        await native('DELETE', `/api/v1/api-keys/${keyId}`);
        return fapi('GET', balance);
      },
    },
  ],
  API_KEY_DISABLED: [
    {
      when: 'the key was disabled',
      status: 401,
      text: 'The API key is disabled.',
      ask: async (world) => {
        const { keyId, native, fapi } = await world.trader();
        await native('PUT', `/api/v1/api-keys/${keyId}`, { status: 'disabled' });
        return fapi('GET', balance);
      },
    },
  ],
  IP_NOT_ALLOWED: [
    {
      when: 'the client is not on the list of the key',
      status: 403,
      text: 'The client address is not on the list of this API key.',
      ask: async (world) => {
        const { keyId, native, fapi } = await world.trader();
        await native('PUT', `/api/v1/api-keys/${keyId}`, { ip_whitelist: '10.1.2.3' });
        return fapi('GET', balance, {}, { headers: { 'x-forwarded-for': '10.1.2.4' } });
      },
    },
  ],
  SIGNATURE_INVALID: [
    {
      when: 'the signature is made with another secret',
      status: 401,
      text: 'Signature verification failed.',
      ask: async (world) =>
        (await world.trader()).fapi('GET', balance, {}, { secret: 'cd'.repeat(32) }),
    },
    {
      when: 'there is no timestamp',
      status: 401,
      text: 'Signature verification failed.',
      ask: async (world) => (await world.trader()).fapi('GET', balance, {}, { skew: null }),
    },
  ],
};
