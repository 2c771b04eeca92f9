// POST /api/v1/account/margin-mode (MAR-7): how the caller's positions share its money. The mode
// can change only without open orders, waiting triggers and positions.

import { Type } from 'typebox';
import { marginModes } from '../../engine/marginModes.ts';
import { must } from '../../std/assert.ts';
import { exactObject } from '../answerSchema.ts';
import { enumerations } from '../enumerations.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, callerOf, defineCommand } from '../operation.ts';
import { choiceParameter } from '../parameterSchema.ts';
import * as routes from './nativeRoutes.ts';

export const setMarginMode = defineCommand({
  ...routes.setMarginMode,
  name: 'setMarginMode',
  surface: 'native',
  weight: 1,
  summary: 'Switches between cross, isolated and unified margin; needs a flat account.',
  parameters: Type.Object({ mode: choiceParameter(marginModes, { refuse: 'marginModeUnknown' }) }),
  failures: commandRejections.setMarginMode,
  response: exactObject({ mode: enumerations.marginMode }),
  command: (context, { mode }) => ({
    command: { kind: 'setMarginMode', account: callerOf(context).id, mode },
    lane: 'order',
    answer: (outcome) => {
      if (outcome.kind === 'rejected') return outcome.rejection;
      const { marginMode } = must(outcome.account, 'the account is in the outcome');
      return answerJson({ mode: marginMode });
    },
  }),
});
