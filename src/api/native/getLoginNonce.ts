// GET /api/v1/auth/nonce (AUTH-5): what a wallet signs to log in. Nothing is remembered of it.

import { Type } from 'typebox';
import { answerJson, defineQuery } from '../operation.ts';
import { walletParameter } from '../walletParameter.ts';

export const getLoginNonce = defineQuery({
  name: 'getLoginNonce',
  surface: 'native',
  method: 'GET',
  path: '/api/v1/auth/nonce',
  auth: 'none',
  weight: 1,
  summary: 'A login nonce of five minutes for a wallet, and the typed data to sign.',
  parameters: Type.Object({ address: walletParameter() }),
  response: Type.Object({
    address: Type.String(),
    nonce: Type.String(),
    timestamp: Type.Integer({ description: 'Seconds.' }),
    expires_at: Type.Integer({ description: 'Seconds.' }),
    typed_data: Type.Unknown({ description: 'For eth_signTypedData_v4.' }),
  }),
  query: ({ deployment: { login } }, parameters) => {
    const address = login.parseAddress(parameters.address);
    if (address === undefined) return { reason: 'walletAddressInvalid' };
    const { nonce, timestamp, expiresAt, typedData } = login.issueNonce(address);
    return answerJson({ address, nonce, timestamp, expires_at: expiresAt, typed_data: typedData });
  },
});
