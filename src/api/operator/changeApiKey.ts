// PATCH /operator/api-keys/{api_key} (OPS-1): the limits of a key, which only the operator can
// change.

import { Type } from 'typebox';
import { rateTiers } from '../../engine/marginModes.ts';
import { accountById } from '../../engine/views/exchange.ts';
import { must } from '../../std/assert.ts';
import { exactObject, hexText, walletText } from '../answerSchema.ts';
import { enumerations } from '../enumerations.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, defineCommand } from '../operation.ts';
import { choiceParameter, textParameter } from '../parameterSchema.ts';

const apiKeyLengthMax = 64;

export const changeApiKey = defineCommand({
  name: 'changeApiKey',
  surface: 'operator',
  method: 'PATCH',
  path: '/operator/api-keys/:api_key',
  auth: 'operator',
  weight: 1,
  summary: 'Sets the rate tier of an API key.',
  parameters: Type.Object({
    api_key: textParameter({ lengthMax: apiKeyLengthMax }),
    rate_tier: choiceParameter(rateTiers),
  }),
  failures: commandRejections.setRateTier,
  response: exactObject({
    api_key: hexText(64),
    address: walletText(),
    status: enumerations.apiKeyStatus,
    rate_tier: enumerations.rateTier,
  }),
  command: ({ deployment: { exchange } }, { api_key: apiKey, rate_tier: rateTier }) => ({
    command: { kind: 'setRateTier', apiKey, rateTier },
    lane: 'reserve',
    answer: (outcome) => {
      if (outcome.kind === 'rejected') return outcome.rejection;
      const key = must(outcome.apiKey, 'the key is in the outcome');
      const { address } = must(accountById(exchange, key.account), 'a key has an account');
      return answerJson({ api_key: apiKey, address, status: key.status, rate_tier: key.rateTier });
    },
  }),
});
