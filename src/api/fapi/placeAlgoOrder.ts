// POST /fapi/v1/algoOrder (conventions, 9.2): a trigger of the algo route, also a trailing one.

import type { Outcome } from '../../engine/outcome.ts';
import type { Context } from '../deployment.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import { gridFailures } from '../grid.ts';
import { type Answered, callerOf, defineCommand } from '../operation.ts';
import { answerAcceptedTrigger } from '../orderAnswer.ts';
import { isRefusal } from '../readParameters.ts';
import { algoCommand, algoParameters, requiresOfAlgo } from './algoParameters.ts';
import { algoRecordSchema, answerTrigger } from './algoRecord.ts';

export const placeAlgoOrder = defineCommand({
  name: 'placeAlgoOrder',
  surface: 'fapi',
  method: 'POST',
  path: '/fapi/v1/algoOrder',
  auth: 'key',
  weight: 1,
  countsAsOrder: true,
  idempotent: true,
  summary: 'Places a trigger: a stop, a take-profit or a trailing stop.',
  parameters: algoParameters,
  failures: [
    ...commandRejections.placeTrigger,
    ...gridFailures,
    'parameterNotAllowed',
    'orderEnded',
    'databaseFailed',
  ],
  response: algoRecordSchema,
  requires: requiresOfAlgo,
  ofRequestAlone: true,
  command: (context, parameters) => {
    const { idempotencyKey, idempotencyRequest } = context;
    const account = callerOf(context);
    const command = algoCommand({ account, parameters, idempotencyKey, idempotencyRequest });
    if (isRefusal(command)) return command;
    return { command, lane: 'order', answer: (outcome) => placed(context, outcome) };
  },
});

function placed(context: Context, outcome: Outcome): Answered {
  if (outcome.kind === 'rejected') return outcome.rejection;
  const { deployment } = context;
  return answerAcceptedTrigger(deployment, callerOf(context), outcome, (trigger) =>
    answerTrigger(deployment, trigger),
  );
}
