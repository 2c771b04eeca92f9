// GET /api/v1/auth/nonce (AUTH-5): the text that a wallet signs to log in. The exchange stores
// nothing about it.

import { Type } from 'typebox';
import { countNumber, exactObject, plainText, secondsNumber, walletText } from '../answerSchema.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { walletParameter } from '../walletParameter.ts';
import * as routes from './nativeRoutes.ts';

const nonceText = Type.String({ pattern: '^[A-Za-z0-9_-]{72}$' });

const fieldSchema = exactObject({
  name: plainText('Of the field.'),
  type: plainText('A type of EIP-712.'),
});

const typedDataSchema = exactObject(
  {
    domain: exactObject({
      name: Type.Literal('Evermark'),
      version: Type.Literal('1'),
      chainId: countNumber(),
    }),
    types: exactObject({ EIP712Domain: Type.Array(fieldSchema), Login: Type.Array(fieldSchema) }),
    primaryType: Type.Literal('Login'),
    message: exactObject({
      wallet: walletText(),
      nonce: nonceText,
      timestamp: secondsNumber(),
    }),
  },
  'For eth_signTypedData_v4.',
);

export const getLoginNonce = defineQuery({
  ...routes.getLoginNonce,
  name: 'getLoginNonce',
  surface: 'native',
  weight: 1,
  summary: 'A login nonce of five minutes for a wallet, and the typed data to sign.',
  parameters: Type.Object({ address: walletParameter() }),
  failures: ['walletAddressInvalid'],
  response: exactObject({
    address: walletText(),
    nonce: nonceText,
    timestamp: secondsNumber(),
    expires_at: secondsNumber(),
    typed_data: typedDataSchema,
  }),
  query: ({ deployment: { login } }, parameters) => {
    const address = login.parseAddress(parameters.address);
    if (address === undefined) return { reason: 'walletAddressInvalid' };
    const { nonce, timestamp, expiresAt, typedData } = login.issueNonce(address);
    return answerJson({ address, nonce, timestamp, expires_at: expiresAt, typed_data: typedData });
  },
});
