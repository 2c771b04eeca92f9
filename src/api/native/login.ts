// POST /api/v1/auth/login (AUTH-5): a token for a wallet's signature. The engine remembers the
// nonce and creates the account. The token is made when both are durable.

import { Type } from 'typebox';
import type { Rejection } from '../../engine/rejection.ts';
import { exactObject, plainText, secondsNumber, walletText } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, defineProcedure } from '../operation.ts';
import { integerParameter, textParameter } from '../parameterSchema.ts';
import { walletParameter } from '../walletParameter.ts';
import * as routes from './nativeRoutes.ts';

const textLengthMax = 4096;

export const login = defineProcedure({
  ...routes.login,
  name: 'login',
  surface: 'native',
  weight: 1,
  summary: 'Exchanges a signed login message for a bearer token of 24 hours.',
  parameters: Type.Object({
    address: walletParameter(),
    nonce: textParameter({ lengthMax: textLengthMax }),
    timestamp: integerParameter({ description: 'Seconds, as signed.' }),
    signature: textParameter({ lengthMax: textLengthMax, description: '0x and 65 bytes in hex.' }),
  }),
  failures: [
    ...commandRejections.login,
    'walletAddressInvalid',
    'nonceUnknown',
    'loginTimestampExpired',
    'loginSignatureMalformed',
    'loginSignatureInvalid',
  ],
  response: exactObject({
    token: plainText('A JWT.'),
    token_type: Type.Literal('Bearer'),
    expires_at: secondsNumber(),
    address: walletText(),
  }),
  procedure: async ({ deployment, client }, { address: sent, nonce, timestamp, signature }) => {
    const address = deployment.login.parseAddress(sent);
    if (address === undefined) return { reason: 'walletAddressInvalid' };
    const request = { address, nonce, timestamp, signature, client };
    const verified = await deployment.login.verifyLogin(request);
    if ('reason' in verified) return verified;
    const { expiresAt: nonceExpiresAt } = verified;
    const command = { kind: 'login', address, nonce, expiresAt: nonceExpiresAt } as const;
    const failure = await deployment.perform<Rejection | undefined>(
      command,
      'reserve',
      (outcome) => (outcome.kind === 'rejected' ? outcome.rejection : undefined),
    );
    if (failure !== undefined) return failure;
    const { token, expiresAt } = await deployment.login.issueToken(address);
    return answerJson({ token, token_type: 'Bearer', expires_at: expiresAt, address });
  },
});
