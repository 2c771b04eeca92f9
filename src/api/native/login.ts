// POST /api/v1/auth/login (AUTH-5): a token for a wallet's signature. The engine remembers the
// nonce and creates the account. The token is made when both are durable.

import { Type } from 'typebox';
import { must } from '../../std/assert.ts';
import type { OrderId } from '../../units/units.ts';
import { exactObject, plainText, secondsNumber, walletText } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, defineProcedure, type Failure } from '../operation.ts';
import { integerParameter, textParameter } from '../parameterSchema.ts';
import { walletParameter } from '../walletParameter.ts';
import { clientName } from './clientName.ts';
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
  procedure: async (
    { deployment, client, userAgent },
    { address: sent, nonce, timestamp, signature },
  ) => {
    const address = deployment.login.parseAddress(sent);
    if (address === undefined) return { reason: 'walletAddressInvalid' };
    const request = { address, nonce, timestamp, signature, client };
    const verified = await deployment.login.verifyLogin(request);
    if ('reason' in verified) return verified;
    const { expiresAt: nonceExpiresAt } = verified;
    const agent = clientName(userAgent);
    const named = { address, nonce, client, agent };
    const command = { kind: 'login', ...named, expiresAt: nonceExpiresAt } as const;
    const opened = await deployment.perform<Failure | Opened>(command, 'reserve', (outcome) => {
      if (outcome.kind === 'rejected') return outcome.rejection;
      return { session: must(outcome.session, 'a login opens a session').id };
    });
    if ('reason' in opened) return opened;
    const { token, expiresAt } = await deployment.login.issueToken(address, opened.session);
    return answerJson({ token, token_type: 'Bearer', expires_at: expiresAt, address });
  },
});

type Opened = { readonly session: OrderId };
