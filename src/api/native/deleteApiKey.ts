// DELETE /api/v1/api-keys/{id}: the command ends the key; then its secret is destroyed.

import { Type } from 'typebox';
import type { Rejection } from '../../engine/rejection.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { callerOf, defineProcedure } from '../operation.ts';
import { orderIdParameter } from '../parameterSchema.ts';
import { ownKey } from './apiKeyParameters.ts';
import * as routes from './nativeRoutes.ts';

export const deleteApiKey = defineProcedure({
  ...routes.deleteApiKey,
  name: 'deleteApiKey',
  surface: 'native',
  weight: 1,
  summary: 'Deletes an API key at once; 204 without content.',
  parameters: Type.Object({ id: orderIdParameter() }),
  failures: commandRejections.deleteApiKey,
  response: Type.Null(),
  procedure: async (context, { id: reference }) => {
    const { deployment } = context;
    const account = callerOf(context);
    const key = ownKey(account, reference);
    if (key === undefined) return { reason: 'apiKeyUnknown' };
    const { apiKey } = key;
    // The profile in force when the command is applied. A concurrent update may have set it.
    let profile = key.profile;
    const command = { kind: 'deleteApiKey', account: account.id, ...reference } as const;
    const failure = await deployment.perform<Rejection | undefined>(
      command,
      'reserve',
      (outcome) => {
        if (outcome.kind === 'rejected') return outcome.rejection;
        profile = outcome.apiKey?.profile ?? profile;
        return undefined;
      },
    );
    if (failure !== undefined) return failure;
    await deployment.keys.removeKey(apiKey, profile);
    return { status: 204, text: '' };
  },
});
