// PATCH /operator/accounts/{address} (OPS-1): the operator's flags of an account.

import { Type } from 'typebox';
import { feeTiersMax } from '../../engine/limits.ts';
import { must } from '../../std/assert.ts';
import { countNumber, exactObject, walletText } from '../answerSchema.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, defineCommand } from '../operation.ts';
import { flagParameter, integerParameter, optional } from '../parameterSchema.ts';
import { walletParameter } from '../walletParameter.ts';

export const changeAccount = defineCommand({
  name: 'changeAccount',
  surface: 'operator',
  method: 'PATCH',
  path: '/operator/accounts/:address',
  auth: 'operator',
  weight: 1,
  summary: 'Flags an account as of the house, or sets its fee tier.',
  parameters: Type.Object({
    address: walletParameter(),
    house: optional(flagParameter({ description: 'Left out of open interest (FUND-1).' })),
    fee_tier: optional(
      integerParameter({
        min: 0,
        max: feeTiersMax - 1,
        description: 'The lowest that it has, whatever its volume (MAR-6).',
      }),
    ),
  }),
  failures: [...commandRejections.flagAccount, 'parameterMissing', 'walletAddressInvalid'],
  response: exactObject({
    address: walletText(),
    house: Type.Boolean(),
    fee_tier: countNumber(),
  }),
  command: ({ deployment }, { address: sent, house, fee_tier: feeTier }) => {
    const address = deployment.login.parseAddress(sent);
    if (address === undefined) return { reason: 'walletAddressInvalid' };
    if (house === undefined && feeTier === undefined) {
      return { reason: 'parameterMissing', name: 'house or fee_tier' };
    }
    return {
      command: { kind: 'flagAccount', address, house, feeTier },
      lane: 'reserve',
      answer: (outcome) => {
        if (outcome.kind === 'rejected') return outcome.rejection;
        const account = must(outcome.account, 'the account is in the outcome');
        return answerJson({ address, house: account.house, fee_tier: account.feeTier });
      },
    };
  },
});
